/** The head of the log in a bundle as a signed note, and which known witnesses co-signed it. */
import { ed25519KeyIn } from '../algorithms/ed25519.ts'
import { isSame } from '../asn1/values.ts'
import { examineCheckpoint, readCheckpoint } from '../transparency/checkpoint.ts'
import { keyTypes, readNote, verifierKey, type VerifierKey } from '../transparency/note.ts'
import { bundleFiles, type BundleReader } from './bundle.ts'
import type { BundleFault } from './bundle-fault.ts'
import type { LogHead } from './check-history.ts'
import { readWhole } from './reading.ts'

export type CheckedCheckpoint = { faults: BundleFault[]; witnessedBy: { name: string; at: Date }[] }

/**
 * Bundles from before there were witnesses have no such note. Since the maker of a bundle could also leave the note
 * out, a bundle without it is reported as witnessed by nobody.
 */
export async function checkCheckpoint(
  files: BundleReader,
  {
    head,
    key,
    witnesses,
    at,
  }: { head: LogHead; key: Uint8Array; witnesses: readonly VerifierKey[]; at: Date },
): Promise<CheckedCheckpoint> {
  const name = bundleFiles.checkpoint
  if (!files.names.includes(name)) return { faults: [], witnessedBy: [] }
  const wrong: CheckedCheckpoint = { faults: [{ fault: 'checkpoint-other', of: name }], witnessedBy: [] }
  const bytes = await readWhole(files, name)
  const note = readNote(bytes)
  const checkpoint = note && readCheckpoint(note.text)
  if (!checkpoint) return wrong
  const isSameTree = checkpoint.size === BigInt(head.size) && isSame(checkpoint.root, head.root)
  const ofLog = verifierKey(checkpoint.origin, keyTypes.ed25519, ed25519KeyIn(key))
  const { findings, witnessedBy } = await examineCheckpoint(bytes, {
    keys: [ofLog],
    witnesses,
    quorum: 0,
    at,
  })
  return isSameTree && findings.length === 0 ? { faults: [], witnessedBy } : wrong
}
