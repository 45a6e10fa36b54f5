/**
 * Checkpoints (c2sp.org/tlog-checkpoint): signed notes that state how large the tree of a log is and what its root
 * is. They are signed by the log and co-signed by witnesses who have compared the tree with everything that they saw
 * of this log before.
 */
import type { Finding } from '../findings/findings.ts'
import { isSame } from '../asn1/values.ts'
import { clockAllowance } from '../time/durations.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { emptyRoot } from './merkle.ts'
import {
  isBy,
  isSameKey,
  keyTypes,
  readNote,
  verifyNoteSignature,
  type SignedNote,
  type VerifierKey,
} from './note.ts'

export type Checkpoint = {
  /** The name of the log. */
  origin: string
  size: bigint
  root: Uint8Array
  /** Further lines, whose meaning only the log knows. */
  extensions: string[]
}

/** Null: the text of the note is not a checkpoint. */
export function readCheckpoint(text: string): Checkpoint | null {
  if (!text.endsWith('\n')) return null
  const [origin, size, root, ...extensions] = text.slice(0, -1).split('\n')
  if (!origin || size === undefined || root === undefined || extensions.includes('')) return null
  if (!/^(0|[1-9][0-9]{0,19})$/.test(size) || BigInt(size) >= 2n ** 64n) return null
  const hash = fromBase64(root)
  if (hash?.length !== 32) return null
  // The tree without leaves has only one root.
  if (size === '0' && !isSame(hash, emptyRoot())) return null
  return { origin, size: BigInt(size), root: hash, extensions }
}

export function writeCheckpoint({ origin, size, root, extensions }: Checkpoint): string {
  return [origin, `${size}`, toBase64(root), ...extensions].map((line) => `${line}\n`).join('')
}

export type CheckpointSetting = {
  /** The keys of logs; null stands for a key that cannot be read. */
  keys: readonly (VerifierKey | null)[]
  /** The keys of witnesses, and how many different witnesses must have co-signed (by default all). */
  witnesses?: readonly (VerifierKey | null)[]
  quorum?: number
  /** The time of the check; later co-signatures do not count. */
  at: Date
}

export type CheckpointExamination = {
  findings: Finding[]
  /** Null: the bytes are not a checkpoint. */
  checkpoint: Checkpoint | null
  /** The names of known keys by which the log has signed. */
  signedBy: string[]
  witnessedBy: { name: string; at: Date }[]
}

/** Like the engine it reports findings and does not judge; no content makes it throw. */
export async function examineCheckpoint(
  bytes: Uint8Array,
  setting: CheckpointSetting,
): Promise<CheckpointExamination> {
  const note = readNote(bytes)
  const checkpoint = note && readCheckpoint(note.text)
  if (!note || !checkpoint) {
    return { findings: ['damaged'], checkpoint: null, signedBy: [], witnessedBy: [] }
  }
  const findings: Finding[] = []
  const { witnesses = [], quorum = witnesses.length } = setting
  if ([...setting.keys, ...witnesses].includes(null)) findings.push('bad-key')

  const ofLog = await signaturesBy(note, readable(setting.keys))
  // If one of the keys has the name of this log, no other log may sign for it.
  const isNamed = readable(setting.keys).some(({ name }) => name === checkpoint.origin)
  const signed = ofLog.filter(({ isRight, by }) => isRight && (!isNamed || by.name === checkpoint.origin))
  if (signed.length === 0) findings.push('log-key-unknown')

  const ofWitnesses = await signaturesBy(note, readable(witnesses))
  if ([...ofLog, ...ofWitnesses].some(({ isRight }) => !isRight)) findings.push('wrong-signature')
  const counted = differentWitnesses(ofWitnesses, readable(setting.keys), setting.at)
  if (counted.length < quorum) findings.push('witnesses-too-few')
  return {
    findings,
    checkpoint,
    signedBy: [...new Set(signed.map(({ by }) => by.name))],
    witnessedBy: counted.map(({ by, time }) => ({ name: by.name, at: new Date(Number(time) * 1000) })),
  }
}

type CheckedSignature = { by: VerifierKey; isRight: boolean; time: bigint | null }

/**
 * Verifies the signatures by known keys. Signatures by other keys say nothing, and those of an unknown type cannot be
 * verified.
 */
async function signaturesBy(note: SignedNote, keys: readonly VerifierKey[]): Promise<CheckedSignature[]> {
  const checked: CheckedSignature[] = []
  for (const signature of note.signatures) {
    for (const by of keys.filter((key) => isBy(signature, key))) {
      const verified = await verifyNoteSignature(note.text, signature, by)
      if (verified) checked.push({ by, ...verified })
    }
  }
  return checked
}

/** Counts each witness once, whatever names and keys it uses; the log is not a witness of itself. */
function differentWitnesses(
  signatures: readonly CheckedSignature[],
  ofLog: readonly VerifierKey[],
  at: Date,
): CheckedSignature[] {
  const latest = BigInt(Math.floor((at.getTime() + clockAllowance) / 1000))
  const counted: CheckedSignature[] = []
  for (const one of signatures) {
    const isCosignature = one.isRight && one.by.type === keyTypes.cosignature
    if (!isCosignature || one.time === null || one.time > latest) continue
    if (ofLog.some((key) => isSameKey(key, one.by))) continue
    if (counted.some(({ by }) => by.name === one.by.name || isSameKey(by, one.by))) continue
    counted.push(one)
  }
  return counted
}

function readable(keys: readonly (VerifierKey | null)[]): VerifierKey[] {
  return keys.filter((key) => key !== null)
}
