/**
 * Signed notes (c2sp.org/signed-note) and the keys that verify them: a text, an empty line, and a line for each
 * signature.
 *
 *   kelisim.example/log                                          ┐
 *   20852163                                                     │ the text
 *   CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=                 ┘
 *
 *   — kelisim.example/log Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp…    base64 of the key's id (4 bytes) and the signature
 */
import { ed25519Spki, verifyEd25519 } from '../algorithms/ed25519.ts'
import { hash } from '../algorithms/hash.ts'
import { isSame, joined, toHex } from '../asn1/values.ts'
import { fromBase64, toBase64 } from './base64.ts'

export type NoteSignature = {
  name: string
  /** The key's id in hexadecimal digits: with the name it identifies the key that signed. */
  keyId: string
  bytes: Uint8Array
}
export type SignedNote = { text: string; signatures: NoteSignature[] }

export const noteLimits = {
  bytes: 1024 ** 2,
  /** The specification requires at least 16; the Go implementation accepts as many as this. */
  signatures: 100,
}

/** Null: the bytes are not a signed note. */
export function readNote(bytes: Uint8Array): SignedNote | null {
  if (bytes.length > noteLimits.bytes) return null
  const whole = textOf(bytes)
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (whole === null || /[\u0000-\u0009\u000b-\u001f]/.test(whole)) return null
  const split = whole.lastIndexOf('\n\n')
  if (split < 0) return null
  const signatures = readSignatureLines(whole.slice(split + 2))
  return signatures && { text: whole.slice(0, split + 1), signatures }
}

/** Reads signature lines alone, as a witness returns them. Null: one of the lines is not a signature. */
export function readSignatureLines(text: string): NoteSignature[] | null {
  if (!text.endsWith('\n')) return null
  const lines = text.slice(0, -1).split('\n')
  if (lines.length > noteLimits.signatures) return null
  const signatures: NoteSignature[] = []
  for (const line of lines) {
    const [, name, base64] = /^— ([^ ]+) ([^ ]+)$/u.exec(line) ?? []
    const bytes = base64 === undefined ? null : fromBase64(base64)
    if (name === undefined || !isKeyName(name) || bytes === null || bytes.length < 5) return null
    signatures.push({ name, keyId: toHex(bytes.subarray(0, 4)), bytes: bytes.subarray(4) })
  }
  return signatures
}

export function writeNote({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map(signatureLine).join('')}`
}

export function signatureLine({ name, keyId, bytes }: NoteSignature): string {
  const id = Uint8Array.from(keyId.match(/../g)!, (digits) => Number.parseInt(digits, 16))
  return `— ${name} ${toBase64(joined([id, bytes]))}\n`
}

export function isKeyName(name: string): boolean {
  return name !== '' && !/[\p{White_Space}+]/u.test(name)
}

/** The supported kinds of signatures: over the text, and over the text with a time (c2sp.org/tlog-cosignature). */
export const keyTypes = { ed25519: 1, cosignature: 4 } as const

export type VerifierKey = { name: string; keyId: string; type: number; key: Uint8Array }

export function verifierKey(name: string, type: number, key: Uint8Array): VerifierKey {
  const named = joined([new TextEncoder().encode(`${name}\n`), Uint8Array.of(type), key])
  return { name, type, key, keyId: toHex(hash('sha-256', named).subarray(0, 4)) }
}

/** Reads `name+id+base64 of the type and the key`. Null: the text has another form, or the id of another key. */
export function readVerifierKey(text: string): VerifierKey | null {
  const [, name, keyId, base64] = /^([^+]+)\+([0-9a-fA-F]{8})\+(.+)$/u.exec(text) ?? []
  const bytes = base64 === undefined ? null : fromBase64(base64)
  if (name === undefined || !isKeyName(name) || bytes === null || bytes.length < 2) return null
  const read = verifierKey(name, bytes[0]!, bytes.subarray(1))
  const isKnown = read.type === keyTypes.ed25519 || read.type === keyTypes.cosignature
  if (isKnown && read.key.length !== 32) return null
  return read.keyId === keyId!.toLowerCase() ? read : null
}

export function writeVerifierKey({ name, keyId, type, key }: VerifierKey): string {
  return `${name}+${keyId}+${toBase64(joined([Uint8Array.of(type), key]))}`
}

/** Names and ids may be chosen to collide, so only verification with the key itself decides. */
export function isBy(signature: NoteSignature, { name, keyId }: VerifierKey): boolean {
  return signature.name === name && signature.keyId === keyId
}

export function isSameKey(one: VerifierKey, other: VerifierKey): boolean {
  return isSame(one.key, other.key)
}

export type VerifiedSignature = {
  isRight: boolean
  /** The time that a co-signature states, in seconds since 1970. */
  time: bigint | null
}

/** Null: signatures of this type are not supported, so they cannot be judged. */
export async function verifyNoteSignature(
  text: string,
  { bytes }: NoteSignature,
  { type, key }: VerifierKey,
): Promise<VerifiedSignature | null> {
  const spki = ed25519Spki(key)
  const encoder = new TextEncoder()
  switch (type) {
    case keyTypes.ed25519:
      return { isRight: await verifyEd25519(spki, encoder.encode(text), bytes), time: null }
    case keyTypes.cosignature: {
      if (bytes.length !== 72) return { isRight: false, time: null }
      const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)
      if (time > 2n ** 63n - 1n) return { isRight: false, time: null }
      const message = encoder.encode(cosignedText(text, time))
      return { isRight: await verifyEd25519(spki, message, bytes.subarray(8)), time }
    }
    default:
      return null
  }
}

/** The text that a witness signs. */
export function cosignedText(text: string, time: bigint): string {
  return `cosignature/v1\ntime ${time}\n${text}`
}

/** The signature of a co-signature: its time, then Ed25519. */
export function cosignatureBytes(time: bigint, signature: Uint8Array): Uint8Array {
  const seconds = new Uint8Array(8)
  new DataView(seconds.buffer).setBigUint64(0, time)
  return joined([seconds, signature])
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
