/** The history of a request as lines of text: the entries of the transparency log, and the proof of each. */
import type { Db } from '@kelisim/db/db.ts'
import { canonicalJson } from '@kelisim/domain/transparency/canonical.ts'
import { isOpen, namesOf } from '@kelisim/domain/transparency/entry.ts'
import { entryOf, leafOf, loggedEvent } from '../../transparency/log.ts'
import type { EventToLog } from '../../transparency/queries.ts'
import { inclusionProofs } from '../../transparency/tree.ts'
import { findLoggedEvents, type BundledHistory } from './queries.ts'

/** How many events are held in memory at once. */
const batch = 200

export async function* entryLines(db: Db, history: BundledHistory): AsyncGenerator<Uint8Array> {
  for await (const events of batches(db, history)) {
    yield Buffer.from(events.map((event) => `${lineOf(event)}\n`).join(''))
  }
}

/** Lines of `number index hash sibling…`, which a shell script can read. */
export async function* proofLines(
  db: Db,
  history: BundledHistory,
  treeSize: number,
): AsyncGenerator<Uint8Array> {
  for await (const events of batches(db, history)) {
    const leaves = events.map(({ index }) => index)
    const proofs = await inclusionProofs(db, leaves, treeSize)
    const lines = events.map((event, i) => {
      const hashes = [leafOf(event), ...proofs[i]!].map((hash) => Buffer.from(hash).toString('hex'))
      return `${[event.number, event.index, ...hashes].join(' ')}\n`
    })
    yield Buffer.from(lines.join(''))
  }
}

async function* batches(db: Db, history: BundledHistory) {
  for (let after = 0; ;) {
    const events = await findLoggedEvents(db, history, { after, limit: batch })
    if (events.length === 0) return
    yield events
    after = events.at(-1)!.number
  }
}

/** The text that was hashed. If it contains personal data, a shortened text that is marked as such. */
function lineOf(row: EventToLog): string {
  const event = loggedEvent(row)
  if (isOpen(event)) return entryOf(row)
  const { at, actor, address: _, salt: __, ...facts } = event
  return canonicalJson({ ...facts, shortened: true, at: at.toISOString(), actor: namesOf(actor) })
}
