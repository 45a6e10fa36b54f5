/** Numbers without gaps or repeats, however many people register at once. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { addJournal } from '@kelisim/domain/registers/contract.ts'
import { startRequestsApp } from '../../requests/core/testing-requests.ts'
import { registerInJournal } from './register.ts'

const testApp = await startRequestsApp()
const { call, database } = testApp
const company = await testApp.company()
const { organizationId, owner } = company
const first = (await company.send(await company.route(await company.point('CompanyInternalSign')))).result

const journal = async (name: string, change: object = {}) =>
  (
    await call(owner, addJournal, {
      organizationId,
      name,
      direction: 'outgoing',
      prefix: 'ИСХ-',
      yearPlace: 'after',
      width: 4,
      firstNumber: 1,
      ...change,
    })
  ).result.id

/** Copies of one request, because only their numbers matter here. */
async function requests(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  await database.write(async (tx) => {
    await sql`create temporary table copied on commit drop as
      select r.*, i.new_id from signing_requests r, unnest(${ids}::uuid[]) as i (new_id) where r.id = ${first.id}`.execute(
      tx,
    )
    await sql`update copied set id = new_id`.execute(tx)
    await sql`alter table copied drop column new_id`.execute(tx)
    await sql`insert into signing_requests select * from copied`.execute(tx)
  })
  return ids
}

const numbersOf = async (journalId: string) =>
  database.db
    .selectFrom('registrations')
    .select(['year', 'counter', 'number'])
    .where('journalId', '=', journalId)
    .orderBy('year')
    .orderBy('counter')
    .execute()

const register = (journalId: string, requestId: string, now: Date, isAborted = false) =>
  database.write(async (tx) => {
    const number = await registerInJournal(
      tx,
      { organizationId, requestId, journalId, direction: 'outgoing', by: owner },
      now,
    )
    if (isAborted) throw new Error('aborted')
    return number
  })

test('50 people register at once, 20 times, some of them failing: every number is given once, without gaps', async () => {
  const journalId = await journal('Исходящие', { firstNumber: 17 })
  const now = new Date('2026-11-16T06:00:00Z')
  let expected = 17
  for (let round = 0; round < 20; round++) {
    const ids = await requests(50)
    const given = await Promise.allSettled(
      ids.map((id, i) => register(journalId, id, now, i % 7 === round % 7)),
    )
    const numbers = given.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const last = expected + numbers.length
    const row = Array.from(
      { length: numbers.length },
      (_, i) => `ИСХ-${String(expected + i).padStart(4, '0')}/2026`,
    )
    expect(numbers.toSorted()).toEqual(row)
    expected = last
  }
  const kept = await numbersOf(journalId)
  expect(kept.map(({ counter }) => counter)).toEqual(Array.from({ length: expected - 17 }, (_, i) => 17 + i))
})

describe('after New Year in Almaty', () => {
  const [before, after] = [new Date('2026-12-31T18:59:59Z'), new Date('2026-12-31T19:00:00Z')]

  test('a journal with the year restarts at one, while others still register in the old year', async () => {
    const journalId = await journal('Договоры', { firstNumber: 120 })
    const ids = await requests(20)
    await Promise.all(ids.map((id, i) => register(journalId, id, i % 2 === 0 ? before : after)))
    const numbers = (await numbersOf(journalId)).map(({ number }) => number)
    expect(numbers.slice(0, 10)).toEqual(
      Array.from({ length: 10 }, (_, i) => `ИСХ-${String(120 + i).padStart(4, '0')}/2026`),
    )
    expect(numbers.slice(10)).toEqual(
      Array.from({ length: 10 }, (_, i) => `ИСХ-${String(1 + i).padStart(4, '0')}/2027`),
    )
  })

  test('a journal without the year counts on', async () => {
    const journalId = await journal('Приказы', { yearPlace: 'none', prefix: '' })
    const [one, other] = await requests(2)
    expect(await register(journalId, one!, before)).toBe('0001')
    expect(await register(journalId, other!, after)).toBe('0002')
  })
})
