/** SQL of the heads of the log as signed notes, and of their co-signatures. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { witnessFailures } from '@kelisim/domain/transparency/contract.ts'

/** `note` has only the signature of the log; `lines` are those of witnesses. */
export type KeptCheckpoint = { size: number; note: string; lines: string[] }

export async function addCheckpoint(tx: Tx, checkpoint: { size: number; note: string }): Promise<void> {
  await tx
    .insertInto('logCheckpoints')
    .values(checkpoint)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function checkpoints(db: Db) {
  return db
    .selectFrom('logCheckpoints as c')
    .select(['c.size', 'c.note'])
    .select(
      sql<string[]>`array(select l.line from log_cosignatures l where l.size = c.size order by l.witness)`.as(
        'lines',
      ),
    )
}

export function findCheckpoint(db: Db, size: number): Promise<KeptCheckpoint | undefined> {
  return checkpoints(db).where('c.size', '=', size).executeTakeFirst()
}

export function findNewestCheckpoint(db: Db): Promise<KeptCheckpoint | undefined> {
  return checkpoints(db).orderBy('c.size', 'desc').limit(1).executeTakeFirst()
}

export function findCheckpoints(db: Db): Promise<KeptCheckpoint[]> {
  return checkpoints(db).orderBy('c.size').execute()
}

export type WitnessFailure = (typeof witnessFailures)[number]

/** Stores the response of a witness: its co-signature, or why there is none. */
export async function noteWitness(
  tx: Tx,
  answer: {
    name: string
    size: number
    line: string | null
    at: Date | null
    failure: WitnessFailure | null
    now: Date
  },
): Promise<void> {
  const { name, size, line, at, failure, now } = answer
  if (line !== null && at !== null) {
    await tx
      .insertInto('logCosignatures')
      .values({ size, witness: name, line, at })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await tx
    .insertInto('logWitnesses')
    .values({ name, askedAt: now, failure })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ askedAt: now, failure }))
    .execute()
}

/** The largest head that this witness has co-signed; 0: none. */
export async function findCosignedSize(db: Db, witness: string): Promise<number> {
  const row = await db
    .selectFrom('logCosignatures')
    .select((eb) => eb.fn.max('size').as('size'))
    .where('witness', '=', witness)
    .executeTakeFirst()
  return row?.size ?? 0
}

/** The newest head of at least this size that as many as `quorum` of these witnesses have co-signed. */
export function findWitnessed(
  db: Db,
  witnesses: readonly string[],
  quorum: number,
  atLeast = 0,
): Promise<KeptCheckpoint | undefined> {
  return checkpoints(db)
    .where('c.size', '>=', atLeast)
    .where(
      sql<boolean>`(select count(*) from log_cosignatures l
        where l.size = c.size and l.witness = any(${witnesses}::text[])) >= ${quorum}`,
    )
    .orderBy('c.size', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Each witness that was ever asked, with its last co-signature and the outcome of the last request. */
export function findWitnesses(db: Db) {
  return db
    .selectFrom('logWitnesses as w')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('logCosignatures as l')
          .select(['l.size', 'l.at'])
          .whereRef('l.witness', '=', 'w.name')
          .orderBy('l.size', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['w.name', 'w.askedAt', 'w.failure', 'last.size', 'last.at'])
    .orderBy('w.name')
    .execute()
}

/** The smallest tree that contains every event of a request. */
export async function findSizeWith(db: Db, requestId: string): Promise<number> {
  const row = await db
    .selectFrom('logEntries')
    .select((eb) => eb.fn.max('index').as('last'))
    .where('requestId', '=', requestId)
    .executeTakeFirst()
  return row?.last === null || row?.last === undefined ? 0 : row.last + 1
}
