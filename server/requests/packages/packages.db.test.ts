/** Packages: several documents that are sent at once and, if the sender wishes, answered only at once. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { addThread } from '@kelisim/domain/comments/contract.ts'
import { getRequestHistory, lockRequest, type pointActs } from '@kelisim/domain/requests/contract.ts'
import { correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import { actOnPackage, createPackage } from '@kelisim/domain/requests/packages/contract.ts'
import { createCrosslinks } from '@kelisim/domain/requests/phone-contract.ts'
import { findPointStatus } from '@kelisim/domain/requests/status.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { auditState } from '../../operator/audit/state-queries.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { actingIn, startRequestsApp, statusOf, type View } from '../core/testing-requests.ts'

const testApp = await startRequestsApp()
const { call, database } = testApp
const sender = await testApp.company()
const partner = await testApp.company()
const stranger = await testApp.company()
const { organizationId, employee, colleague } = sender
const { act, look, signAt, signatureOf } = actingIn(testApp)
const member = { id: employee, organizationId }
const receiver = { id: partner.owner, organizationId: partner.organizationId }
const approval = await sender.point('InternalApprove')
const signing = await sender.point('CompanyInternalSign')
const external = await sender.point('ExternalSign', { bin: partner.bin, emails: ['partner@example.kz'] })
const route = await sender.route(approval, signing)

/** Each file of the package has bytes of its own. */
const bytesOf = (i: number) => Buffer.concat([goodPdf, Buffer.from(`\n% document ${i}\n`)])
const documents = async (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => ({
      documentId: (await sender.upload(employee, organizationId, { bytes: bytesOf(i) })).result.id,
      name: `Документ ${i + 1}`,
    })),
  )

async function send(change: object = {}, count = 3) {
  const form = { name: 'Сделка', routeId: route, documents: await documents(count) }
  return call(employee, createPackage, { organizationId, ...form, ...change })
}
const sentTogether = async (change: object = {}) => (await send({ isTogether: true, ...change })).result

const waiting = ({ points }: View) =>
  points.findIndex(({ status }) => findPointStatus(status) === 'Waiting') + 1

type DocumentOverrides = { signature?: string; revision?: number; key?: string }

/** Gives the same answer for these requests, at their first or second point. */
async function answer(
  packageId: string,
  requests: readonly View[],
  action: (typeof pointActs)[number],
  place: number,
  change: {
    who?: { id: string; organizationId: string }
    each?: (i: number) => DocumentOverrides
    comment?: string
  } = {},
) {
  const { who = member, each = () => ({}), ...rest } = change
  return call(who.id, actOnPackage, {
    organizationId: who.organizationId,
    packageId,
    action,
    documents: requests.map(({ id, revision, points }, i) => ({
      signingRequestId: id,
      pointId: points[place - 1]!.pointId,
      revision,
      ...each(i),
    })),
    ...rest,
  })
}

const states = async (requests: readonly { id: string }[]) =>
  Promise.all(
    requests.map(async ({ id }) => {
      const view = (await look(member, id)).result
      return `${statusOf(view)} ${waiting(view)}`
    }),
  )

describe('sending a package', () => {
  test('makes a request of every document, in order, and each shows the others', async () => {
    const { result } = await send()
    expect(result.requests.map(({ name, status }) => [name, statusOf({ status })])).toEqual([
      ['Документ 1', 'InProgress'],
      ['Документ 2', 'InProgress'],
      ['Документ 3', 'InProgress'],
    ])
    const [first] = result.requests
    expect(first!.package).toMatchObject({ id: result.packageId, name: 'Сделка', isTogether: false })
    expect(first!.package!.requests.map(({ id, revision }) => [id, revision])).toEqual(
      result.requests.map(({ id }) => [id, 1]),
    )
    const page = { organizationId, signingRequestId: result.requests[1]!.id, skip: 0, take: 100 }
    const { items } = (await call(employee, getRequestHistory, page)).result
    expect(items.at(-1)!.data).toMatchObject({ package: { id: result.packageId, position: 2, count: 3 } })
    expect(await auditState(database.db)).toEqual([])
  })

  test('does nothing when repeated, and refuses an id used by others', async () => {
    const form = { packageId: newId(), documents: await documents(2) }
    const [one, other] = await Promise.all([send(form), send(form)])
    expect(other.result).toEqual(one.result)
    expect((await send(form)).result.requests.map(({ id }) => id)).toEqual(
      one.result.requests.map(({ id }) => id),
    )
    const refused = await call(stranger.employee, createPackage, {
      organizationId: stranger.organizationId,
      name: 'Чужой',
      routeId: await stranger.route(await stranger.point('CompanyInternalSign')),
      ...form,
    })
    expect([refused.status, aliasOf(refused)]).toEqual([404, 'package-not-found'])
  })

  test('refuses a changed package with an id that was already sent', async () => {
    const form = { packageId: newId(), documents: await documents(2) }
    expect((await send(form)).status).toBe(200)
    for (const change of [
      { documents: await documents(2) },
      { name: 'Другая сделка' },
      { isTogether: true },
    ]) {
      const response = await send({ ...form, ...change })
      expect([response.status, aliasOf(response)]).toEqual([409, 'sent-before'])
    }
  })

  test('sends all documents or none', async () => {
    const [one, two] = await documents(2)
    const before = await countRequests()
    const { status } = await send({ documents: [one, { ...two, documentId: newId() }] })
    expect([status, await countRequests()]).toEqual([404, before])
    expect((await send({ documents: [one, one] })).status).toBe(400)
    expect((await send({ documents: [one] })).status).toBe(400)
  })

  test('refuses signing inside the PDF for documents decided together', async () => {
    const inside = await sender.route(await sender.point('CompanyInternalSign', { signatureForm: 'pades' }))
    const refused = await send({ routeId: inside, isTogether: true })
    expect(aliasOf(refused)).toBe('package-signed-inside')
    expect((await send({ routeId: inside })).status).toBe(200)
  })

  const countRequests = async () =>
    (await database.pool.query<{ count: string }>('select count(*) from signing_requests')).rows[0]!.count
})

describe('documents decided together', () => {
  test('are approved and signed at once, and cannot be answered one by one', async () => {
    const { packageId, requests } = await sentTogether()
    const [one, two] = requests
    for (const [action, change] of [
      ['approve', {}],
      ['reject', { comment: 'Нет' }],
    ] as const) {
      const refused = await act(member, one!, 'InternalApprove', action, change)
      expect([refused.status, aliasOf(refused)]).toEqual([409, 'package-together'])
    }
    expect(aliasOf(await answer(packageId, [one!, two!], 'approve', 1))).toBe('package-together')
    expect(await states(requests)).toEqual(Array(3).fill('InProgress 1'))
    expect((await answer(packageId, requests, 'approve', 1)).status).toBe(200)
    expect(await states(requests)).toEqual(Array(3).fill('InProgress 2'))
    const alone = await signAt(member, one!, 'CompanyInternalSign', sender.stamp)
    expect(aliasOf(alone)).toBe('package-together')
    const signatures = await Promise.all(requests.map((_, i) => signatureOf(sender.stamp, bytesOf(i))))
    const each = (i: number) => ({ signature: signatures[i]! })
    const { result } = await answer(packageId, requests, 'sign', 2, { each })
    expect(result.requests.map(statusOf)).toEqual(['Completed', 'Completed', 'Completed'])
    expect(await auditState(database.db)).toEqual([])
  })

  test('are rejected at once', async () => {
    const { packageId, requests } = await sentTogether()
    expect((await answer(packageId, requests, 'reject', 1)).status).toBe(400)
    const { result } = await answer(packageId, requests, 'reject', 1, { comment: 'Не та цена' })
    expect(result.requests.map(statusOf)).toEqual(['Rejected', 'Rejected', 'Rejected'])
  })

  test('all stay as they were if one of them cannot be answered', async () => {
    const { packageId, requests } = await sentTogether()
    const stale = await answer(packageId, requests, 'approve', 1, {
      each: (i) => ({ revision: i === 2 ? 2 : 1 }),
    })
    expect(aliasOf(stale)).toBe('document-revised')
    expect(await states(requests)).toEqual(Array(3).fill('InProgress 1'))
  })

  test('a signature over another document is refused, and the other requests go on', async () => {
    const { packageId, requests } = await sentTogether({ routeId: await sender.route(signing) })
    const signatures = await Promise.all(requests.map(() => signatureOf(sender.stamp, bytesOf(0))))
    const each = (i: number) => ({ signature: signatures[i]! })
    const { result } = await answer(packageId, requests, 'sign', 1, { each })
    expect(result.requests.map(statusOf)).toEqual(['Completed', 'ValidationFail', 'ValidationFail'])
    const left = result.requests.slice(1)
    const alone = await signatureOf(sender.stamp, bytesOf(1))
    const apart = await answer(packageId, left.slice(0, 1), 'sign', 1, { each: () => ({ signature: alone }) })
    expect(aliasOf(apart)).toBe('package-together')
    const again = await Promise.all(left.map((_, i) => signatureOf(sender.stamp, bytesOf(i + 1))))
    const second = await answer(packageId, left, 'sign', 1, { each: (i) => ({ signature: again[i]! }) })
    expect(second.result.requests.map(statusOf)).toEqual(['Completed', 'Completed'])
  })

  test('cannot be answered one by one while a colleague holds the lock of one of them', async () => {
    const { requests } = await sentTogether({ routeId: await sender.route(signing) })
    const held = { organizationId, signingRequestId: requests[0]!.id }
    expect((await call(colleague, lockRequest, held)).status).toBe(200)
    const refused = await signAt(member, requests[1]!, 'CompanyInternalSign', sender.stamp)
    expect(aliasOf(refused)).toBe('package-together')
  })

  test('go on without one that was corrected, which waits for its own answers', async () => {
    const { packageId, requests } = await sentTogether()
    await answer(packageId, requests, 'approve', 1)
    const [one, ...rest] = requests
    const corrected = await call(employee, correctRequest, {
      organizationId,
      signingRequestId: one!.id,
      documentId: (await sender.upload(employee, organizationId, { bytes: bytesOf(9) })).result.id,
      comment: 'Исправлено',
    })
    expect(corrected.status).toBe(200)
    expect(await states(requests)).toEqual(['InProgress 1', 'InProgress 2', 'InProgress 2'])
    const signatures = await Promise.all(rest.map((_, i) => signatureOf(sender.stamp, bytesOf(i + 1))))
    const each = (i: number) => ({ signature: signatures[i]! })
    expect((await answer(packageId, rest, 'sign', 2, { each })).status).toBe(200)
    expect((await act(member, one!, 'InternalApprove', 'approve', { revision: 2 })).status).toBe(200)
  })

  test('are signed by phone all or none with one code', async () => {
    const { requests } = await sentTogether({ routeId: await sender.route(signing) })
    const [one, ...rest] = requests.map(({ id, points }) => ({
      signingRequestId: id,
      pointId: points[0]!.pointId,
    }))
    const { result } = await call(employee, createCrosslinks, { organizationId, ...one!, also: rest })
    expect(result.code).toMatch(/^mobileSign:/)
    const foreign = (await stranger.send(await stranger.route(await stranger.point('CompanyInternalSign'))))
      .result
    const mixed = await call(employee, createCrosslinks, {
      organizationId,
      ...one!,
      also: [{ signingRequestId: foreign.id, pointId: foreign.points[0]!.pointId }],
    })
    expect(aliasOf(mixed)).toBe('signing-request-not-found')
  })

  test('do not change by an answer repeated with the same keys', async () => {
    const { packageId, requests } = await sentTogether()
    const keys = requests.map(() => newId())
    const each = (i: number) => ({ key: keys[i]! })
    const [one, other] = await Promise.all([
      answer(packageId, requests, 'approve', 1, { each }),
      answer(packageId, requests, 'approve', 1, { each }),
    ])
    expect([one.status, other.status]).toEqual([200, 200])
    expect(await states(requests)).toEqual(Array(3).fill('InProgress 2'))
  })
})

describe('answering together cannot be bypassed', () => {
  test('by a key that was used for a comment on one document', async () => {
    const { packageId, requests } = await sentTogether()
    const key = newId()
    const remark = { page: null, quote: '', area: null, text: 'Смотрю', isShared: false, revision: 1 }
    const of = { organizationId, signingRequestId: requests[1]!.id }
    await database.pool.query('update users set is_email_confirmed = false')
    expect((await call(employee, addThread, { ...of, ...remark, key })).status).toBe(200)
    const tried = await answer(packageId, requests, 'approve', 1, { each: (i) => (i === 1 ? { key } : {}) })
    expect(aliasOf(tried)).toBe('wrong-request-configuration')
    expect(await states(requests)).toEqual(Array(3).fill('InProgress 1'))
  })

  test('by answers at different points of the same turn', async () => {
    const parallel = await sender.route([approval, await sender.point('InternalApprove')], signing)
    const { packageId, requests } = (await send({ isTogether: true, routeId: parallel }, 2)).result
    const [one, two] = requests
    const tried = await call(employee, actOnPackage, {
      organizationId,
      packageId,
      action: 'approve',
      documents: [
        { signingRequestId: one!.id, pointId: one!.points[0]!.pointId, revision: 1 },
        { signingRequestId: two!.id, pointId: two!.points[1]!.pointId, revision: 1 },
      ],
    })
    expect(aliasOf(tried)).toBe('package-together')
  })
})

describe('documents decided separately', () => {
  test('may be answered one by one or at once', async () => {
    const { packageId, requests } = (await send()).result
    expect((await act(member, requests[0]!, 'InternalApprove', 'approve')).status).toBe(200)
    expect((await answer(packageId, requests.slice(1), 'approve', 1)).status).toBe(200)
    expect(await states(requests)).toEqual(Array(3).fill('InProgress 2'))
  })
})

describe('access to a package', () => {
  test('shows the counterparty the requests whose turn has come to it, and others nothing', async () => {
    const outward = await sender.route(approval, external)
    const { packageId, requests } = (await send({ routeId: outward })).result
    expect((await look(receiver, requests[0]!.id)).status).toBe(404)
    await answer(packageId, requests.slice(0, 2), 'approve', 1)
    const { package: seen } = (await look(receiver, requests[0]!.id)).result
    expect(
      seen!.requests.map(({ name, acts }) => [name, acts.some(({ act: one }) => one === 'sign')]),
    ).toEqual([
      ['Документ 1', true],
      ['Документ 2', true],
    ])
    const who = { id: stranger.owner, organizationId: stranger.organizationId }
    const tried = await answer(packageId, requests.slice(0, 1), 'approve', 1, { who })
    expect(aliasOf(tried)).toBe('signing-request-not-found')
  })

  test('is refused with a request of another package', async () => {
    const one = (await send()).result
    const other = (await send()).result
    const refused = await answer(one.packageId, other.requests, 'approve', 1)
    expect([refused.status, aliasOf(refused)]).toEqual([404, 'package-not-found'])
  })
})
