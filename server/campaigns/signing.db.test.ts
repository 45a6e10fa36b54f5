/** Signed campaigns: people sign side by side, whatever happens to the campaign or the people meanwhile. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { mostPeople } from '@kelisim/domain/campaigns/audience.ts'
import { shownMoment } from '@kelisim/domain/calendar.ts'
import { addCampaign, getCampaign, getCampaignPeople } from '@kelisim/domain/campaigns/contract.ts'
import { generateEvidence, generateSigningReport, getOutputs } from '@kelisim/domain/outputs/contract.ts'
import { removeMember } from '@kelisim/domain/portal/contract.ts'
import {
  getRequest,
  getRequestHistory,
  lockRequest,
  revokeRequest,
} from '@kelisim/domain/requests/contract.ts'
import { createCrosslinks } from '@kelisim/domain/requests/phone-contract.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import { checksIn, citizen, type Signer } from '../identity/testing-signers.ts'
import { actingIn, startRequestsApp, statusOf } from '../requests/core/testing-requests.ts'
import { openJudging } from '../requests/judging/judging.ts'
import { settleRequestsOf } from '../requests/judging/settling.ts'
import { aliasOf } from '../routes/testing-routes.ts'
import { readTable } from '../tables/read-table.ts'
import { publicUrl } from '../testing.ts'

/** Runs before each check of a signature; tests replace it. */
let beforeCheck: () => Promise<void> = async () => {}
const testApp = await startRequestsApp({}, async (job, check) => {
  await beforeCheck()
  return check(job)
})
const { app, archive, call, database, nation, centre, time, tokenOf } = testApp
const { look, signAt, act } = actingIn(testApp)
const all = { skip: 0, take: 100 }
const type = 'InternalInformationConfirm'

beforeEach(() => {
  beforeCheck = async () => {}
  centre.answer = 'good'
})

/** A signing campaign for everybody of a new organisation. */
async function campaign(signedWith: 'employee' | 'person' = 'employee') {
  const company = await testApp.company()
  const { organizationId, owner, bin } = company
  const document = (await company.upload(owner, organizationId)).result
  const form = { documentId: document.id, name: 'Приказ', isEverybody: true, signedWith }
  const { result } = await call(owner, addCampaign, { organizationId, ...form })
  const { signingRequestId } = result
  const of = { organizationId, signingRequestId }
  const who = (id: string) => ({ id, organizationId })
  const view = async (person: string) => (await look(who(person), signingRequestId)).result
  const employeeKey = () => citizen(nation, { bin, role: 'employee' })
  /** Signs with an employee key of this organisation, unless another key is given. */
  const signBy = async (person: string, signer?: Signer, change: object = {}) =>
    signAt(who(person), await view(person), type, signer ?? (await employeeKey()), change)
  const countsOf = async () => (await call(owner, getCampaign, of)).result.counts
  const groupOf = async () =>
    (
      await database.pool.query<{ id: string }>(
        'select group_id as id from request_points where request_id = $1',
        [signingRequestId],
      )
    ).rows[0]!.id
  const give = async (person: string, path: string) =>
    app.inject({
      url: path,
      headers: { origin: publicUrl.origin, cookie: `session=${await tokenOf(person)}` },
    })
  return { ...company, of, who, view, employeeKey, signBy, countsOf, groupOf, give, document }
}

/** Makes checks wait until this many have begun. */
function meet(count: number): () => Promise<void> {
  let begun = 0
  const all = Promise.withResolvers<void>()
  return () => {
    if (++begun === count) all.resolve()
    return all.promise
  }
}

/** Makes checks wait until the test calls `goOn`. */
function holdChecks(): { begun: Promise<void>; goOn: () => void } {
  const begun = Promise.withResolvers<void>()
  const going = Promise.withResolvers<void>()
  beforeCheck = () => {
    begun.resolve()
    return going.promise
  }
  return { begun: begun.promise, goOn: () => going.resolve() }
}

describe('a campaign with signatures', () => {
  test('everybody can sign at once: no check waits for another, and no open dialog locks the document', async () => {
    const { owner, employee, colleague, administrator, routesAdministrator, of, view, signBy, countsOf } =
      await campaign()
    const everybody = [owner, employee, colleague, administrator, routesAdministrator]
    for (const person of everybody) expect((await call(person, lockRequest, of)).status).toBe(200)
    expect((await view(colleague)).lock).toBeNull()
    // Each sends the version they saw before the others signed, as the page does.
    const { currentVersion, revision } = await view(employee)
    beforeCheck = meet(everybody.length)
    const signed = await Promise.all(
      everybody.map((person) => signBy(person, undefined, { currentVersion, revision })),
    )
    expect(signed.map(({ status }) => status)).toEqual(everybody.map(() => 200))
    expect(await countsOf()).toMatchObject({ confirmed: 5, waiting: 0 })
    expect(statusOf(await view(owner))).toBe('Completed')
  })

  test('a refused signature concerns its signer only: others are accepted meanwhile, and the signer can sign again', async () => {
    const { owner, employee, colleague, view, signBy, countsOf, employeeKey } = await campaign()
    const stranger = await citizen(nation, { bin: '990140000007', role: 'employee' })
    beforeCheck = meet(2)
    const [refused, accepted] = await Promise.all([signBy(employee, stranger), signBy(colleague)])
    expect([refused.status, accepted.status]).toEqual([200, 200])
    beforeCheck = async () => {}
    const [hers, theirs, ours] = await Promise.all([view(employee), view(colleague), view(owner)])
    expect(hers.points[0]).toMatchObject({ status: pointStatuses.ValidationError })
    expect(hers.points[0]!.statusDescriptionData?.parameters['code']).toMatch(/^DS-/)
    expect(hers.acts.map(({ act: name }) => name)).toContain('sign')
    expect(theirs.points[0]).toMatchObject({ status: pointStatuses.Waiting, statusDescriptionData: null })
    expect(ours.points[0]).toMatchObject({ status: pointStatuses.Waiting, signatures: [] })
    expect(ours.points[0]!.acts).toHaveLength(1)
    expect(statusOf(ours)).toBe('InProgress')
    await signBy(employee, await employeeKey())
    expect(await countsOf()).toMatchObject({ confirmed: 2, waiting: 3 })
  })

  test('the same person signs only once, on the page or by phone', async () => {
    const { employee, colleague, of, who, view, signBy, countsOf } = await campaign()
    const before = await view(employee)
    const { pointId } = before.points[0]!
    const held = holdChecks()
    const first = signBy(employee)
    await held.begun
    expect((await view(employee)).points[0]!.status).toBe(pointStatuses.Validation)
    const phone = await call(employee, createCrosslinks, { ...of, pointId })
    const again = await signAt(who(employee), before, type, await citizen(nation, {}))
    expect([aliasOf(phone), aliasOf(again)]).toEqual(['signature-being-checked', 'signature-being-checked'])
    // Everybody else can sign by phone meanwhile.
    expect((await call(colleague, createCrosslinks, { ...of, pointId })).status).toBe(200)
    held.goOn()
    await first
    expect(aliasOf(await call(employee, createCrosslinks, { ...of, pointId }))).toBe(
      'point-already-processed',
    )
    expect(await countsOf()).toMatchObject({ confirmed: 1 })
  })

  test('withdrawing does not wait for a check, and what was signed before is kept', async () => {
    const { owner, employee, of, view, signBy, countsOf } = await campaign()
    const held = holdChecks()
    const signing = signBy(employee)
    await held.begun
    expect((await call(owner, revokeRequest, { ...of, comment: 'Ошибка' })).status).toBe(200)
    held.goOn()
    await signing
    expect(statusOf(await view(owner))).toBe('Revoked')
    expect(await countsOf()).toMatchObject({ confirmed: 1, waiting: 4 })
    expect(aliasOf(await signBy(owner))).toBe('wrong-request-status')
  })

  test('a member who leaves while their signature is checked has signed, and the campaign ends after that', async () => {
    const { owner, employee, colleague, administrator, routesAdministrator, ...rest } = await campaign()
    const { organizationId, signBy, view, countsOf, groupOf } = rest
    for (const person of [owner, administrator, routesAdministrator, colleague]) await signBy(person)
    const held = holdChecks()
    const signing = signBy(employee)
    await held.begun
    await call(owner, removeMember, { organizationId, userId: employee })
    await settleRequestsOf(await groupOf(), database, () => time.now)
    expect(statusOf(await view(owner))).toBe('InProgress')
    held.goOn()
    await signing
    expect(statusOf(await view(owner))).toBe('Completed')
    expect(await countsOf()).toEqual({ total: 5, confirmed: 5, waiting: 0, excused: 0 })
  })

  test('confirming without a signature, refusing, and signing with another kind of key are not accepted', async () => {
    const { employee, who, view, signBy } = await campaign()
    const mine = await view(employee)
    expect(aliasOf(await act(who(employee), mine, type, 'confirm'))).toBe('signature-needed')
    expect(aliasOf(await act(who(employee), mine, type, 'reject', { comment: 'Нет' }))).toBe(
      'wrong-request-configuration',
    )
    await signBy(employee, await citizen(nation, {}))
    expect((await view(employee)).points[0]!.status).toBe(pointStatuses.ValidationError)

    const personal = await campaign('person')
    const own = await personal.ownKey(personal.employee)
    await personal.signBy(personal.employee, own)
    expect(await personal.countsOf()).toMatchObject({ confirmed: 1 })
    await personal.ownKey(personal.colleague)
    await personal.signBy(personal.colleague, await citizen(nation, {}))
    expect(await personal.countsOf()).toMatchObject({ confirmed: 1 })
  })

  test('during an outage people can sign, and their signatures are judged afterwards', async () => {
    const { employee, colleague, owner, view, signBy, countsOf } = await campaign()
    centre.answer = undefined
    for (const person of [employee, colleague, owner]) await signBy(person)
    expect(await countsOf()).toMatchObject({ confirmed: 0, waiting: 5 })
    expect((await view(colleague)).points[0]!.status).toBe(pointStatuses.Validation)
    centre.answer = 'good'
    await testApp.travel(new Date(time.now.getTime() + 60_000))
    const { judgeDue } = openJudging({
      database,
      storage: archive.storage,
      check: checksIn(nation, centre),
      clock: () => time.now,
    })
    await judgeDue()
    expect(await countsOf()).toMatchObject({ confirmed: 3, waiting: 2 })
  })
})

describe('a signature in a campaign', () => {
  test('is shown to the author and owners; everybody else sees only their own', async () => {
    const { owner, employee, colleague, of, view, signBy, give, ...everybody } = await campaign()
    await signBy(employee, undefined, { comment: 'Не согласна с пунктом 4' })
    await signBy(colleague)
    const { points } = await view(employee)
    expect(points[0]!.signatures).toHaveLength(1)
    expect(points[0]!.acts).toHaveLength(1)
    const history = (await call(colleague, getRequestHistory, { ...of, ...all })).result.items
    expect(history.filter(({ type: name }) => name.startsWith('signature-'))).toEqual([])

    const own = points[0]!.signatures[0]!.id
    const files = `/api/SigningRequests/${of.organizationId}/${of.signingRequestId}`
    const electronic = async (person: string) => {
      const { statusCode, rawPayload } = await give(person, `${files}/electronic/signing`)
      return statusCode === 200 ? readSignedData(rawPayload).signers.length : statusCode
    }
    expect([await electronic(owner), await electronic(employee)]).toEqual([2, 1])
    const download = (person: string) => give(person, `${files}/signatures/${own}`)
    expect([(await download(employee)).statusCode, (await download(colleague)).statusCode]).toEqual([
      200, 404,
    ])

    const kinds = async (person: string) =>
      (await call(person, getOutputs, of)).result.outputs.map(({ kind }) => kind)
    const archived = async (person: string) =>
      (
        await give(person, `/api/SigningRequests/${of.organizationId}/archive?ids=${of.signingRequestId}`)
      ).rawPayload
        .toString('latin1')
        .match(/PK\x01\x02/g)!.length
    // The archive has the document and the signatures; a person who has not signed gets the document alone.
    const { administrator } = everybody
    expect([await archived(owner), await archived(employee), await archived(administrator)]).toEqual([
      3, 2, 1,
    ])

    expect((await call(employee, generateSigningReport, of)).result.state).toBe('in-process')
    const reportOf = async (person: string) =>
      (await call(person, getOutputs, of)).result.outputs.find(({ kind }) => kind === 'report')!.state
    expect([await reportOf(employee), await reportOf(colleague), await reportOf(owner)]).toEqual([
      'in-process',
      'none',
      'none',
    ])
    expect(await kinds(owner)).toContain('evidence')
    expect(await kinds(owner)).not.toContain('printable')
    expect(await kinds(employee)).not.toContain('evidence')
    expect(aliasOf(await call(employee, generateEvidence, of))).toBe('evidence-not-found')
  })

  test('is in the acknowledgement sheet with name, serial number and time', async () => {
    const { owner, employee, of, signBy, give } = await campaign()
    await signBy(employee)
    const { items } = (await call(owner, getCampaignPeople, { ...of, ...all, only: 'confirmed' })).result
    const { certificate } = items[0]!
    expect(certificate).toMatchObject({ fullName: expect.stringContaining('Серікова') })
    const sheet = (format: string) =>
      give(owner, `/api/Campaigns/${of.organizationId}/${of.signingRequestId}/sheet/${format}`)
    const file = join(await mkdtemp(join(tmpdir(), 'kelisim-sheet-')), 'sheet.xlsx')
    await writeFile(file, (await sheet('xlsx')).rawPayload)
    const read = await readTable(file)
    const rows = 'table' in read ? read.table.rows.map(({ cells }) => cells.slice(3)) : []
    expect(rows).toContainEqual([
      shownMoment(new Date(items[0]!.at!)),
      certificate!.fullName,
      certificate!.serialNumber,
      'Ознакомление подтверждено, подписано ЭЦП',
    ])
    const pdf = await sheet('pdf')
    expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  })
})

test('the sheet has room for as many certificates as a campaign has people', async () => {
  const { owner, organizationId, document, give } = await campaign()
  await database.pool.query(
    `with added as (
      insert into users (id, issuer, subject, login, full_name, email, is_email_confirmed, created_at)
      select gen_random_uuid(), 'embedded', 'signer-' || i, 'signer-' || i, 'Қызметкер Аты-жөні Ұзын ' || i,
        'signer' || i || '@example.kz', true, now() from generate_series(1, $2) i returning id)
    insert into memberships (organization_id, user_id, roles, joined_at) select $1, id, 1, now() from added`,
    [organizationId, mostPeople - 5],
  )
  const form = { documentId: document.id, name: 'Приказ', isEverybody: true, signedWith: 'employee' } as const
  const { signingRequestId } = (await call(owner, addCampaign, { organizationId, ...form })).result
  // Signatures are inserted directly: signing nine hundred times is left to the benchmark.
  const facts = {
    fullName: 'Қызметкер Аты-жөні Ұзынұлы',
    serialNumber: '60c8c56fa8a23e99a6f6f545e1b63241cc27c6ba',
  }
  await database.pool.query(
    `insert into request_signatures (id, request_id, attempt, point_id, actor, actor_id, comment, file_id, cms, received_at, state, owner)
     select gen_random_uuid(), p.request_id, 0, p.point_id, jsonb_build_object('id', c.user_id, 'fullName', c.full_name), c.user_id, '',
       r.file_id, '\\x00', now(), 'accepted', $2
     from campaign_people c join request_points p on p.request_id = c.request_id join signing_requests r on r.id = c.request_id
     where c.request_id = $1`,
    [signingRequestId, facts],
  )
  await database.pool.query(
    `update request_points set acted = (select array_agg(user_id) from campaign_people where request_id = $1) where request_id = $1`,
    [signingRequestId],
  )
  for (const format of ['pdf', 'xlsx']) {
    const sheet = await give(owner, `/api/Campaigns/${organizationId}/${signingRequestId}/sheet/${format}`)
    expect([sheet.statusCode, sheet.rawPayload.length > 20_000]).toEqual([200, true])
  }
})

test('getRequest of a campaign shows nobody the comment of another member', async () => {
  const { employee, colleague, of, signBy } = await campaign()
  await signBy(employee, undefined, { comment: 'Только для владельца' })
  const seen = await call(colleague, getRequest, of)
  expect(JSON.stringify(seen.result)).not.toContain('Только для владельца')
})
