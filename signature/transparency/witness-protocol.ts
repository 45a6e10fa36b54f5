/**
 * The messages between a log and a witness (c2sp.org/tlog-witness): the log sends a new head with the proof that it
 * continues the head that the witness has seen last; the witness compares, stores and co-signs it.
 *
 *   old 20852014                                       the size that the witness has seen
 *   PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=       the proof, a hash on each line
 *
 *   kelisim.example/log                                the new head as a signed note
 *   …
 */
import { isSame } from '../asn1/values.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { readCheckpoint, type Checkpoint } from './checkpoint.ts'
import { isConsistent } from './merkle.ts'
import {
  isBy,
  noteLimits,
  readNote,
  verifyNoteSignature,
  writeNote,
  type NoteSignature,
  type SignedNote,
  type VerifierKey,
} from './note.ts'

export type Submission = { oldSize: number; proof: Uint8Array[]; note: SignedNote; checkpoint: Checkpoint }

/** More hashes than a proof for any tree needs. */
const longestProof = 63

export function writeSubmission(oldSize: number, proof: readonly Uint8Array[], note: string): string {
  return `old ${oldSize}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${note}`
}

/** Null: the submission is malformed. */
export function readSubmission(bytes: Uint8Array): Submission | null {
  if (bytes.length > noteLimits.bytes) return null
  const end = bytes.findIndex((byte, i) => byte === 0x0a && bytes[i + 1] === 0x0a)
  if (end < 0) return null
  const [first = '', ...lines] = new TextDecoder().decode(bytes.subarray(0, end)).split('\n')
  const [, digits] = /^old (0|[1-9]\d{0,15})$/.exec(first) ?? []
  const proof = lines.map(fromBase64)
  const isProof = lines.length <= longestProof && proof.every((hash) => hash?.length === 32)
  const note = readNote(bytes.subarray(end + 2))
  const checkpoint = note && readCheckpoint(note.text)
  if (digits === undefined || !isProof || !note || !checkpoint) return null
  // Trees of such a size could not be compared exactly.
  if (!Number.isSafeInteger(Number(digits)) || checkpoint.size > BigInt(Number.MAX_SAFE_INTEGER)) return null
  return { oldSize: Number(digits), proof: proof as Uint8Array[], note, checkpoint }
}

/** What a witness stores of a log. */
export type SeenHead = { size: number; root: Uint8Array }

/**
 * A head that the log has signed and that the witness does not co-sign. `conflict`: it is another tree of the size that
 * the witness has seen, which is proof against the log. `unproven`: the sent proof does not show that it continues what
 * the witness has seen. The log may be rewritten, or somebody else has sent one of its heads with a wrong proof.
 */
export type RefusedHead = SeenHead & {
  kind: 'conflict' | 'unproven'
  origin: string
  /** What was sent, without the signatures of others, which anybody can add. */
  submission: string
}

export type WitnessAnswer =
  | { status: 400 | 403 | 404 | 422 }
  /** The witness has seen another size, which it returns. */
  | { status: 409; size: number }
  | { status: 409 | 422; size: number; refused: RefusedHead }
  | {
      status: 200
      head: SeenHead
      text: string
      origin: string
      /** The log's signatures, to be stored as proof. */
      ofLog: NoteSignature[]
    }

export type WitnessKnowledge = {
  /** The keys of a log; undefined: this witness does not serve the log. */
  keysOf: (origin: string) => readonly VerifierKey[] | undefined
  /** Undefined: nothing of the log was co-signed yet. */
  seenOf: (origin: string) => SeenHead | undefined
}

/** The response of a witness. With status 200 the caller must store the head before it signs the text. */
export async function answerSubmission(
  bytes: Uint8Array,
  { keysOf, seenOf }: WitnessKnowledge,
): Promise<WitnessAnswer> {
  const submission = readSubmission(bytes)
  if (!submission) return { status: 400 }
  const { oldSize, proof, note, checkpoint } = submission
  const { origin, root } = checkpoint
  const size = Number(checkpoint.size)
  const keys = keysOf(origin)
  if (!keys) return { status: 404 }
  const ofLog = await signaturesOf(note, keys)
  if (ofLog.length === 0) return { status: 403 }
  if (oldSize > size) return { status: 400 }
  const seen = seenOf(origin)
  if (oldSize !== (seen?.size ?? 0)) return { status: 409, size: seen?.size ?? 0 }
  // Every tree continues the empty one, so a first submission needs no proof.
  if (!seen && proof.length > 0) return { status: 422 }
  if (seen && !isConsistent(seen, { size, root }, proof)) {
    const signed = writeNote({ text: note.text, signatures: ofLog })
    const refused = { origin, size, root, submission: writeSubmission(oldSize, proof, signed) }
    if (seen.size < size) return { status: 422, size: seen.size, refused: { ...refused, kind: 'unproven' } }
    if (isSame(seen.root, root)) return { status: 422 }
    return { status: 409, size: seen.size, refused: { ...refused, kind: 'conflict' } }
  }
  return { status: 200, head: { size, root }, text: note.text, origin, ofLog }
}

/** The signatures by known keys; none if one of them is wrong. */
async function signaturesOf(note: SignedNote, keys: readonly VerifierKey[]): Promise<NoteSignature[]> {
  const signatures: NoteSignature[] = []
  for (const signature of note.signatures) {
    for (const key of keys.filter((one) => isBy(signature, one))) {
      const verified = await verifyNoteSignature(note.text, signature, key)
      if (verified?.isRight === false) return []
      if (verified) signatures.push(signature)
    }
  }
  return signatures
}
