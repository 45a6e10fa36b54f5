/**
 * Checks the history of a request against the transparency log: every line is a leaf of the tree whose root was signed.
 */
import { toHex } from '../asn1/values.ts'
import { isIncluded, leafHash } from '../transparency/merkle.ts'
import { bundleFiles, type BundleManifest, type BundleReader } from './bundle.ts'
import { areTexts, isCount, isHash, isRecord, isTime, parsedJson } from './read-manifest.ts'
import { linesOf } from './reading.ts'
import type { BundleFault } from './bundle-fault.ts'

export type LogHead = { size: number; root: Uint8Array; at: Date; log: string }

/** Parses a signed head in its only form. */
export function readHead(bytes: Uint8Array): LogHead | null {
  const head = parsedJson(bytes)
  if (!isRecord(head) || head['version'] !== 1 || Object.keys(head).length !== 5) return null
  const { size, root, at, log } = head
  if (!isCount(size) || !isHash(root) || !isTime(at) || !isHash(log)) return null
  return { size, root: bytesOf(root), at: new Date(at), log }
}

/** The acceptance of a signature, as recorded in the log. */
export type LoggedSignature = {
  id: string
  attempt: number
  /** The revision of the document that was signed; every correction adds one. */
  revision: number
  at: Date
  cms: string
  timestampedCms: string | null
  /** The name in the certificate, as the product read it; null: not recorded. */
  owner: string | null
  pointId: string | null
  /** The power of attorney under which it was accepted. */
  power: NamedPower | null
}

export type NamedPower = { number: string; validFrom: string; validUntil: string }

/** How the request was sent, as recorded in the log; entries of earlier versions of the product do not say it. */
export type LoggedSending = {
  name: string
  /** `confirmedAt` is when the sender proved its number by its key. */
  sender: { name: string; bin: string; confirmedAt: string | null }
  sides: { pointId: string; name: string; bin: string }[]
}

export type CheckedHistory = {
  faults: BundleFault[]
  /** Proved to be in the log, word for word. */
  events: number
  /** The leaf of these events is in the log, but nothing binds the text that is shown to it. */
  shortened: number
  accepted: LoggedSignature[]
  /** When signatures were received, by their ids. */
  received: Map<string, Date>
  sending: LoggedSending | null
}

export async function checkHistory(
  files: BundleReader,
  manifest: BundleManifest,
  head: LogHead | null,
): Promise<CheckedHistory> {
  const checked: CheckedHistory = {
    faults: [],
    events: 0,
    shortened: 0,
    accepted: [],
    received: new Map(),
    sending: null,
  }
  const documents = new Map(
    manifest.documents.map(({ attempt, file }) => [attempt, manifest.files[file]?.sha256]),
  )
  const revisions = [...(manifest.earlier ?? []).map(({ sha256 }) => sha256), documents.get(0)]
  let revision = 1
  const incomplete: BundleFault = { fault: 'history-incomplete', of: bundleFiles.entries }
  const proofs = linesOf(files, bundleFiles.proofs)
  let count = 0
  let before = 0
  for await (const line of linesOf(files, bundleFiles.entries)) {
    const { value: proofLine } = await proofs.next()
    const proof = proofLine ? proofOf(proofLine) : null
    const entry = line && parsedJson(line)
    if (!line || !proof || !isRecord(entry) || !isCount(entry['number'])) {
      checked.faults.push(incomplete)
      return checked
    }
    const { number } = entry
    const of = String(number)
    const fault = (name: BundleFault['fault']) => checked.faults.push({ fault: name, of })
    count++
    if (number <= before || number > manifest.history.events || number !== proof.number)
      fault('history-incomplete')
    before = number
    // Entries from before private data was hashed are shown shortened: only their leaf is proved, and not this text.
    const isShortened = entry['shortened'] === true
    const isText = toHex(leafHash(line)) === proof.hash
    // entries of the system contain nothing private, so nobody has a reason to shorten them
    const isAllowed = isText || (isShortened && entry['actor'] !== null)
    if (!isAllowed || entry['requestId'] !== manifest.request.id) fault('entry-changed')
    const isInTree =
      head !== null &&
      isIncluded(bytesOf(proof.hash), {
        leaf: proof.leaf,
        size: head.size,
        root: head.root,
        proof: proof.path.map(bytesOf),
      })
    if (!isInTree) fault('entry-not-in-log')
    if (isInTree && !isText && isAllowed) checked.shortened++
    if (isInTree && isText) checked.events++
    if (!isText || !isInTree) continue
    const { attempt, document } = entry
    if (entry['type'] === 'corrected') revision++
    const expected = attempt === 0 ? revisions[revision - 1] : documents.get(Number(attempt))
    if (!isCount(attempt) || expected !== document) fault('document-not-in-log')
    const accepted = acceptedIn(entry, revision)
    if (accepted) checked.accepted.push(accepted)
    checked.sending ??= sendingIn(entry)
    if (checked.sending) checked.sending.sides.push(...newSidesIn(entry))
    const received = receivedIn(entry)
    if (received) checked.received.set(received.id, received.at)
  }
  if (revision !== revisions.length && checked.faults.length === 0) {
    checked.faults.push({ fault: 'document-not-in-log', of: bundleFiles.manifest })
  }
  const isProofLeft = !(await proofs.next()).done
  if (isProofLeft || count === 0 || count + manifest.history.leftOut !== manifest.history.events) {
    checked.faults.push(incomplete)
  }
  return checked
}

type Proof = { number: number; leaf: number; hash: string; path: string[] }

/** `number leaf hash sibling…`, separated by single spaces. */
function proofOf(line: Uint8Array): Proof | null {
  const [number, leaf, hash, ...path] = new TextDecoder().decode(line).split(' ')
  const isNumber = (text: string | undefined) => text !== undefined && /^(0|[1-9]\d{0,15})$/.test(text)
  if (!isNumber(number) || !isNumber(leaf) || ![hash, ...path].every(isHash)) return null
  return { number: Number(number), leaf: Number(leaf), hash: hash!, path }
}

function acceptedIn(entry: Record<string, unknown>, revision: number): LoggedSignature | null {
  const { type, data, attempt, at, signature, timestampedSignature, pointId } = entry
  if (type !== 'signature-accepted' || !isRecord(data) || typeof data['signatureId'] !== 'string') return null
  if (!isCount(attempt) || !isTime(at) || !isHash(signature)) return null
  return {
    id: data['signatureId'],
    attempt,
    revision,
    at: new Date(at),
    cms: signature,
    timestampedCms: isHash(timestampedSignature) ? timestampedSignature : null,
    owner: typeof data['owner'] === 'string' ? data['owner'] : null,
    pointId: typeof pointId === 'string' ? pointId : null,
    power: powerIn(data['power']),
  }
}

function powerIn(power: unknown): NamedPower | null {
  if (!isRecord(power) || !areTexts(power, 'number', 'validFrom', 'validUntil')) return null
  const { number, validFrom, validUntil } = power as NamedPower
  return { number, validFrom, validUntil }
}

function sendingIn({ type, data }: Record<string, unknown>): LoggedSending | null {
  if (type !== 'sent' || !isRecord(data) || typeof data['name'] !== 'string') return null
  const { name, sender, sides } = data
  if (!isRecord(sender) || !areTexts(sender, 'name', 'bin') || !Array.isArray(sides)) return null
  const { confirmedAt } = sender
  if (confirmedAt !== null && !isTime(confirmedAt)) return null
  const { name: senderName, bin } = sender as { name: string; bin: string }
  return { name, sender: { name: senderName, bin, confirmedAt }, sides: sides.flatMap(sideIn) }
}

/** Sides that the author added after sending. A side that was removed again has signed nothing. */
function newSidesIn({ type, data }: Record<string, unknown>): LoggedSending['sides'] {
  if (type !== 'sides-changed' || !isRecord(data) || !Array.isArray(data['sides'])) return []
  return data['sides'].flatMap(sideIn)
}

function sideIn(side: unknown): LoggedSending['sides'] {
  if (!isRecord(side) || !areTexts(side, 'pointId', 'name', 'bin')) return []
  const { pointId, name, bin } = side as LoggedSending['sides'][number]
  return [{ pointId, name, bin }]
}

function receivedIn({ type, data, at }: Record<string, unknown>): { id: string; at: Date } | null {
  if (type !== 'signature-taken' || !isRecord(data) || typeof data['signatureId'] !== 'string') return null
  return isTime(at) ? { id: data['signatureId'], at: new Date(at) } : null
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16))
}
