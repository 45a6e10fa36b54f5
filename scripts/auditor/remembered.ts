/** What a witness remembers of a log, requested from the witness itself so that nobody in between can change it. */
import { createHash } from 'node:crypto'
import { examineCheckpoint } from '@kelisim/signature/transparency/checkpoint.ts'
import type { VerifierKey } from '@kelisim/signature/transparency/note.ts'
import { bytesAt } from './bytes-at.ts'

export type Remembered = { by: string; size: number; root: Uint8Array } | { by: string; reason: string }

export async function rememberedBy(
  witness: { key: VerifierKey; url: URL },
  log: VerifierKey,
  now: Date,
): Promise<Remembered> {
  const by = witness.key.name
  const id = createHash('sha256').update(log.name).digest('hex')
  const base = witness.url.href.endsWith('/') ? witness.url : new URL(`${witness.url.href}/`)
  let note: Uint8Array
  try {
    note = await bytesAt(new URL(`latest/${id}`, base))
  } catch (error) {
    return { by, reason: error instanceof Error ? error.message : String(error) }
  }
  const { findings, checkpoint } = await examineCheckpoint(note, {
    keys: [log],
    witnesses: [witness.key],
    quorum: 1,
    at: now,
  })
  if (findings.length > 0 || !checkpoint) return { by, reason: `its note is wrong: ${findings.join(', ')}` }
  return { by, size: Number(checkpoint.size), root: checkpoint.root }
}
