/** The history of a request as the transparency log has it, line by line, with the proof of each. */
import type { Db } from '@kelisim/db/db.ts'
import { canonicalJson } from '@kelisim/domain/transparency/canonical.ts'
import { isOpen, namesOf } from '@kelisim/domain/transparency/entry.ts'
import { entryOf, eventsToLog, leafOf, loggedEvent, type EventToLog } from '../../transparency/log.ts'
import { inclusionProofs } from '../../transparency/tree.ts'

export type Told = {
  requestId: string
  /** Up to this number: what happens while the bundle is made is not in it. */
  last: number
  /** Points of which whoever asked is told nothing. */
  hidden: readonly string[]
}

/** As many as are held at once. */
const batch = 200

export async function* entryLines(db: Db, told: Told): AsyncGenerator<Uint8Array> {
  for await (const events of batches(db, told)) {
    yield Buffer.from(events.map((event) => `${lineOf(event)}\n`).join(''))
  }
}

/** `number leaf hash sibling…`: what a shell can read too. */
export async function* proofLines(db: Db, told: Told, treeSize: number): AsyncGenerator<Uint8Array> {
  for await (const events of batches(db, told)) {
    const leaves = events.map(({ index }) => index)
    const proofs = await inclusionProofs(db, leaves, treeSize)
    const lines = events.map((event, i) => {
      const hashes = [leafOf(event), ...proofs[i]!].map((hash) => Buffer.from(hash).toString('hex'))
      return `${[event.number, event.index, ...hashes].join(' ')}\n`
    })
    yield Buffer.from(lines.join(''))
  }
}

export async function countTold(db: Db, { requestId, last, hidden }: Told): Promise<number> {
  const { count } = await db
    .selectFrom('requestEvents as e')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('e.requestId', '=', requestId)
    .where('e.number', '<=', last)
    .$if(hidden.length > 0, (query) =>
      query.where((eb) => eb.or([eb('e.pointId', 'is', null), eb('e.pointId', 'not in', hidden)])),
    )
    .executeTakeFirstOrThrow()
  return count
}

/** Which signatures had been accepted by then. */
export async function acceptedBy(db: Db, { requestId, last }: Told): Promise<Set<string>> {
  const rows = await db
    .selectFrom('requestEvents')
    .select('data')
    .where('requestId', '=', requestId)
    .where('number', '<=', last)
    .where('type', '=', 'signature-accepted')
    .execute()
  return new Set(rows.map(({ data }) => String(data['signatureId'])))
}

async function* batches(db: Db, { requestId, last, hidden }: Told) {
  for (let from = 0; ;) {
    const events = await eventsToLog(db)
      .innerJoin('logEntries as l', (join) =>
        join.onRef('l.requestId', '=', 'e.requestId').onRef('l.number', '=', 'e.number'),
      )
      .select('l.index')
      .where('e.requestId', '=', requestId)
      .where('e.number', '>', from)
      .where('e.number', '<=', last)
      .$if(hidden.length > 0, (query) =>
        query.where((eb) => eb.or([eb('e.pointId', 'is', null), eb('e.pointId', 'not in', hidden)])),
      )
      .orderBy('e.number')
      .limit(batch)
      .execute()
    if (events.length === 0) return
    yield events
    from = events.at(-1)!.number
  }
}

/** The very text that was hashed; where that names what is not for others, a text that says it was shortened. */
function lineOf(row: EventToLog): string {
  const event = loggedEvent(row)
  if (isOpen(event)) return entryOf(row)
  const { at, actor, address: _, salt: __, ...facts } = event
  return canonicalJson({ ...facts, shortened: true, at: at.toISOString(), actor: namesOf(actor) })
}
