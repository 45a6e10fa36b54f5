/**
 * Audits a log without any rights in the installation: compares its published head and tiles with what its witnesses
 * remember, what this auditor saw before, and the bundles that somebody holds.
 */
import { examineCheckpoint } from '@kelisim/signature/transparency/checkpoint.ts'
import type { VerifierKey } from '@kelisim/signature/transparency/note.ts'
import { rebuildFromTiles, tilePath } from '@kelisim/signature/transparency/tiles.ts'
import { bytesAt } from './bytes-at.ts'
import { rememberedBy } from './remembered.ts'

/** A head that somebody holds: this auditor from an earlier run, a bundle, or a witness. */
export type HeldHead = { by: string; size: number; root: Uint8Array }

export type PublishedFault =
  | { fault: 'head-wrong'; findings: string[] }
  | { fault: 'tiles-other'; size: number }
  | { fault: 'tile-damaged' | 'tile-other'; path: string }
  /** Somebody holds a head of another tree, or of a larger one than is published. */
  | { fault: 'rewritten' | 'set-back'; size: number; by: string }

export type PublishedAudit = {
  size: number
  note: string
  compared: string[]
  silent: { by: string; reason: string }[]
  faults: PublishedFault[]
}

export async function auditPublished(
  address: URL,
  {
    key,
    witnesses,
    quorum,
    held,
    now,
  }: {
    key: VerifierKey
    witnesses: readonly { key: VerifierKey; url: URL }[]
    quorum: number
    held: readonly HeldHead[]
    now: Date
  },
): Promise<PublishedAudit> {
  // Witnesses are asked before the head is read: a head that they saw after it would look larger than the published
  // log.
  const asked = await Promise.all(witnesses.map((witness) => rememberedBy(witness, key, now)))
  const known = [...held, ...asked.flatMap((one) => ('size' in one ? [one] : []))]
  const silent = asked.flatMap((one) => ('reason' in one ? [one] : []))
  const noteBytes = await bytesAt(new URL('/log/checkpoint', address))
  const { findings, checkpoint } = await examineCheckpoint(noteBytes, {
    keys: [key],
    witnesses: witnesses.map((witness) => witness.key),
    quorum,
    at: now,
  })
  const note = new TextDecoder().decode(noteBytes)
  const faults: PublishedFault[] = findings.length > 0 ? [{ fault: 'head-wrong', findings }] : []
  const compared = known.map(({ by }) => by)
  if (!checkpoint) return { size: 0, note, compared, silent, faults }
  const size = Number(checkpoint.size)
  const roots = new Map<number, Uint8Array>()
  const wanted = new Set(known.map((head) => head.size))
  const rebuilt = await rebuildFromTiles(
    size,
    (tile) => bytesAt(new URL(`/log/tile/${tilePath(tile)}`, address)),
    (index, _, root) => {
      if (wanted.has(index + 1)) roots.set(index + 1, root())
    },
  )
  faults.push(...rebuilt.faults)
  if (!isSame(rebuilt.root, checkpoint.root)) faults.push({ fault: 'tiles-other', size })
  for (const { by, size: of, root } of known) {
    if (of > size) faults.push({ fault: 'set-back', size: of, by })
    // Behind a damaged tile there is no root to compare with.
    const found = roots.get(of)
    if (of > 0 && found && !isSame(found, root)) faults.push({ fault: 'rewritten', size: of, by })
  }
  return { size, note, compared, silent, faults }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(other)
}
