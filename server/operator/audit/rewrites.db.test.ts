/**
 * Somebody with the database, the files and the key of the log rewrites history, in every way that we can think of.
 * Every rewriting is found: by the auditor, who compares the stored data with itself and with what others remember,
 * or by a witness, who does not co-sign the next head.
 *
 *   rows    only the rows are changed
 *   tree    the tree of the log is made anew, so that it fits the changed rows
 *   heads   all heads are signed anew, too: within the installation nothing contradicts anything any more
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, type RawBuilder } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { Tx } from '@kelisim/db/db.ts'
import { tilePath, rangeOfTile, rebuildFromTiles, type Tile } from '@kelisim/signature/transparency/tiles.ts'
import { answerSubmission, writeSubmission } from '@kelisim/signature/transparency/witness-protocol.ts'
import { keyOf, type Borrowed } from '../../documents/storage/storage.ts'
import { startOutputsApp } from '../../outputs/testing-outputs.ts'
import { actingIn, statusOf } from '../../requests/core/testing-requests.ts'
import { publicUrl } from '../../testing.ts'
import type { KnownHead } from '../../transparency/audit.ts'
import { noteKeyOf, noteOfTree, originAt } from '../../transparency/checkpoints.ts'
import { keyIdOf, signedHead } from '../../transparency/heads.ts'
import { leafOf } from '../../transparency/log.ts'
import { eventsToLog, findLevel, sizeOfTree } from '../../transparency/queries.ts'
import { sequence } from '../../transparency/sequencing.ts'
import { submitToTest, testWitness } from '../../transparency/testing-witness.ts'
import { appendLeaves, consistencyProof, rootOfTree } from '../../transparency/tree.ts'
import { witnessHead } from '../../transparency/witnesses.ts'
import { auditAll } from './audit.ts'

const app = await startOutputsApp('rsa')
const { database, archive, time } = app
const log = { key: app.logKey, origin: originAt(publicUrl) }
const witness = testWitness('w.example/one', noteKeyOf(log), () => time.now)
const witnessing = { witnesses: [witness], quorum: 1, submit: submitToTest }
const folder = mkdtempSync(join(tmpdir(), 'kelisim-rewrites-'))
afterAll(() => rmSync(folder, { recursive: true }))

const a = (await app.contract({ name: 'Первый' })).id
const b = (await app.contract({ name: 'Второй' })).id
await witnessHead(database, log, witnessing, time.now)
const c = (await app.contract({ name: 'Третий' })).id
await app.terminate(c, 'sign')
// Rejected terminations and requests must not be reported as faults.
await app.terminate((await app.contract({ name: 'Остался в силе' })).id, 'reject')
const { result: unwanted } = await app.sender.send(app.route, { name: 'Отклонён' })
const refused = await actingIn(app).act(
  { ...app.ours, id: app.sender.colleague },
  unwanted,
  'InternalApprove',
  'reject',
  { comment: 'Не надо' },
)
expect(statusOf(refused.result)).toBe('Rejected')
await app.stampAll()
await sequence(database)
await witnessHead(database, log, witnessing, time.now)
const seen = witness.seen()!
const known: KnownHead[] = [{ by: witness.key.name, ...seen }]
const borrow = (key: string) => archive.storage.borrow(key)

const auditing = (storage = { borrow }, heads = known) => ({
  log,
  witnesses: [witness.key],
  known: heads,
  storage,
  now: time.now,
})

async function faultsIn(tx: Tx, ...how: Parameters<typeof auditing>): Promise<string[]> {
  const { faults } = await auditAll(tx, auditing(...how))
  return [...new Set(faults.map(({ fault }) => fault))]
}

/** The status with which the witness would answer the next head, without remembering it. */
async function witnessSays(tx: Tx): Promise<number> {
  const size = await sizeOfTree(tx)
  const note = noteOfTree(log, size, Buffer.from(await rootOfTree(tx, size)))
  const old = Math.min(seen.size, size)
  const body = writeSubmission(old, await consistencyProof(tx, old, size), note)
  const answer = await answerSubmission(Buffer.from(body), {
    keysOf: () => [noteKeyOf(log)],
    seenOf: () => seen,
  })
  return answer.status
}

/** Runs a rewriting with all rights, calls `look`, and rolls the rewriting back. */
async function rewriting<T>(rewrite: (tx: Tx) => Promise<unknown>, look: (tx: Tx) => Promise<T>): Promise<T> {
  let looked: { result: T } | undefined
  const undo = new Error('undo')
  await database
    .write(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await rewrite(tx)
      looked = { result: await look(tx) }
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return looked!.result
}

/** What the auditor and the witness find. If no proof can be made of a tree, the witness counts as finding it. */
async function finders(tx: Tx): Promise<string[]> {
  const faults = await faultsIn(tx)
  const status = await witnessSays(tx).catch(() => 500)
  return [...faults, ...(status === 200 ? [] : [`witness ${status}`])]
}

/** Rebuilds the tree as if the rows had always been as they are now. */
async function remakeTree(tx: Tx): Promise<void> {
  const order = await tx.selectFrom('logEntries').selectAll().execute()
  const places = new Map(order.map(({ requestId, number, index }) => [`${requestId} ${number}`, index]))
  const placeOf = ({ requestId, number }: { requestId: string; number: number }) =>
    places.get(`${requestId} ${number}`) ?? Infinity
  const events = (await eventsToLog(tx).execute()).toSorted(
    (one, other) => placeOf(one) - placeOf(other) || one.number - other.number,
  )
  await tx.deleteFrom('logNodes').execute()
  await tx.deleteFrom('logEntries').execute()
  await tx.updateTable('logSize').set({ size: 0, edge: [] }).execute()
  const leaves = events.map((event) => ({
    requestId: event.requestId,
    number: event.number,
    hash: leafOf(event),
  }))
  await appendLeaves(tx, leaves)
}

/** Signs every head anew, and forgets what witnesses said. */
async function resignHeads(tx: Tx): Promise<void> {
  const size = await sizeOfTree(tx)
  const heads = await tx.selectFrom('logHeads').selectAll().orderBy('size').execute()
  await tx.deleteFrom('logCosignatures').execute()
  await tx.deleteFrom('logCheckpoints').execute()
  await tx.deleteFrom('logHeads').execute()
  const sizes = new Set([...heads.map((head) => Math.min(head.size, size)), size])
  for (const one of sizes) {
    const root = Buffer.from(await rootOfTree(tx, one))
    const head = signedHead(log.key, { size: one, root, at: time.now, keyId: keyIdOf(log.key) })
    await tx.insertInto('logHeads').values(head).execute()
    await tx
      .insertInto('logCheckpoints')
      .values({ size: one, note: noteOfTree(log, one, root) })
      .execute()
  }
}

const rights = {
  rows: async () => {},
  tree: remakeTree,
  heads: async (tx: Tx) => {
    await remakeTree(tx)
    await resignHeads(tx)
  },
} as const

type Statement = RawBuilder<unknown>
const firstOf = (id: string) => sql`request_id = ${id} and number = 1`
const typed = (id: string, type: string) =>
  sql`request_id = ${id} and type = ${type} and number = (select min(number) from request_events
    where request_id = ${id} and type = ${type})`
const inEvent = (set: Statement, where: Statement) => [sql`update request_events set ${set} where ${where}`]
const inData = (path: string, value: string, where: Statement) =>
  inEvent(sql`data = jsonb_set(data, ${path}::text[], ${JSON.stringify(value)}::jsonb)`, where)
const fileOf = (id: string) => sql`(select file_id from signing_requests where id = ${id})`

/** Changes to what is in the log; each is tried with the rows alone, with the tree, and with the heads. */
const ofHistory: Record<string, Statement[]> = {
  'a comment': inEvent(sql`comment = 'Согласен'`, typed(a, 'approved')),
  'a time': inEvent(sql`at = at - interval '1 day'`, typed(a, 'approved')),
  'what happened': inEvent(sql`type = 'confirmed'`, typed(a, 'approved')),
  'a name': inEvent(sql`actor = jsonb_set(actor, '{fullName}', '"Другой"')`, typed(a, 'approved')),
  'a number of a person': inEvent(sql`actor = jsonb_set(actor, '{iin}', '"900101300999"')`, firstOf(a)),
  'an account': inEvent(sql`actor = jsonb_set(actor, '{id}', '"x"')`, typed(a, 'signature-taken')),
  'somebody for whom one acted': inEvent(
    sql`actor = actor || '{"insteadOf": {"id": "x", "fullName": "Другой"}}'`,
    typed(a, 'approved'),
  ),
  'a network address': inEvent(sql`address = '10.0.0.1'`, firstOf(a)),
  'the name of the document': inData('{name}', 'Другой', firstOf(a)),
  'the name of the sender': inData('{sender,name}', 'Другой', firstOf(a)),
  'the number of the sender': inData('{sender,bin}', '111140000018', firstOf(a)),
  'the name of a side': inData('{sides,0,name}', 'Другой', firstOf(a)),
  'the number of a side': inData('{sides,1,bin}', '111140000018', firstOf(a)),
  'the owner of a key': inData('{owner}', 'Другой', typed(a, 'signature-accepted')),
  'which signature it was': inData('{signatureId}', a, typed(a, 'signature-accepted')),
  'the status before': inEvent(sql`before = 8`, typed(a, 'approved')),
  'the status after': inEvent(sql`after = 8`, typed(a, 'approved')),
  'what hides an address': inEvent(sql`salt = substr(sha256('x'::bytea), 1, 16)`, firstOf(a)),
  'that an address is hidden': inEvent(sql`salt = null`, firstOf(a)),
  'a point': inEvent(sql`point_id = gen_random_uuid()`, typed(a, 'approved')),
  'the process': inEvent(sql`attempt = 1`, typed(a, 'approved')),
  'an acceptance into a refusal': inEvent(sql`type = 'signature-refused'`, typed(a, 'signature-accepted')),
  'the bytes of a signature': [
    sql`update request_signatures set cms = cms || '\\x00'::bytea where request_id = ${a}`,
  ],
  'the timestamp of a signature': [
    sql`update request_signatures set timestamped_cms = '\\x00'::bytea where request_id = ${a}`,
  ],
  'two signatures': [
    sql`update request_signatures s set cms = o.cms from request_signatures o
      where s.request_id = ${a} and o.request_id = ${b}`,
  ],
  'the hash of a document': [sql`update files set sha256 = sha256('x'::bytea) where id = ${fileOf(a)}`],
  'a document for another': [
    sql`insert into files select gen_random_uuid(), organization_id, sha256('x'::bytea), size, created_at, null
      from files where id = ${fileOf(b)}`,
    sql`update signing_requests set file_id = (select id from files where sha256 = sha256('x'::bytea))
      where id = ${a}`,
  ],
  'the document that terminated': [
    sql`update files set sha256 = sha256('x'::bytea)
      where id = (select file_id from request_terminations where request_id = ${c} limit 1)`,
  ],
  'that something happened': [sql`delete from request_events where ${typed(a, 'approved')}`],
  'that the last thing happened': [
    sql`delete from request_events where request_id = ${a}
      and number = (select max(number) from request_events where request_id = ${a})`,
  ],
  'that something did not happen': [
    sql`update request_events set number = number + 1000 where request_id = ${a} and number > 2`,
    sql`update request_events set number = number - 999 where request_id = ${a} and number > 1000`,
    sql`insert into request_events (request_id, number, at, type, attempt, comment, data, before, after)
      values (${a}, 3, now(), 'approved', 0, '', '{}', 2, 2)`,
    sql`update signing_requests set events_count = events_count + 1 where id = ${a}`,
  ],
  'the order of two events': [
    sql`update request_events set number = number + 1000 where request_id = ${a} and number in (2, 3)`,
    sql`update request_events set number = 1005 - number where request_id = ${a} and number in (1002, 1003)`,
  ],
  'the histories of two documents': [
    sql`update request_events set number = number + 1000 where request_id = ${b}`,
    sql`update request_events set request_id = ${b} where request_id = ${a}`,
    sql`update request_events set request_id = ${a}, number = number - 1000
      where request_id = ${b} and number > 1000`,
  ],
  'that a document was sent at all': [
    sql`delete from request_signatures where request_id = ${a}`,
    sql`delete from request_points where request_id = ${a}`,
    sql`delete from request_events where request_id = ${a}`,
    sql`delete from signing_requests where id = ${a}`,
  ],
}

/** Changes to what screens show besides: it is not in the log, so no tree has to be made anew. */
const ofState: Record<string, Statement[]> = {
  'the name of a request': [sql`update signing_requests set name = 'Другой' where id = ${a}`],
  'its sender': [sql`update signing_requests set sender_name = 'Другой' where id = ${a}`],
  'its sender’s number': [sql`update signing_requests set sender_bin = '111140000018' where id = ${a}`],
  'since when the sender is confirmed': [
    sql`update signing_requests set sender_confirmed_at = '2020-01-01' where id = ${a}`,
  ],
  'when it was sent': [sql`update signing_requests set created_at = '2020-01-01' where id = ${a}`],
  'its status': [sql`update signing_requests set status = 4 where id = ${a}`],
  'its number of events': [sql`update signing_requests set events_count = 3 where id = ${a}`],
  'the organisation of a side': [
    sql`update request_points set organization_name = 'Другой' where request_id = ${a} and bin <> ''`,
  ],
  'the number of a point': [
    sql`update request_points set bin = '111140000018' where request_id = ${a} and bin <> ''`,
  ],
  'when a point was done': [
    sql`update request_points set done_at = done_at - interval '1 day' where request_id = ${a}`,
  ],
  'that a point was done': [sql`update request_points set done_at = null where request_id = ${a}`],
  'when a signature came': [
    sql`update request_signatures set received_at = received_at - interval '1 day' where request_id = ${a}`,
  ],
  'who brought it': [
    sql`update request_signatures set actor = jsonb_set(actor, '{fullName}', '"Другой"') where request_id = ${a}`,
  ],
  'what they wrote': [sql`update request_signatures set comment = 'Другое' where request_id = ${a}`],
  'from where': [sql`update request_signatures set address = '10.0.0.1' where request_id = ${a}`],
  'whose key it was': [
    sql`update request_signatures set owner = jsonb_set(owner, '{fullName}', '"Другой"') where request_id = ${a}`,
  ],
  'that it was accepted': [sql`update request_signatures set state = 'refused' where request_id = ${a}`],
  'that it is there': [sql`delete from request_signatures where request_id = ${a}`],
  'one more signature': [
    sql`insert into request_signatures (id, request_id, attempt, point_id, actor, actor_id, comment, address,
        file_id, cms, received_at, state, value_digests)
      select gen_random_uuid(), request_id, attempt, point_id, actor, actor_id, comment, address, file_id, cms,
        received_at, state, '{}' from request_signatures where request_id = ${a} limit 1`,
  ],
  'the document under a signature': [
    sql`update request_signatures set file_id = ${fileOf(c)} where request_id = ${a}`,
  ],
  'why it was terminated': [sql`update request_terminations set comment = 'Другое' where request_id = ${c}`],
  'when it was terminated': [
    sql`update request_terminations set begun_at = begun_at - interval '1 day' where request_id = ${c}`,
  ],
  'who terminated it': [
    sql`update request_terminations set begun_by = jsonb_set(begun_by, '{fullName}', '"Другой"')
      where request_id = ${c}`,
  ],
}

const x = sql`sha256('x'::bytea)`
/** Changes to the log itself. */
const ofLog: Record<string, Statement[]> = {
  'a leaf': [sql`update log_nodes set hash = ${x} where level = 0 and index = 3`],
  'a node': [sql`update log_nodes set hash = ${x} where level = 2 and index = 0`],
  'a node away': [sql`delete from log_nodes where level = 1 and index = 1`],
  'a node more': [sql`insert into log_nodes values (0, 100000, ${x})`],
  'an entry away': [sql`delete from log_entries where index = 2`],
  'an entry more': [
    sql`insert into log_entries values (100000, ${a}, 999)`,
    sql`insert into log_nodes values (0, 100000, ${x})`,
  ],
  'the places of two entries': [
    sql`update log_entries set index = index + 100000 where index in (1, 2)`,
    sql`update log_entries set index = 100003 - (index - 100000) - 100000 where index > 100000`,
  ],
  'the size': [sql`update log_size set size = size - 1`],
  'the edge': [sql`update log_size set edge[1] = ${x}`],
  'when a head was signed': [sql`update log_heads set at = at - interval '1 day'`],
  'the root of a head': [sql`update log_heads set root = ${x}`],
  'the signature of a head': [sql`update log_heads set signature = '\\x00'::bytea`],
  'a head away': [
    sql`delete from log_cosignatures`,
    sql`delete from log_checkpoints`,
    sql`delete from log_heads`,
  ],
  'a note': [sql`update log_checkpoints set note = replace(note, E'/log\\n', E'/log2\\n')`],
  'a note away': [sql`delete from log_cosignatures`, sql`delete from log_checkpoints`],
  'a co-signature': [
    sql`update log_cosignatures set line = (select o.line from log_cosignatures o where o.size <> log_cosignatures.size)`,
  ],
  'a co-signature away': [sql`delete from log_cosignatures`],
}

const rewritten = new Set<string>()
const byStatements = (all: Record<string, Statement[]>) => Object.entries(all)
const run = (tx: Tx, statements: readonly Statement[]) =>
  statements.reduce<Promise<unknown>>((before, one) => before.then(() => one.execute(tx)), Promise.resolve())

test('the auditor and the witness find no fault without a rewrite', async () => {
  expect(await rewriting(async () => {}, finders)).toEqual([])
  expect(await rewriting(remakeTree, finders)).toEqual([])
})

describe.each(Object.keys(rights) as (keyof typeof rights)[])(
  'a rewrite of the history is found, with %s',
  (right) => {
    test.each(byStatements(ofHistory))('%s', async (title, statements) => {
      rewritten.add(`${right} ${title}`)
      const found = await rewriting(async (tx) => {
        await run(tx, statements)
        await rights[right](tx)
      }, finders)
      expect(found).not.toEqual([])
      // Signing everything anew leaves no trace within the installation, so it is found by what others remember.
      if (right === 'heads') expect(found.some((one) => /^(rewritten|set-back|witness)/.test(one))).toBe(true)
    })
  },
)

test.each(byStatements(ofState))('a rewrite of the shown state is found: %s', async (title, statements) => {
  rewritten.add(`state ${title}`)
  expect(await rewriting((tx) => run(tx, statements), faultsIn)).toContain('state-other')
})

test.each(byStatements(ofLog))('a rewrite of the log is found: %s', async (title, statements) => {
  rewritten.add(`log ${title}`)
  expect(await rewriting((tx) => run(tx, statements), finders)).not.toEqual([])
})

test.each([1, 2, 5, 12])('a log cut by %i entries and signed anew is found', async (count) => {
  rewritten.add(`cut ${count}`)
  const found = await rewriting(async (tx) => {
    await sql`delete from request_events e using log_entries l where l.request_id = e.request_id
      and l.number = e.number and l.index >= (select size - ${count} from log_size)`.execute(tx)
    await remakeTree(tx)
    await resignHeads(tx)
  }, finders)
  expect(found).toEqual(expect.arrayContaining(['set-back', 'witness 409']))
})

describe('a changed file of the storage is found', () => {
  const keyOfA = async () => {
    const { rows } = await sql<{ id: string; organizationId: string }>`
      select id, organization_id as "organizationId" from files where id = ${fileOf(a)}`.execute(database.db)
    return keyOf(rows[0]!.organizationId, rows[0]!.id)
  }
  const written = (bytes: Uint8Array): Borrowed => {
    const path = join(folder, createHash('sha256').update(bytes).digest('hex'))
    writeFileSync(path, bytes)
    return { path, release: async () => {} }
  }
  const ways: [string, (bytes: Buffer) => Borrowed | null][] = [
    ['removed', () => null],
    ['emptied', () => written(new Uint8Array())],
    ['with one bit changed', (bytes) => written(bytes.with(100, bytes[100]! ^ 1))],
    ['cut', (bytes) => written(bytes.subarray(0, -1))],
    ['with something behind it', (bytes) => written(Buffer.concat([bytes, Buffer.from('%')]))],
    ['replaced by another of the same length', (bytes) => written(Buffer.alloc(bytes.length, '%PDF'))],
  ]

  test.each(ways)('a document %s', async (title, change) => {
    rewritten.add(`file ${title}`)
    const key = await keyOfA()
    const storage = {
      async borrow(asked: string) {
        const there = await borrow(asked)
        return asked === key && there ? change(readFileSync(there.path)) : there
      },
    }
    const { faults } = await auditAll(database.db, auditing(storage))
    expect(faults.map(({ fault }) => fault)).toEqual([title === 'removed' ? 'file-missing' : 'file-changed'])
  })
})

describe('another log shown to one reader is found', () => {
  test.each(Object.entries(ofHistory).slice(0, 5))(
    'a bundle with another history: %s',
    async (title, how) => {
      rewritten.add(`fork ${title}`)
      const shown = await rewriting(
        async (tx) => {
          await run(tx, how)
          await rights.heads(tx)
        },
        async (tx) => ({
          by: 'bundle',
          size: await sizeOfTree(tx),
          root: await rootOfTree(tx, await sizeOfTree(tx)),
        }),
      )
      const { faults } = await auditAll(database.db, auditing(undefined, [...known, shown]))
      expect(faults.filter(({ fault }) => fault !== 'head-missing')).toEqual([
        { fault: 'rewritten', size: shown.size, by: 'bundle' },
      ])
    },
  )

  test('in tiles of another tree', async () => {
    rewritten.add('fork tiles')
    const size = await sizeOfTree(database.db)
    const read = async (tile: Tile) => {
      const { level, start, end } = rangeOfTile(tile)
      const bytes = Buffer.concat(await findLevel(database.db, level, start, end))
      return tilePath(tile).startsWith('0/') ? bytes.with(40, bytes[40]! ^ 1) : bytes
    }
    const { root } = await rebuildFromTiles(size, read)
    expect(Buffer.from(root).equals(await rootOfTree(database.db, size))).toBe(false)
  })
})

test('at least a hundred ways of rewriting were tried', () => {
  expect(rewritten.size).toBeGreaterThanOrEqual(100)
})
