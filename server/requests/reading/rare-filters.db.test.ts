/** The cost of a filter that hardly any request meets depends on what it finds, not on the length of the list. */
import { expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import { pointTypes } from '@kelisim/domain/points/point-types.ts'
import { requestStatuses, statusNumbers } from '@kelisim/domain/requests/status.ts'
import { findIncoming, findOutgoing, noInboxes, type RequestFilter } from './queries/lists.ts'
import { rowsReadBy } from './testing-rows-read.ts'

const { database } = await testDatabase()
const rows = 20_000
const [organizationId, usual, rare, group, tag] = [newId(), newId(), newId(), newId(), newId()]
const [journal, rareJournal, usualTag] = [newId(), newId(), newId()]
const [usualBin, rareBin] = ['260140020007', '240540017348']
const anything: RequestFilter = {
  status: statusNumbers(requestStatuses.names).reduce((mask, one) => mask | one, 0),
  isDone: null,
  name: '',
  author: '',
  bin: null,
  classifierId: null,
  from: null,
  to: null,
  sort: '-created',
  skip: 0,
  take: 10,
}

/**
 * The oldest five requests are of the rare author, went to the rare number, have the tag and are overdue; all others
 * have a deadline.
 */
async function fill(): Promise<void> {
  const client = await database.pool.connect()
  const id = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  const created = `timestamptz '2026-01-01' + n * interval '1 minute'`
  const due = `date '2026-11-16' + case when n <= 5 then 0 else 30 end`
  try {
    await client.query('set session_replication_role = replica')
    for (const [user, name] of [
      [usual, 'Асанова Айгерім'],
      [rare, 'Редкий Автор'],
    ]) {
      await client.query(
        `insert into users (id, issuer, subject, login, full_name, email, is_email_confirmed, created_at)
          values ($1, 'test', $2, $2, $3, $2, true, now())`,
        [user, String(user), name],
      )
    }
    await client.query(
      `insert into files (id, organization_id, sha256, size, created_at) values ($1, $1, sha256('x'), 1, now())`,
      [organizationId],
    )
    await client.query(
      `insert into signing_requests (id, organization_id, author_id, file_id, file_name, format, name, description,
          signing_date, route_name, is_quick, is_timestamp_required, language, additional_components, status,
          created_at, changed_at, status_changed_at, sender_name, sender_bin, due_on)
        select ${id}, $1, case when n <= 5 then $3::uuid else $2::uuid end, $1, 'a.pdf', 'pdf', 'Договор ' || n, '',
          '2026-11-15', '', false, false, 'ru', 0, 2, ${created}, now(), now(), 'ТОО', '260140020007', ${due}
        from generate_series(1, $4::int) n`,
      [organizationId, usual, rare, rows],
    )
    await client.query(
      `insert into request_points (request_id, attempt, point_id, "order", type, name, organization_id, group_id, bin,
          organization_name, emails, responsible, condition, is_eds_required, status, key_holder)
        select ${id}, 0, ${id}, 1, $3, 'Подпись', null, null, case when n <= 5 then $1 else $2 end, '', '{}', '{}',
          'any', false, 2, 'signingRight'
        from generate_series(1, $4::int) n`,
      [rareBin, usualBin, pointTypes.of('ExternalSign'), rows],
    )
    await client.query(
      `insert into request_inboxes (inbox, request_id, name, arrived_at, status, waits, is_done, due_on)
        select $1, ${id}, 'Договор ' || n, ${created}, 2, true, false, ${due} from generate_series(1, $2::int) n`,
      [group, rows],
    )
    await client.query(
      `insert into request_classifiers (request_id, classifier_id) select ${id}, $1 from generate_series(1, 5) n`,
      [tag],
    )
    await client.query(
      `insert into request_classifiers (request_id, classifier_id) select ${id}, $1 from generate_series(1, $2::int) n`,
      [usualTag, rows],
    )
    // The oldest five are numbered in the rare journal, with a prefix of their own; all others in the usual one.
    await client.query(
      `insert into registrations (organization_id, request_id, journal_id, year, counter, number, registered_by,
          registered_at)
        select $1, ${id}, case when n <= 5 then $3::uuid else $2::uuid end, 2026, n,
          case when n <= 5 then 'РД-' else '' end || n, $4, now()
        from generate_series(1, $5::int) n`,
      [organizationId, journal, rareJournal, usual, rows],
    )
    await client.query('set session_replication_role = origin')
    for (const table of [
      'registrations',
      'signing_requests',
      'request_points',
      'request_inboxes',
      'request_classifiers',
      'users',
    ]) {
      await client.query(`vacuum analyze ${table}`)
    }
  } finally {
    client.release()
  }
}
await fill()

const tables = [
  'request_inboxes',
  'signing_requests',
  'request_points',
  'request_classifiers',
  'registrations',
]
const viewer = { userId: usual, organizationId, inboxes: { ...noInboxes, own: [group] } }
const everybody = { authorId: null, exceptAuthor: null }

const registered = (number: string, journalId: string | null = null) => ({
  registered: { organizationId, number, journalId },
})

const cases: [string, Partial<RequestFilter>, number][] = [
  ['a usual tag and a word that it never meets', { classifierId: usualTag, name: 'щшъ' }, 0],
  ['a journal of many and a word that it never meets', { ...registered('', journal), name: 'щшъ' }, 0],
  ['days on which nothing was sent', { from: '2020-01-01', to: '2020-02-01' }, 0],
  ['a register number of none', registered('РД-77'), 0],
  ['a register number of a few', registered('рд-'), 5],
  ['a journal of a few', registered('', rareJournal), 5],
  ['a number that is in another journal', registered('РД-1', journal), 0],
  ['an author whom nobody has', { author: 'нет такого' }, 0],
  ['an author of a few', { author: 'редкий' }, 5],
  ['a counterparty of none', { bin: '990140020008' }, 0],
  ['a counterparty of a few', { bin: rareBin }, 5],
  ['a tag of a few', { classifierId: tag }, 5],
  ['overdue ones of none', { dueBefore: '2026-11-16' }, 0],
  ['overdue ones of a few', { dueBefore: '2026-11-17' }, 5],
]

test.each(cases)('incoming requests are found reading few rows: %s', async (_, filter, expected) => {
  const { found, read } = await rowsReadBy(database, tables, (db) =>
    findIncoming(db, viewer, { ...anything, ...filter }),
  )
  expect(found).toBe(expected)
  expect(read).toBeLessThan(500)
})

test.each(cases)('outgoing requests are found reading few rows: %s', async (_, filter, expected) => {
  const { found, read } = await rowsReadBy(database, tables, (db) =>
    findOutgoing(db, organizationId, everybody, { ...anything, ...filter }),
  )
  expect(found).toBe(expected)
  expect(read).toBeLessThan(500)
})

test('a filter that many requests meet gives the same order and count as no filter', async () => {
  const list = (filter: Partial<RequestFilter>) =>
    findOutgoing(database.db, organizationId, everybody, { ...anything, ...filter })
  const [all, ofAuthor, ofNumber] = [
    await list({}),
    await list({ author: 'асанова' }),
    await list({ bin: usualBin }),
  ]
  const ofJournal = await list(registered('', journal))
  expect(ofJournal.items.map(({ row }) => row.id)).toEqual(all.items.map(({ row }) => row.id))
  const idsOf = ({ items }: typeof all) => items.map(({ row }) => row.id)
  expect(idsOf(ofAuthor)).toEqual(idsOf(all))
  expect(idsOf(ofNumber)).toEqual(idsOf(all))
  expect(ofAuthor.totalCount).toBe(all.totalCount)
})
