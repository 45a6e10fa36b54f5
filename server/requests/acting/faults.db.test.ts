/**
 * Servers die in the middle of everything (kill -9 of main.ts, a dozen times at moments that follow from a seed) while
 * people go on acting on their requests. An acknowledged act is saved once; any other is saved completely or not at all;
 * and queued work is done by the processes that start afterwards.
 */
import { createPublicKey } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import { fillPath, type Endpoint } from '@kelisim/domain/endpoint.ts'
import { addGroup, previewGroup, saveGroup } from '@kelisim/domain/portal/contract.ts'
import { actAtPoint, createRequest, revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { getLogHead } from '@kelisim/domain/transparency/contract.ts'
import { isConsistent } from '@kelisim/signature/transparency/merkle.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { testWorkers } from '../../testing-workers.ts'
import { folderStorage } from '../../documents/storage/folder.ts'
import { publicUrl } from '../../testing.ts'
import { auditLog } from '../../transparency/audit.ts'
import { signHead } from '../../transparency/heads.ts'
import { readLogKey } from '../../transparency/key.ts'
import { consistencyProof } from '../../transparency/tree.ts'
import { needSite, startCentre, startMain, type Main, type MainSettings } from '../../testing-main.ts'
import { citizen } from '../../identity/testing-signers.ts'
import { actingIn, startRequestsApp } from '../core/testing-requests.ts'

const kills = 12
const clients = 4
const seed = 20261115

/** A seeded random generator, so that a failing run can be repeated as far as the machine allows. */
function randomFrom(start: number): (below: number) => number {
  let state = start
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const { database, connection } = await testDatabase()
const dataDir = temporaryFolder()
const storage = await folderStorage(join(dataDir, 'files'))
const since = Date.now()
const app = await startRequestsApp({ database, archive: { storage, checks: testWorkers.checks } })
const { nation, time, call, make, tokenOf } = app
const { signatureOf } = actingIn(app)
const company = await app.company()
const other = await app.company()
const { organizationId, owner, employee, colleague } = company
const approval = await company.point('InternalApprove')
const signing = await company.point('CompanyInternalSign')
const routeId = await company.route(approval, signing)
const documentId = (await company.upload(employee, organizationId)).result.id
/** One signature is one act, so each act gets its own; a wrong one may be submitted repeatedly. */
const good = () => signatureOf(company.stamp)
const wrong = await signatureOf(other.stamp)
const ofColleague = await citizen(nation, { bin: company.bin })

/** Both members of the group must approve; one leaves after the other has approved, and a job completes the point. */
type Leaving = {
  group: { id: string; name: string; currentVersion: number }
  stays: string
  point: string
  route: string
}
const leavings: Leaving[] = []
const left: { requestId: string; groupId: string }[] = []

async function leaving(): Promise<Leaving> {
  const people = [await make.person(), await make.person()]
  for (const person of people) await make.member(organizationId, person, 'Employee')
  const form = { organizationId, name: `Группа ${newId()}`, participants: people }
  const { result: group } = await call(owner, addGroup, form)
  const point = await company.point('InternalApprove', { groupId: group.id, agreementCondition: 'all' })
  return { group, stays: people[0]!, point, route: await company.route(point) }
}

let settings: MainSettings
const startServer = () => startMain(settings)
const servers: Main[] = []
beforeAll(async () => {
  needSite()
  const clockOffset = time.now.getTime() - since
  const centre = await startCentre(nation, () => new Date(Date.now() + clockOffset), dataDir)
  settings = { connection: connection as MainSettings['connection'], dataDir, clockOffset, centre }
  for (let i = 0; i < 20; i++) leavings.push(await leaving())
  servers.push(...(await Promise.all([startServer(), startServer()])))
}, 120_000)
afterAll(() => servers.forEach(({ child }) => child.kill('SIGKILL')))

/** A call of a client: how often it was tried, and the status of its response, if there was one. */
type ClientCall = { requestId: string; type: string; by: string; status: number | null; tries: number }
const clientCalls: ClientCall[] = []
const heads: { size: number; root: string }[] = []
const run = { isOver: false, responses: 0, areBack: Promise.resolve() }

/** Repeats the call until there is a response; some callers try only once. */
async function callUntilAnswered(
  random: (below: number) => number,
  { by, type, requestId }: Pick<ClientCall, 'by' | 'type' | 'requestId'>,
  e: Pick<Endpoint, 'method' | 'path'>,
  input: Record<string, unknown>,
): Promise<boolean> {
  const clientCall: ClientCall = { by, type, requestId, status: null, tries: 0 }
  await run.areBack
  clientCalls.push(clientCall)
  const { path, rest } = fillPath(e.path, { organizationId, ...input })
  const mostTries = random(10) > 0 ? Infinity : 1
  do {
    clientCall.tries++
    const server = servers[random(servers.length)]
    if (!server) {
      await setTimeout(20)
      continue
    }
    try {
      const response = await fetch(server.address + path, {
        method: e.method,
        body: JSON.stringify(rest),
        headers: {
          cookie: `session=${await tokenOf(by)}`,
          origin: publicUrl.origin,
          'content-type': 'application/json',
        },
      })
      await response.text()
      // While a process starts, it asks programs to retry later: this counts as no response.
      if (response.status === 503 && response.headers.has('retry-after')) {
        await setTimeout(100)
        continue
      }
      clientCall.status = response.status
      run.responses++
    } catch {
      await setTimeout(5)
    }
  } while (clientCall.status === null && clientCall.tries < mostTries)
  return clientCall.status === 200
}

/** Sends one request after another, each with one of the possible life cycles. */
async function live(random: (below: number) => number): Promise<void> {
  while (!run.isOver) {
    const requestId = newId()
    const of = { signingRequestId: requestId }
    const act = (type: 'approve' | 'sign' | 'reject', by: string, more: object = {}) =>
      callUntilAnswered(random, { by, type, requestId }, actAtPoint, {
        ...of,
        pointId: type === 'sign' ? signing : approval,
        action: type,
        key: newId(),
        pointTypeName: type === 'sign' ? 'CompanyInternalSign' : 'InternalApprove',
        ...more,
      })
    const whole = (type: 'withdraw' | 'terminate') =>
      callUntilAnswered(
        random,
        { by: employee, type, requestId },
        type === 'withdraw' ? revokeRequest : terminateRequest,
        {
          ...of,
          key: newId(),
          comment: 'Передумали',
        },
      )
    const life = random(9)
    const group = life === 8 ? leavings.pop() : undefined
    if (group) {
      await leave(random, requestId, group)
      continue
    }
    const sent = { ...of, documentId, routeId, name: 'Договор' }
    if (!(await callUntilAnswered(random, { by: employee, type: 'send', requestId }, createRequest, sent)))
      continue
    if (life === 0) await act('reject', colleague, { comment: 'Нет сметы' })
    if (life <= 1) continue
    if (!(await act('approve', colleague))) continue
    if (life === 2) await whole('withdraw')
    if (life === 3) await act('sign', employee, { signature: wrong })
    if (life === 2) continue
    if (life === 4) {
      // Both at once: one succeeds, the other is refused.
      await Promise.all([
        act('sign', employee, { signature: await good() }),
        act('sign', colleague, { signature: await signatureOf(ofColleague) }),
      ])
    } else if (!(await act('sign', employee, { signature: await good() }))) continue
    if (life === 5) await whole('terminate')
  }
}

async function leave(
  random: (below: number) => number,
  requestId: string,
  { group: { id: groupId, ...group }, stays, point, route }: Leaving,
): Promise<void> {
  const sent = { signingRequestId: requestId, documentId, routeId: route, name: 'Приказ' }
  if (!(await callUntilAnswered(random, { by: employee, type: 'send', requestId }, createRequest, sent)))
    return
  const act = { signingRequestId: requestId, pointId: point, key: newId() }
  const approved = await callUntilAnswered(random, { by: stays, type: 'approve', requestId }, actAtPoint, {
    ...act,
    pointTypeName: 'InternalApprove',
    action: 'approve',
  })
  const change = { organizationId, groupId, participants: [stays] }
  const { result: effects } = await call(owner, previewGroup, { ...change, skip: 0, take: 10 })
  const saved = { ...group, ...change, seenEffects: effects.fingerprint }
  // If the group was saved but the response was lost, the repeated call is refused because of the version.
  if (approved) await callUntilAnswered(random, { by: owner, type: 'leave', requestId }, saveGroup, saved)
  left.push({ requestId, groupId })
}

/** Kills one of the two servers, sometimes both. Open calls are repeated; new calls wait until the servers are back. */
async function kill(random: (below: number) => number, howMany: number): Promise<void> {
  // Waits for a number of responses and not for a time, so that fast and slow machines do the same.
  const then = run.responses + 10 + random(20)
  while (run.responses < then) await setTimeout(1)
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
  send: 'sent',
  approve: 'approved',
  reject: 'rejected',
  withdraw: 'withdrawn',
  terminate: 'termination-begun',
  sign: 'signature-taken',
}

test(
  'killed servers lose no acknowledged act, repeat none, and leave no signature unjudged',
  { timeout: 400_000 },
  async () => {
    const lives = Array.from({ length: clients }, (_, i) => live(randomFrom(seed + i)))
    const random = randomFrom(seed - 1)
    for (let i = 1; i <= kills; i++) {
      await kill(random, i % 5 === 0 ? 2 : 1)
      heads.push(await headOf(servers[0]!))
    }
    // How many life cycles fit between two kills depends on the machine: people go on until enough members have left.
    while (leftForSure() <= leftAtLeast) await setTimeout(20)
    run.isOver = true
    await Promise.all(lives)
    // There were only successes, expected conflicts and calls without a response.
    const expected = [200, 409, null]
    expect(clientCalls.filter(({ status }) => !expected.includes(status))).toEqual([])
    const acknowledged = clientCalls.filter(({ status }) => status === 200)
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(acknowledged.some(({ tries }) => tries > 1)).toBe(true)

    // Work of killed processes is taken over when their leases end; here they end at once.
    await expireLeases()
    await expect.poll(openWork, { timeout: 150_000, interval: 500 }).toEqual([])
    servers.splice(0).forEach(({ child }) => child.kill('SIGKILL'))
    await expectCallsDoneOnce()
    await expectOrder()
    await expectLeft()
    await expectLog()
  },
)

/** Ends the leases and pauses that killed processes left behind. */
async function expireLeases(): Promise<void> {
  const past = sql`now() - interval '1 year'`
  await database.write(async (tx) => {
    await sql`update request_signatures set next_try_at = ${past} where state = 'checking'`.execute(tx)
    await sql`update pgboss.job set heartbeat_on = ${past} where state = 'active'`.execute(tx)
  })
}

/** Signatures that are not judged and jobs that have not run, without e-mails: there is no mail server here. */
async function openWork(): Promise<unknown[]> {
  await database.write(async (tx) => {
    await sql`update pgboss.job set start_after = now() where state = 'retry' and start_after > now()`.execute(
      tx,
    )
    // A check that was postponed on a busy machine is due at once: its pause ends when it began.
    await sql`update request_signatures set next_try_at = checked_at
      where state = 'checking' and next_try_at - checked_at > interval '29 seconds'`.execute(tx)
  })
  const { rows } = await sql`
    select 'signature' as what, id::text, null as state from request_signatures where state = 'checking'
    union all
    select name, id::text, state::text from pgboss.job
    where name in ('settle-requests', 'tell-events') and state <> 'completed'`.execute(database.db)
  return rows
}

const leftAtLeast = 3
const leftForSure = () => clientCalls.filter(({ type, status }) => type === 'leave' && status === 200).length

/** Nobody waits for members who left, even if the process that handled their leaving was killed. */
async function expectLeft(): Promise<void> {
  expect(left.length).toBeGreaterThan(leftAtLeast)
  const { rows: jobs } = await sql`select id from pgboss.job where name = 'settle-requests'`.execute(
    database.db,
  )
  expect(jobs.length).toBeGreaterThan(leftAtLeast)
  for (const { requestId, groupId } of left) {
    const { rows } = await sql<{ people: number; status: number; acted: number }>`
      select (select count(*) from group_participants g where g.group_id = ${groupId})::int as people,
        r.status, coalesce(cardinality(p.acted), 0) as acted
      from signing_requests r join request_points p on p.request_id = r.id where r.id = ${requestId}`.execute(
      database.db,
    )
    const [found] = rows
    if (found?.people === 1 && found.acted === 1) expect([requestId, found.status]).toEqual([requestId, 8])
  }
}

/** The newest head, as anybody may keep it. */
async function headOf({ address }: Main): Promise<{ size: number; root: string }> {
  const key = readLogKey(join(dataDir, 'log-key.pem'))!
  await signHead(database, key, time.now)
  const response = await fetch(new URL(getLogHead.path, address))
  return (await response.json()) as { size: number; root: string }
}

/**
 * Every event is in the log once, in the order of its request, and every head that was given out is a beginning of
 * the log.
 */
async function expectLog(): Promise<void> {
  const key = readLogKey(join(dataDir, 'log-key.pem'))!
  const last = await signHead(database, key, time.now)
  expect((await auditLog(database.db, createPublicKey(key))).faults).toEqual([])
  expect(new Set(heads.map(({ size }) => size)).size).toBeGreaterThan(kills / 2)
  for (const { size, root } of heads) {
    const proof = await consistencyProof(database.db, size, last.size)
    expect(isConsistent({ size, root: Buffer.from(root, 'hex') }, last, proof)).toBe(true)
  }
}

/** Each person's acts on each request number at least those acknowledged and at most those tried. */
async function expectCallsDoneOnce(): Promise<void> {
  const { rows } = await sql<{ key: string; count: number }>`
    select concat_ws(' ', request_id, type, actor->>'id') as key, count(*)::int as count
    from request_events where actor is not null group by 1`.execute(database.db)
  const found = new Map(rows.map(({ key, count }) => [key, count]))
  const callsByKey = Map.groupBy(clientCalls, ({ requestId, type, by }) =>
    [requestId, madeBy[type], by].join(' '),
  )
  for (const [key, all] of callsByKey) {
    if (all[0]?.type === 'leave') continue
    const done = all.filter(({ status }) => status === 200).length
    const open = all.filter(({ status }) => status === null).length
    const count = found.get(key) ?? 0
    expect([key, count >= done && count <= done + open]).toEqual([key, true])
  }
  expect([...found.keys()].filter((key) => !callsByKey.has(key))).toEqual([])
}

/** The status of every request follows from its history, and no signature is unchecked. */
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
  // Stored signatures and events of receiving them match; each termination has its document.
  expect(
    await one(sql`
      select r.id from signing_requests r
      where (select count(*) from request_signatures s where s.request_id = r.id)
        <> (select count(*) from request_events e where e.request_id = r.id and e.type = 'signature-taken')
      or (select count(*) from request_terminations t where t.request_id = r.id) <> r.attempt`),
  ).toEqual([])
  // A point is signed by exactly one accepted signature.
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
