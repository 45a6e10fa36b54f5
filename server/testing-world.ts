/** For tests: an organisation that has one of everything that a call can name. */
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { addCampaign } from '@kelisim/domain/campaigns/contract.ts'
import { addThread } from '@kelisim/domain/comments/contract.ts'
import { addClassifier } from '@kelisim/domain/classifiers/contract.ts'
import { deleteDocument } from '@kelisim/domain/documents/contract.ts'
import { invite } from '@kelisim/domain/portal/contract.ts'
import { addDocumentKind, addJournal } from '@kelisim/domain/registers/contract.ts'
import { createPackage } from '@kelisim/domain/requests/packages/contract.ts'
import { createCrosslinks } from '@kelisim/domain/requests/phone-contract.ts'
import { addTemplate, writeDocument } from '@kelisim/domain/rich-text/contract.ts'
import { templateCalls } from '@kelisim/domain/routes/contract.ts'
import { addSubstitution } from '@kelisim/domain/substitutions/contract.ts'
import { addLongTerm } from './outputs/archive/long-term-queries.ts'
import { programsOf } from './integration/testing-programs.ts'
import { actingIn, type Company, type startRequestsApp } from './requests/core/testing-requests.ts'

type App = Awaited<ReturnType<typeof startRequestsApp>>
export type World = Awaited<ReturnType<typeof worldOf>>

/** Everything in it was made by the owner, or can be seen by the owner. */
export async function worldOf(app: App) {
  const { call, database, time } = app
  const company = await app.company()
  const { organizationId, owner, employee, groupId } = company
  const { makeToken } = programsOf(app)
  const { signAt, look } = actingIn(app)
  const me = { id: owner, organizationId }

  const directors = await company.group('Директор', owner)
  const pointId = await company.point('CompanyInternalSign', { groupId: directors })
  const routeId = await company.route(pointId)
  const routeTemplateId = (
    await call(owner, templateCalls.add, {
      organizationId,
      name: 'Шаблон маршрута',
      description: '',
      visibilityScope: 2,
      points: [{ pointId, order: 1 }],
    })
  ).result.id
  const templateId = (
    await call(owner, addTemplate, {
      organizationId,
      param: 'new',
      name: 'Договор поставки',
      template: '<p>На <span data-variable="Сумма" data-kind="number">Сумма</span> тенге</p>',
      language: 'ru',
    })
  ).result.id
  const classificatorId = (await call(owner, addClassifier, { organizationId, name: 'Закуп' })).result
    .classificatorId
  const journalId = (
    await call(owner, addJournal, {
      organizationId,
      name: 'Исходящие',
      direction: 'outgoing',
      prefix: 'ИСХ-',
      yearPlace: 'after',
      width: 4,
      firstNumber: 1,
    })
  ).result.id
  const kindId = (
    await call(owner, addDocumentKind, {
      organizationId,
      name: 'Договор',
      journalId,
      registersAtSending: false,
    })
  ).result.id
  const documentId = (
    await call(owner, writeDocument, {
      organizationId,
      htmlContent: '<p>Договор</p>',
      fileName: 'Договор',
      description: '',
      visibilityScope: 1,
    })
  ).result.id
  const deleted = (await company.upload(owner, organizationId)).result.id
  const { deletionId } = (await call(owner, deleteDocument, { organizationId, documentId: deleted })).result
  await call(owner, invite, {
    organizationId,
    email: `guest-${organizationId}@example.kz`,
    roles: 1,
    language: 'ru',
  })
  const substitutionId = (
    await call(owner, addSubstitution, {
      organizationId,
      substituteId: employee,
      from: '2026-12-01',
      to: '2026-12-05',
    })
  ).result.id
  const { secret } = await makeToken(owner, organizationId)

  const { result: signed } = await company.send(routeId, {}, owner)
  const crosslinkId = (
    await call(owner, createCrosslinks, {
      organizationId,
      signingRequestId: signed.id,
      pointId: signed.points[0]!.pointId,
    })
  ).result.id
  await signAt(me, signed, 'CompanyInternalSign', company.stamp)
  const { result: waiting } = await company.send(routeId, {}, owner)
  const remark = { page: 1, quote: 'Цена', area: null, text: 'Дорого', isShared: false, revision: 1 }
  const of = { organizationId, signingRequestId: waiting.id }
  const { result: thread } = await call(owner, addThread, { ...of, ...remark })
  const signatureId = (await look(me, signed.id)).result.points[0]!.signatures[0]!.id
  const campaign = { documentId, name: 'Правила распорядка', isEverybody: true }
  const { result: asked } = await call(owner, addCampaign, { organizationId, ...campaign })
  const files = await Promise.all([1, 2].map(() => company.upload(owner, organizationId)))
  const documents = files.map(({ result }) => ({ documentId: result.id, name: 'Документ' }))
  const inPackage = { name: 'Сделка', routeId, documents }
  const { packageId } = (await call(owner, createPackage, { organizationId, ...inPackage })).result
  const withoutCalls = await database.write((tx) => insertRows(tx, company, signed.id, time.now))
  await database.write((tx) =>
    addLongTerm(tx, {
      signatureId,
      number: 0,
      cms: Buffer.from('test'),
      time: time.now,
      endsAt: time.now,
      service: 'test',
    }),
  )
  const [token] = await database.db
    .selectFrom('programTokens')
    .select('id')
    .where('organizationId', '=', organizationId)
    .execute()
  const [invitation] = await database.db
    .selectFrom('invitations')
    .select('id')
    .where('organizationId', '=', organizationId)
    .execute()
  return {
    company,
    secret,
    waitingRequestId: waiting.id,
    /** Keyed by the names of the contracts, except the route template and the campaign, which are named only here. */
    ids: {
      pointId,
      routeId,
      routeTemplateId,
      templateId,
      classificatorId,
      journalId,
      kindId,
      documentId,
      deletionId,
      invitationId: invitation!.id,
      substitutionId,
      tokenId: token!.id,
      signingRequestId: signed.id,
      campaignId: asked.signingRequestId,
      packageId,
      signatureId,
      crosslinkId,
      threadId: thread.id,
      groupId,
      userId: employee,
      ...withoutCalls,
    },
  }
}

/** Inserts directly what would otherwise need a national service, a job or a second organisation. */
async function insertRows(tx: Tx, company: Company, requestId: string, now: Date) {
  const { organizationId, owner, employee, bin } = company
  const [webhookId, deliveryId, bulkId, powerId, noticeId, joinRequestId, signatureId] = Array.from(
    { length: 7 },
    () => newId(),
  ) as [string, string, string, string, string, string, string]
  await tx
    .insertInto('webhooks')
    .values({
      id: webhookId,
      organizationId,
      url: 'https://receiver.example.kz/',
      actsAs: owner,
      secret: 'x'.repeat(43),
      previousSecret: null,
      previousUntil: null,
      isOn: true,
      offReason: null,
      position: 0,
      failingSince: null,
      lastSuccessAt: null,
      madeBy: owner,
      madeAt: now,
    })
    .execute()
  await tx
    .insertInto('webhookDeliveries')
    .values({
      id: deliveryId,
      webhookId,
      requestId,
      position: 0,
      type: 'request.completed',
      body: '{}',
      state: 'failed',
      firstTryAt: now,
      lastTryAt: now,
      nextTryAt: null,
      status: 500,
      failure: null,
      madeAt: now,
    })
    .execute()
  await tx
    .insertInto('bulkSendings')
    .values({
      id: bulkId,
      organizationId,
      authorId: owner,
      fileName: 'Рассылка.csv',
      columns: ['БИН'],
      plan: null,
      template: null,
      variables: null,
      language: 'ru',
      address: '127.0.0.1',
      state: 'draft',
      leaseUntil: null,
      createdAt: now,
      changedAt: now,
    })
    .execute()
  await tx
    .insertInto('powersOfAttorney')
    .values({
      id: powerId,
      organizationId,
      number: '7',
      bin,
      holderIin: '900101300123',
      holderName: 'Держатель',
      direction: 'any',
      validFrom: '2026-11-01',
      validUntil: '2027-11-01',
      requestId,
      fileName: 'Доверенность.pdf',
      signedBy: 'Директор',
      signedAt: now,
      registeredBy: owner,
      registeredAt: now,
      revokedBy: null,
      revokedAt: null,
    })
    .execute()
  await tx
    .insertInto('notices')
    .values({
      id: noticeId,
      requestId,
      occasion: 'e1',
      kind: 'completed',
      recipient: owner,
      userId: owner,
      organizationId,
      number: null,
      email: null,
      about: JSON.stringify({ by: null, comment: '', asks: null, process: 'signing' }),
      createdAt: now,
      readAt: null,
      mode: 'at-once',
      mailId: null,
      resentAt: null,
    })
    .execute()
  await tx
    .insertInto('organizationSignatures')
    .values({
      id: signatureId,
      organizationId,
      by: employee,
      at: now,
      content: Buffer.from('test'),
      cms: Buffer.from('test'),
      verdict: 'TOTAL-PASSED',
      evidence: JSON.stringify({}),
    })
    .execute()
  await tx
    .insertInto('joinRequests')
    .values({
      id: joinRequestId,
      organizationId,
      userId: employee,
      signatureId,
      createdAt: now,
      decidedAt: null,
      decidedBy: null,
      isAccepted: null,
    })
    .execute()
  return { webhookId, deliveryId, bulkId, powerId, noticeId, joinRequestId }
}
