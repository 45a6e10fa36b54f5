/** The cost of a substitute's list depends on what it shows, not on how much the absent colleague has dealt with. */
import { expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import { requestStatuses, statusNumbers } from '@kelisim/domain/requests/status.ts'
import { findIncoming, noInboxes, type RequestFilter } from './queries/lists.ts'
import { rowsReadBy } from './testing-rows-read.ts'

const { database } = await testDatabase()
const rows = 20_000
const [organizationId, userId, absentGroup, otherGroup] = [newId(), newId(), newId(), newId()]
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
 * Half of the requests are of the absent colleague's group: a thousandth of them waits, and the substitute acted on
 * five.
 */
async function fill(): Promise<void> {
  const client = await database.pool.connect()
  const id = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  const group = `case when n % 2 = 0 then '${absentGroup}' else '${otherGroup}' end`
  const created = `timestamptz '2026-01-01' + n * interval '1 minute'`
  const name = `'Договор ' || n`
  try {
    // Only the rows that are read are inserted, so foreign keys are not checked.
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into signing_requests (id, organization_id, author_id, file_id, file_name, format, name, description,
          signing_date, route_name, is_quick, is_timestamp_required, language, additional_components, status,
          created_at, changed_at, status_changed_at, sender_name, sender_bin)
        select ${id}, $1, $2, $1, 'a.pdf', 'pdf', ${name}, '', '2026-11-15', '', false, false, 'ru', 0,
          case when n % 1000 = 0 then 2 else 8 end, ${created}, now(), now(), 'ТОО', '260140020007'
        from generate_series(1, $3::int) n`,
      [organizationId, userId, rows],
    )
    await client.query(
      `insert into request_points (request_id, attempt, point_id, "order", type, name, organization_id, group_id, bin,
          organization_name, emails, responsible, condition, is_eds_required, status, key_holder, stood_in)
        select ${id}, 0, ${id}, 1, 1, 'Согласование', $1::uuid, (${group})::uuid, '', '', '{}', '{}', 'any', false,
          case when n % 1000 = 0 then 2 else 7 end, 'employee',
          case when n in (2, 4, 6, 8, 10) then array[$2::uuid] when n % 50 = 0 then array[$1::uuid] else '{}' end
        from generate_series(1, $3::int) n`,
      [organizationId, userId, rows],
    )
    await client.query(
      `insert into request_inboxes (inbox, request_id, name, arrived_at, status, waits, is_done)
        select ${group}, ${id}, ${name}, ${created}, case when n % 1000 = 0 then 2 else 8 end,
          n % 1000 = 0, n % 1000 > 0
        from generate_series(1, $1::int) n`,
      [rows],
    )
    await client.query('set session_replication_role = origin')
    for (const table of ['signing_requests', 'request_points', 'request_inboxes']) {
      await client.query(`vacuum analyze ${table}`)
    }
  } finally {
    client.release()
  }
}
await fill()

const rowsRead = (filter: Partial<RequestFilter>) =>
  rowsReadBy(database, ['request_inboxes'], (db) => {
    const viewer = { userId, organizationId, inboxes: { ...noInboxes, absent: [absentGroup] } }
    return findIncoming(db, viewer, { ...anything, ...filter })
  })

const waiting = rows / 1000
const actedOn = 5

test.each([
  ['the newest', {}, waiting + actedOn],
  ['by name', { sort: 'name' }, waiting + actedOn],
  ['what waits', { isDone: false }, waiting],
  ['what is done', { isDone: true }, actedOn],
  ['of one status', { status: requestStatuses.of('Completed') }, actedOn],
] as const)('%s', async (_, filter, expected) => {
  const { found, read, scans } = await rowsRead(filter)
  expect(found).toBe(expected)
  expect(scans).toEqual([])
  // A few times the rows shown, and none that the absent colleague dealt with before.
  expect(read).toBeLessThan(40 * (waiting + actedOn))
})
