/** Runs the table of outages against the real handlers; docs/product/outages.md shows the same table. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { hour, minute } from '@kelisim/domain/durations.ts'
import { createRequest } from '@kelisim/domain/requests/contract.ts'
import { createCrosslinks } from '@kelisim/domain/requests/phone-contract.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { foundNation } from '@kelisim/signature/testing/nation.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { citizen, sign, type Signer } from '../../identity/testing-signers.ts'
import { quickSendScene } from '../../landing/testing-quick-send.ts'
import { stampSignature } from '../../outputs/core/durable-stamping.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { lies, openTestCentre, type TestCentre } from '../../signatures/testing-centre.ts'
import { publicUrl, someBin } from '../../testing.ts'
import { actingIn, type View } from '../core/testing-requests.ts'
import {
  combinations,
  outageTable,
  outcomes,
  rowsOf,
  type Combination,
  type OutageOutcome,
} from './testing-outages.ts'
import { openJudging } from './judging.ts'

const services: { centre?: TestCentre } = {}
const centre = () => services.centre!
const scene = await quickSendScene(
  {
    signatures: { verdictTimeout: () => centre().verdictTimeout() },
    queues: { queueStamping: async (_, signatureId) => void toStamp.push(signatureId) },
  },
  (job) => centre().check(job),
  // P-256 keys are fast, and a few hundred signatures are made and checked.
  'p-256',
)
const { app, call, nation, database, time, travel, archive, begun, commit, forget } = scene
const toStamp: string[] = []
const { look, act } = actingIn(scene)
const stranger = await foundNation('p-256', 'Stranger')
services.centre = openTestCentre(nation, stranger, () => time.now)
const start = time.now
const company = await scene.company()
const employee = { id: company.employee, organizationId: company.organizationId }
const route = await company.route(await company.point('CompanyInternalSign'))
const documentId = (await company.upload(employee.id, employee.organizationId)).result.id
const judging = openJudging({
  database,
  storage: archive.storage,
  check: (job) => centre().check(job),
  clock: () => time.now,
  queueStamping: async (_, signatureId) => void toStamp.push(signatureId),
})
const later = (milliseconds: number) => travel(new Date(time.now.getTime() + milliseconds))
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const allAnswer = { ocsp: 'answers', crl: 'answers', tsp: 'answers' } as const

beforeEach(async () => {
  await travel(start)
  await forget()
  await database.pool.query('delete from landing_transactions')
  toStamp.length = 0
})

test('the outage table has every combination once', () => {
  const found = combinations().map((one) => [one, rowsOf(one).length])
  expect(found.filter(([, count]) => count !== 1)).toEqual([])
})

test('docs/product/outages.md contains the same table, with the texts of the product', () => {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/product/outages.md'), 'utf8')
  // The formatter aligns the columns.
  const plain = (text: string) => text.replaceAll(/ *\| */g, '|').replaceAll(/\|-+/g, '|-')
  expect(plain(document)).toContain(plain(shownTable()))
})

/** The long timeout allows for a busy machine. */
const eventually = <T>(seen: () => Promise<T>) => expect.poll(seen, { timeout: 30_000 })

let acts = 0
const signed = (signer: Signer) => sign(signer, goodPdf, new Date(time.now.getTime() - ++acts * 1000))

async function sent(isTimestampRequired: boolean): Promise<View> {
  const { organizationId, id } = employee
  const form = { documentId, routeId: route, name: 'Договор', isTimestampRequired }
  return (await call(id, createRequest, { organizationId, ...form })).result
}

/** Signs in this way as far as the person gets; undefined: nothing was sent to the server. */
async function signBy({ way, isStampRequired }: Combination, request: View): Promise<void | undefined> {
  const cms = await signed(company.stamp)
  const stamped = isStampRequired ? await centre().stamped(cms) : null
  if (isStampRequired && stamped === null) return undefined
  if (way === 'desktop') {
    const timestamped = stamped && { timestampedSignature: base64(stamped) }
    const change = { signature: base64(cms), ...timestamped }
    expect((await act(employee, request, 'CompanyInternalSign', 'sign', change)).status).toBe(200)
    return undefined
  }
  const { result } = await call(employee.id, createCrosslinks, {
    organizationId: employee.organizationId,
    signingRequestId: request.id,
    pointId: request.points[0]!.pointId,
  })
  const phone = async (method: 'GET' | 'PUT', url: string, token?: string, body?: object) =>
    app.inject({
      method,
      url: url.replace(publicUrl.origin, ''),
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body && { payload: body }),
    })
  const introduction = await phone('GET', result.code.slice('mobileSign:'.length))
  const { uri, auth_token: token } = introduction.json<{ document: { uri: string; auth_token: string } }>()
    .document
  const documents = (await phone('GET', uri, token)).json<{
    documentsToSign: { document: { file: { data: string } } }[]
  }>()
  documents.documentsToSign[0]!.document.file.data = base64(stamped ?? cms)
  await phone('PUT', uri, token, documents)
  return undefined
}

/** The first signature of the first point, as stored: after a quick send there is no member who could look at it. */
async function stateOf({ id }: Pick<View, 'id'>) {
  const { rows } = await database.pool.query<{ state: string | null; code: string | null; status: number }>(
    `select s.state, s.verdict->>'code' as code, p.status
     from request_points p left join request_signatures s on s.request_id = p.request_id and s.point_id = p.point_id
     where p.request_id = $1 and p."order" = 1 order by s.received_at, s.id limit 1`,
    [id],
  )
  return rows[0]!
}

const accepted = { state: 'accepted', status: pointStatuses.Signed }
const checking = { state: 'checking', status: pointStatuses.Validation }

async function unstamped(): Promise<number> {
  const rows = await database.db
    .selectFrom('requestSignatures as s')
    .leftJoin('signatureTimestamps as t', 't.signatureId', 's.id')
    .select('s.id')
    .where('s.id', 'in', toStamp)
    .where('t.signatureId', 'is', null)
    .execute()
  return rows.length
}

const stampAll = async () => {
  const stamping = {
    database,
    storage: archive.storage,
    check: (job: Parameters<TestCentre['check']>[0]) => centre().check(job),
    askTimestamp: (request: Uint8Array) => centre().askTimestamp(request),
    clock: () => time.now,
  }
  for (const signatureId of toStamp) await stampSignature(stamping, signatureId).catch(() => {})
}

/** A signature without a timestamp of its own gets one when the service answers, and keeps its verdict until then. */
async function expectStampedLater(
  { isStampRequired, tsp }: Combination,
  request: Pick<View, 'id'>,
): Promise<void> {
  if (isStampRequired) return expect(toStamp).toEqual([])
  expect(toStamp).toHaveLength(1)
  if (tsp === 'down' || tsp === 'lies') {
    await stampAll()
    expect(await unstamped()).toBe(1)
    expect(await stateOf(request)).toMatchObject(accepted)
  }
  centre().become(allAnswer)
  await stampAll()
  expect(await unstamped()).toBe(0)
  return undefined
}

/** Expects no verdict within 24 hours, however often and for however long the centre is asked in vain. */
async function expectNoVerdictIn24Hours(request: View): Promise<void> {
  for (const pause of [minute, 12 * hour, 12 * hour - 2 * minute]) {
    await database.write((tx) =>
      tx.updateTable('requestSignatures').set({ tries: 50 }).where('requestId', '=', request.id).execute(),
    )
    await later(pause)
    await judging.judgeDue()
    expect(await stateOf(request)).toMatchObject(checking)
  }
  const { verdict } = await database.db
    .selectFrom('requestSignatures')
    .select('verdict')
    .where('requestId', '=', request.id)
    .executeTakeFirstOrThrow()
  expect(verdict).toMatchObject({ verdict: 'INDETERMINATE', subIndication: 'TRY_LATER' })
}

const expected: Record<OutageOutcome, (one: Combination) => Promise<void>> = {
  async accepted(one) {
    const request = await sent(one.isStampRequired)
    await signBy(one, request)
    expect(await stateOf(request)).toMatchObject(accepted)
    await expectStampedLater(one, request)
  },
  async 'accepted when answered'(one) {
    const request = await sent(one.isStampRequired)
    await signBy(one, request)
    expect(await stateOf(request)).toMatchObject(checking)
    centre().release()
    await eventually(() => stateOf(request)).toMatchObject(accepted)
    await expectStampedLater(one, request)
  },
  async waits(one) {
    const request = await sent(one.isStampRequired)
    await signBy(one, request)
    expect(await stateOf(request)).toMatchObject(checking)
    await expectNoVerdictIn24Hours(request)
    centre().become({ ...allAnswer, tsp: one.tsp })
    await later(hour)
    await judging.judgeDue()
    expect(await stateOf(request)).toMatchObject(accepted)
    await expectStampedLater(one, request)
  },
  async 'not signed'(one) {
    const request = await sent(true)
    await signBy(one, request)
    const alone = { signature: base64(await signed(company.stamp)) }
    expect(aliasOf(await act(employee, request, 'CompanyInternalSign', 'sign', alone))).toBe(
      'timestamp-needed',
    )
    expect(await stateOf(request)).toMatchObject({ state: null, status: pointStatuses.Waiting })
    centre().become(allAnswer)
    await signBy(one, request)
    expect(await stateOf(request)).toMatchObject(accepted)
  },
  async 'wrong stamp'(one) {
    const request = await sent(true)
    await signBy(one, request)
    expect(['DS-603', 'DS-605']).toContain((await stateOf(request)).code)
    centre().become(allAnswer)
    await signBy(one, request)
    expect((await look(employee, request.id)).result.points[0]!.status).toBe(pointStatuses.Signed)
  },
  async 'wrong stamp when answered'(one) {
    const request = await sent(true)
    await signBy(one, request)
    expect(await stateOf(request)).toMatchObject(checking)
    centre().release()
    await eventually(async () => (await stateOf(request)).state).toBe('refused')
    expect(['DS-603', 'DS-605']).toContain((await stateOf(request)).code)
  },
  async sent(one) {
    const { commitAgain } = await quickSending()
    const request = await commitAgain()
    await expectStampedLater(one, request)
  },
  async 'sent when answered'(one) {
    const { countOfRequests, commitAgain } = await quickSending()
    const before = await countOfRequests()
    const sending = commitAgain()
    await centre().verdictTimeout()
    expect(await countOfRequests()).toBe(before)
    centre().release()
    await expectStampedLater(one, await sending)
  },
  async 'not sent'(one) {
    const { countOfRequests, attempt, commitAgain } = await quickSending()
    const before = await countOfRequests()
    expect(aliasOf(await attempt())).toBe('signature-not-checked')
    const { rows } = await database.pool.query('select tries from landing_transactions')
    expect(rows).toEqual([{ tries: 0 }])
    expect(await countOfRequests()).toBe(before)
    await later(minute)
    centre().become({ ...allAnswer, tsp: one.tsp })
    await expectStampedLater(one, await commitAgain())
  },
}

let senders = 7000
async function quickSending() {
  const signer = await citizen(nation, { bin: someBin(++senders) })
  const { transactionId } = await begun()
  const signature = base64(await signed(signer))
  const attempt = () => commit(transactionId, signature)
  const countOfRequests = async () =>
    (await database.pool.query<{ count: number }>('select count(*)::int as count from signing_requests'))
      .rows[0]!.count
  async function commitAgain(): Promise<Pick<View, 'id'>> {
    const { status, result } = await attempt()
    expect(status).toBe(200)
    const request = { id: result.signingRequestId }
    // A slow service may have used up the time for which the call waits for the verdict.
    await eventually(() => stateOf(request)).toMatchObject(accepted)
    return request
  }
  return { attempt, commitAgain, countOfRequests }
}

/** Takes the wrong answers in turn, so that each is given somewhere. */
const inTurn = <T>(all: readonly T[], i: number): T => all[i % all.length]!

describe.each(Object.keys(outcomes) as OutageOutcome[])('%s', (outcome) => {
  const all = combinations()
  const cases = all.filter((one) => rowsOf(one)[0]?.outcome === outcome)
  test.each(cases)(
    '$way, timestamp required: $isStampRequired; OCSP $ocsp, CRL $crl, TSP $tsp',
    async (one) => {
      const i = all.indexOf(one)
      centre().become(one, {
        ocsp: inTurn(lies.ocsp, i),
        crl: inTurn(lies.crl, Math.floor(i / 3)),
        tsp: inTurn(lies.tsp, i),
      })
      await expected[outcome](one)
    },
  )
})

describe('any invalid response instead of an answer', () => {
  const both = lies.ocsp.flatMap((ocsp) => lies.crl.map((crl) => ({ ocsp, crl })))
  test.each(both)('leaves the signature waiting: OCSP $ocsp, CRL $crl', async (told) => {
    centre().become({ ocsp: 'lies', crl: 'lies', tsp: 'answers' }, told)
    const request = await sent(true)
    await signBy(
      { way: 'desktop', isStampRequired: true, ocsp: 'lies', crl: 'lies', tsp: 'answers' },
      request,
    )
    expect(await stateOf(request)).toMatchObject(checking)
    await later(minute)
    await judging.judgeDue()
    expect(await stateOf(request)).toMatchObject(checking)
  })
})

test('a certificate that expires during the outage is judged by the time of the timestamp, not refused meanwhile', async () => {
  const expiring = await citizen(nation, {
    iin: company.stamp.iin,
    bin: company.bin,
    notAfter: new Date(start.getTime() + 2 * hour),
  })
  const request = await sent(true)
  centre().become({ ocsp: 'down', crl: 'down', tsp: 'answers' })
  const cms = await signed(expiring)
  const stamped = (await centre().stamped(cms))!
  const twice = { signature: base64(cms), timestampedSignature: base64(stamped) }
  await act(employee, request, 'CompanyInternalSign', 'sign', twice)
  expect(await stateOf(request)).toMatchObject(checking)
  await later(3 * hour)
  await judging.judgeDue()
  expect(await stateOf(request)).toMatchObject(checking)
})

function shownTable(): string {
  /** The Russian text of a key with its namespace. */
  const t = (key: string) => {
    const text = textsOf('ru', 'requests') as (full: string) => string
    // Without the brackets of the code, which is left out here.
    return text(key).replace(' ()', '')
  }
  const list = (all: readonly string[]) => (all.length === 4 ? 'any' : all.join(', '))
  const lines = outageTable.map(({ ways, isStampRequired, ocsp, crl, tsp, outcome }) =>
    [ways.join(', '), isStampRequired[0] ? 'yes' : 'no', list(ocsp), list(crl), list(tsp), outcome].join(
      ' | ',
    ),
  )
  const meanings = Object.entries(outcomes).map(([name, { kept, now, later: then }]) =>
    [name, kept, `«${t(now)}»`, then].join(' | '),
  )
  return [
    '| Way | Timestamp required | OCSP | CRL | Timestamps | Outcome |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines.map((line) => `| ${line} |`),
    '',
    '| Outcome | Kept | What the person reads | Later |',
    '| --- | --- | --- | --- |',
    ...meanings.map((line) => `| ${line} |`),
  ].join('\n')
}
