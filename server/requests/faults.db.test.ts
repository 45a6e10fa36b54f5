/**
 * Servers die in the middle of everything (kill -9, twenty times at moments that follow from a seed) while people go on
 * acting on their requests. What was acknowledged is there, once; what was not either happened whole or not at all.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import { fillPath, type Endpoint } from '@kelisim/domain/endpoint.ts'
import { actAtPoint, createRequest, revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { openFileChecks } from '../documents/check/check.ts'
import { folderStorage } from '../documents/storage/folder.ts'
import { checksIn } from '../identity/testing-signers.ts'
import { publicUrl } from '../testing.ts'
import { openJudging } from './judging.ts'
import { actingIn, startRequestsApp } from './testing-requests.ts'
import type { ProcessSettings } from './testing-process.ts'

const kills = 20
const clients = 4
const seed = 20261115

/** The same run again for whoever looks for what went wrong in it, as far as the machine lets it be the same. */
function randomFrom(start: number): (below: number) => number {
  let state = start
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const { database, connection } = await testDatabase()
const filesFolder = temporaryFolder()
const storage = await folderStorage(filesFolder)
const since = Date.now()
const app = await startRequestsApp({ database, archive: { storage, checks: openFileChecks() } })
const { nation, centre, time, tokenOf } = app
const { signatureOf } = actingIn(app)
const company = await app.company()
const other = await app.company()
const { organizationId, employee, colleague } = company
const approval = await company.point('InternalApprove')
const signing = await company.point('CompanyInternalSign')
const routeId = await company.route(approval, signing)
const documentId = (await company.upload(employee, organizationId)).result.id
const [good, wrong] = [await signatureOf(company.stamp), await signatureOf(other.stamp)]

type Server = { child: ChildProcess; address: string }

async function startServer(): Promise<Server> {
  const settings: ProcessSettings = {
    ...{ connection, filesFolder, publicUrl: publicUrl.href, time: { at: time.now.toISOString(), since } },
  }
  const child = fork(new URL('testing-process.ts', import.meta.url), [JSON.stringify(settings)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // A server is started twenty times over: what was compiled once is not compiled again.
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'kelisim-compiled') },
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.once('message', (message: { address: string }) => resolve(message.address))
  child.once('exit', () => reject(new Error('a server did not start')))
  return { child, address: await promise }
}

const servers: Server[] = []
beforeAll(async () => void servers.push(await startServer(), await startServer()), 60_000)
afterAll(() => servers.forEach(({ child }) => child.kill('SIGKILL')))

/** What somebody did: how often they had to say it, and whether anybody ever said that it is done. */
type Deed = { requestId: string; type: string; by: string; status: number | null; tries: number }
const deeds: Deed[] = []
const run = { isOver: false, answers: 0, areBack: Promise.resolve() }

/** Says it until somebody answers; who has no patience says it once. */
async function insist(
  random: (below: number) => number,
  { by, type, requestId }: Pick<Deed, 'by' | 'type' | 'requestId'>,
  e: Pick<Endpoint, 'path'>,
  input: Record<string, unknown>,
): Promise<boolean> {
  const deed: Deed = { by, type, requestId, status: null, tries: 0 }
  await run.areBack
  deeds.push(deed)
  const { path, rest } = fillPath(e.path, { organizationId, ...input })
  const mostTries = random(10) > 0 ? Infinity : 1
  do {
    deed.tries++
    const server = servers[random(servers.length)]
    if (!server) {
      await setTimeout(20)
      continue
    }
    try {
      const answer = await fetch(server.address + path, {
        method: 'POST',
        body: JSON.stringify(rest),
        headers: {
          cookie: `session=${await tokenOf(by)}`,
          origin: publicUrl.origin,
          'content-type': 'application/json',
        },
      })
      await answer.text()
      deed.status = answer.status
      run.answers++
    } catch {
      await setTimeout(5)
    }
  } while (deed.status === null && deed.tries < mostTries)
  return deed.status === 200
}

/** One request after another, each with one of the lives that a request may have. */
async function live(random: (below: number) => number): Promise<void> {
  while (!run.isOver) {
    const requestId = newId()
    const of = { signingRequestId: requestId }
    const act = (type: 'approve' | 'sign' | 'reject', by: string, more: object = {}) =>
      insist(random, { by, type, requestId }, actAtPoint, {
        ...{ ...of, pointId: type === 'sign' ? signing : approval, action: type, key: newId() },
        pointTypeName: type === 'sign' ? 'CompanyInternalSign' : 'InternalApprove',
        ...more,
      })
    const whole = (type: 'withdraw' | 'terminate') =>
      insist(
        random,
        { by: employee, type, requestId },
        type === 'withdraw' ? revokeRequest : terminateRequest,
        {
          ...{ ...of, key: newId(), comment: 'Передумали' },
        },
      )
    const sent = { ...of, documentId, routeId, name: 'Договор' }
    if (!(await insist(random, { by: employee, type: 'send', requestId }, createRequest, sent))) continue
    const life = random(8)
    if (life === 0) await act('reject', colleague, { comment: 'Нет сметы' })
    if (life <= 1) continue
    if (!(await act('approve', colleague))) continue
    if (life === 2) await whole('withdraw')
    if (life === 3) await act('sign', employee, { signature: wrong })
    if (life === 2) continue
    if (life === 4) {
      // Both at once: one wins, the other is told.
      await Promise.all([
        act('sign', employee, { signature: good }),
        act('sign', colleague, { signature: good }),
      ])
    } else if (!(await act('sign', employee, { signature: good }))) continue
    if (life === 5) await whole('terminate')
  }
}

/** One of the two, and now and then both. What was under way is said again; what is new waits until they are back. */
async function kill(random: (below: number) => number, howMany: number): Promise<void> {
  // By how much was done, not by the clock: a machine in a hurry and one that is busy live through the same.
  const then = run.answers + 10 + random(20)
  while (run.answers < then) await setTimeout(1)
  await setTimeout(random(10))
  const back = Promise.withResolvers<void>()
  run.areBack = back.promise
  for (let i = 0; i < howMany; i++) {
    const [victim] = servers.splice(random(servers.length), 1)
    victim?.child.kill('SIGKILL')
  }
  servers.push(...(await Promise.all(Array.from({ length: howMany }, startServer))))
  back.resolve()
}

const madeBy: Record<string, string> = {
  ...{ send: 'sent', approve: 'approved', reject: 'rejected' },
  ...{ withdraw: 'withdrawn', terminate: 'termination-begun', sign: 'signature-taken' },
}

test(
  'nothing acknowledged is missing, nothing is doubled, everything signed is judged',
  { timeout: 300_000 },
  async () => {
    const lives = Array.from({ length: clients }, (_, i) => live(randomFrom(seed + i)))
    const random = randomFrom(seed - 1)
    for (let i = 1; i <= kills; i++) await kill(random, i % 5 === 0 ? 2 : 1)
    run.isOver = true
    await Promise.all(lives)
    servers.splice(0).forEach(({ child }) => child.kill('SIGKILL'))

    // Nothing else was lost on the way: refusals were expected ones.
    const expected = [200, 409, null]
    expect(deeds.filter(({ status }) => !expected.includes(status))).toEqual([])
    const acknowledged = deeds.filter(({ status }) => status === 200)
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(acknowledged.some(({ tries }) => tries > 1)).toBe(true)

    const later = new Date(time.now.getTime() + Date.now() - since + 10 * 60_000)
    centre.answer = 'good'
    const errors: unknown[] = []
    const check = checksIn(nation, centre)
    const outside = { database, storage, check, clock: () => later, onError: (e: unknown) => errors.push(e) }
    await openJudging(outside).judgeDue()
    expect(errors).toEqual([])

    await expectDeedsOnce()
    await expectOrder()
  },
)

/** Of each person's acts on each request: as many as were acknowledged, and at most as many as were tried. */
async function expectDeedsOnce(): Promise<void> {
  const { rows } = await sql<{ key: string; count: number }>`
    select concat_ws(' ', request_id, type, actor->>'id') as key, count(*)::int as count
    from request_events where actor is not null group by 1`.execute(database.db)
  const found = new Map(rows.map(({ key, count }) => [key, count]))
  const said = Map.groupBy(deeds, ({ requestId, type, by }) => [requestId, madeBy[type], by].join(' '))
  for (const [key, all] of said) {
    const done = all.filter(({ status }) => status === 200).length
    const open = all.filter(({ status }) => status === null).length
    const count = found.get(key) ?? 0
    expect([key, count >= done && count <= done + open]).toEqual([key, true])
  }
  expect([...found.keys()].filter((key) => !said.has(key))).toEqual([])
}

/** Every request stands where its history leads, and nobody waits for a check any more. */
async function expectOrder(): Promise<void> {
  const one = async (query: ReturnType<typeof sql>) => (await query.execute(database.db)).rows
  expect(await one(sql`select id from request_signatures where state = 'checking'`)).toEqual([])
  expect(await one(sql`select 1 from request_points where status = ${pointStatuses.Validation}`)).toEqual([])
  expect(
    await one(sql`
      select r.id from signing_requests r
      where r.events_count <> (select count(*) from request_events e where e.request_id = r.id)
        or r.events_count <> (select max(number) from request_events e where e.request_id = r.id)
        or r.status <> (select after from request_events e
          where e.request_id = r.id order by number desc limit 1)`),
  ).toEqual([])
  expect(
    await one(sql`
      select e.request_id from request_events e
      join request_events next on next.request_id = e.request_id and next.number = e.number + 1
      where next.before <> e.after`),
  ).toEqual([])
  expect(
    await one(sql`
      select i.request_id from request_inboxes i join signing_requests r on r.id = i.request_id
      where i.status <> r.status`),
  ).toEqual([])
  // A signature that was taken in is kept, and a kept one was taken in; a termination has its document.
  expect(
    await one(sql`
      select r.id from signing_requests r
      where (select count(*) from request_signatures s where s.request_id = r.id)
        <> (select count(*) from request_events e where e.request_id = r.id and e.type = 'signature-taken')
      or (select count(*) from request_terminations t where t.request_id = r.id) <> r.attempt`),
  ).toEqual([])
  // A point is signed by an accepted signature and by nothing else, and by one.
  expect(
    await one(sql`
      select p.request_id from request_points p
      where p.attempt = 0 and p.point_id = ${signing}
        and (p.status = ${pointStatuses.Signed})::int <> (select count(*) from request_signatures s
          where s.request_id = p.request_id and s.point_id = p.point_id and s.attempt = 0
            and s.state = 'accepted')`),
  ).toEqual([])
  expect(
    await one(sql`
      select id from signing_requests r where r.status = 1
        or (r.status = 8) <> (not exists (select from request_points p where p.request_id = r.id
          and p.attempt = 0 and p.status not in (1, 7, 8)) and r.attempt = 0)`),
  ).toEqual([])
}
