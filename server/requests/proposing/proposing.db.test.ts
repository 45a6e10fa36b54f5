/** Returning a document with a proposed file: who may, who sees it, and how the author answers. */
import { expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { compareDocuments } from '@kelisim/domain/comparison/contract.ts'
import { nameOfFile } from '@kelisim/domain/comparison/compared-file.ts'
import type { ErrorBody } from '@kelisim/domain/errors.ts'
import { getNotices } from '@kelisim/domain/notifications/contract.ts'
import { getRequestHistory } from '@kelisim/domain/requests/contract.ts'
import { correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import {
  declineProposal,
  downloadProposal,
  keepProposal,
  mostProposals,
} from '@kelisim/domain/requests/proposing/contract.ts'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { startNotificationsApp } from '../../notifications/testing-notifications.ts'
import { aliasOf } from '../../routes/testing-routes.ts'
import { publicUrl } from '../../testing.ts'
import { actingIn, type View } from '../core/testing-requests.ts'

const testApp = await startNotificationsApp()
const { app, call, tokenOf, database } = testApp
const ours = await testApp.company()
const theirs = await testApp.company()
const third = await testApp.company()
const { look, signAt } = actingIn(testApp)
const we = { id: ours.employee, organizationId: ours.organizationId }
const they = { id: theirs.owner, organizationId: theirs.organizationId }
const others = { id: third.owner, organizationId: third.organizationId }
type Who = { id: string; organizationId: string }

/** Two recipients who sign at the same time. */
const route = await ours.route([
  await ours.point('ExternalSign', { bin: theirs.bin, emails: ['deals@example.kz'], name: 'Покупатель' }),
  await ours.point('ExternalSign', { bin: third.bin, emails: ['third@example.kz'], name: 'Поручитель' }),
])
const sent = async () => (await ours.send(route)).result
const pointOf = ({ points }: View, bin: string) => points.find((point) => point.bin === bin)?.pointId ?? ''
const proposed = Buffer.concat([goodPdf, Buffer.from('\n% proposed\n')])

async function propose(
  who: Who,
  request: View,
  change: Record<string, string> = {},
  bytes: Buffer = proposed,
) {
  const response = await app.inject({
    method: 'POST',
    url: `/api/SigningRequests/${who.organizationId}/${request.id}/proposals`,
    query: {
      pointId: pointOf(request, theirs.bin),
      name: 'Наша редакция.pdf',
      comment: 'Цена без НДС',
      revision: String(request.revision),
      ...change,
    },
    payload: bytes,
    headers: {
      origin: publicUrl.origin,
      cookie: `session=${await tokenOf(who.id)}`,
      'content-type': 'application/octet-stream',
    },
  })
  const error = response.json<ErrorBody>()
  return { status: response.statusCode, result: response.json<View>(), error }
}

const download = async ({ id, organizationId }: Who, signingRequestId: string, number: number) =>
  app.inject({
    url: fillPath(downloadProposal.path, { organizationId, signingRequestId, number }).path,
    headers: { cookie: `session=${await tokenOf(id)}` },
  })
const proposalAt = ({ points }: View) => points.find((point) => point.bin === theirs.bin)!.proposal
const actsOf = async (who: Who, id: string) => (await look(who, id)).result.acts.map((one) => one.act)
const typesFor = async ({ id, organizationId }: Who, signingRequestId: string) => {
  const page = { organizationId, signingRequestId, skip: 0, take: 50 }
  return (await call(id, getRequestHistory, page)).result.items.map(({ type }) => type)
}
const notices = async ({ id, organizationId }: Who, requestId: string) => {
  await testApp.deliverAll()
  const { items } = (await call(id, getNotices, { organizationId, skip: 0, take: 50 })).result
  return items.filter((one) => one.signingRequestId === requestId)
}
/** The number of files that the storage should have for the organisation. */
const filesOf = async (organizationId: string) =>
  (await database.pool.query('select from files where organization_id = $1', [organizationId])).rowCount

test('a proposal leaves the request open, is shown to the author with its file, and is hidden from other recipients', async () => {
  const request = await sent()
  expect(await actsOf(they, request.id)).toContain('propose')
  const returned = await propose(they, request)
  expect(returned.status, JSON.stringify(returned.error)).toBe(200)
  expect(proposalAt(returned.result)).toMatchObject({
    fileName: 'Наша редакция.pdf',
    comment: 'Цена без НДС',
  })
  expect(returned.result).toMatchObject({ status: request.status, revision: 1 })
  expect(await actsOf(they, request.id)).toEqual(expect.arrayContaining(['sign', 'reject']))
  expect(aliasOf(await propose(they, request))).toBe('proposal-open')

  const mine = (await look(we, request.id)).result
  const { number } = proposalAt(mine)!
  expect(mine.acts.map((one) => one.act)).toContain('decline-proposal')
  expect((await download(we, request.id, number)).rawPayload.equals(proposed)).toBe(true)
  expect((await download(they, request.id, number)).statusCode).toBe(200)
  expect(await notices(we, request.id)).toMatchObject([{ kind: 'proposed', comment: 'Цена без НДС' }])
  expect(await typesFor(we, request.id)).toContain('proposed')
  expect(await typesFor(they, request.id)).toContain('proposed')

  expect(proposalAt((await look(others, request.id)).result)).toBeNull()
  expect(await typesFor(others, request.id)).not.toContain('proposed')
  expect((await download(others, request.id, number)).json<ErrorBody>().ExceptionData.Alias).toBe(
    'proposal-not-found',
  )
  const names = {
    before: nameOfFile({ kind: 'revision', signingRequestId: request.id, revision: 1 }),
    after: nameOfFile({ kind: 'proposal', signingRequestId: request.id, number }),
  }
  const compared = (who: Who) =>
    call(who.id, compareDocuments, { organizationId: who.organizationId, ...names })
  expect((await compared(we)).result.after).toMatchObject({ name: 'Наша редакция.pdf' })
  expect(aliasOf(await compared(others))).toBe('file-not-found')
})

test('taking a proposal is a correction with its file: everybody is asked again, and the proposal ends', async () => {
  const request = await sent()
  await propose(they, request)
  const { number } = proposalAt((await look(we, request.id)).result)!
  const { id, organizationId } = we
  const of = { organizationId, signingRequestId: request.id }
  expect(
    aliasOf(await call(they.id, keepProposal, { ...of, organizationId: they.organizationId, number })),
  ).toBe('proposal-not-found')
  const document = (await call(id, keepProposal, { ...of, number })).result
  expect(document).toMatchObject({ name: 'Наша редакция.pdf', author: { id } })
  const corrected = await call(id, correctRequest, { ...of, documentId: document.id, comment: 'Принято' })
  expect(corrected.result).toMatchObject({ revision: 2, document: { sha256: document.sha256 } })
  expect(proposalAt(corrected.result)).toBeNull()
  expect(aliasOf(await call(id, keepProposal, { ...of, number }))).toBe('proposal-not-found')
  expect(aliasOf(await propose(they, request))).toBe('document-revised')
})

test('the author can decline a proposal with a comment, shown to the side that made it; it may propose again', async () => {
  const request = await sent()
  await propose(they, request)
  const decline = (who: Who, change: object = {}) =>
    call(who.id, declineProposal, {
      organizationId: who.organizationId,
      signingRequestId: request.id,
      pointId: pointOf(request, theirs.bin),
      comment: 'Цена согласована',
      ...change,
    })
  expect(aliasOf(await decline(they))).toBe('not-enough-permissions')
  expect(aliasOf(await decline({ ...we, id: ours.owner }))).toBe('not-enough-permissions')
  expect(aliasOf(await decline(we, { pointId: pointOf(request, third.bin) }))).toBe('proposal-not-found')
  const key = newId()
  expect(proposalAt((await decline(we, { key })).result)).toBeNull()
  expect((await decline(we, { key })).status).toBe(200)
  expect(await notices(they, request.id)).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: 'comment', comment: 'Цена согласована' })]),
  )
  expect(await typesFor(others, request.id)).not.toContain('proposal-declined')
  expect((await propose(they, request)).status).toBe(200)
})

test('a signature ends the proposal of the same side', async () => {
  const request = await sent()
  await propose(they, request)
  await signAt(they, request, 'ExternalSign', theirs.stamp)
  expect(proposalAt((await look(we, request.id)).result)).toBeNull()
})

test('a refused proposal leaves no file behind, and a repeated call makes one proposal', async () => {
  const request = await sent()
  const before = await filesOf(theirs.organizationId)
  expect(aliasOf(await propose(they, request, {}, goodPdf))).toBe('correction-changes-nothing')
  expect(aliasOf(await propose(they, request, {}, Buffer.from('no pdf')))).toBe('file-content-mismatch')
  expect(aliasOf(await propose(they, request, { name: 'a.exe' }))).toBe('file-format-not-supported')
  expect(aliasOf(await propose(they, request, { pointId: pointOf(request, third.bin) }))).toBe(
    'not-enough-permissions',
  )
  expect(aliasOf(await propose(we, request))).toBe('not-enough-permissions')
  expect(await filesOf(theirs.organizationId)).toBe(before)
  const key = newId()
  expect((await propose(they, request, { key })).status).toBe(200)
  expect((await propose(they, request, { key })).status).toBe(200)
  expect(await filesOf(theirs.organizationId)).toBe(before! + 1)
})

test('a proposal whose file was destroyed cannot be downloaded, even while its bytes are still stored', async () => {
  const request = await sent()
  await propose(they, request)
  const { number } = proposalAt((await look(we, request.id)).result)!
  await database.pool.query(
    `update files set destroyed_at = now() where id = (select file_id from request_proposals where request_id = $1)`,
    [request.id],
  )
  const given = await download(we, request.id, number)
  expect([given.statusCode, given.json<ErrorBody>().ExceptionData.Alias]).toEqual([404, 'file-not-found'])
  const compared = await call(we.id, compareDocuments, {
    organizationId: we.organizationId,
    before: nameOfFile({ kind: 'revision', signingRequestId: request.id, revision: 1 }),
    after: nameOfFile({ kind: 'proposal', signingRequestId: request.id, number }),
  })
  expect(aliasOf(compared)).toBe('file-not-found')
})

test('members of the sender cannot propose', async () => {
  const inside = await ours.route(await ours.point('CompanyInternalSign'))
  const request = (await ours.send(inside)).result
  expect(await actsOf(we, request.id)).not.toContain('propose')
  const pointId = request.points[0]!.pointId
  expect(aliasOf(await propose(we, request, { pointId }))).toBe('wrong-request-configuration')
})

test('a request takes a limited number of proposals', async () => {
  const request = await sent()
  await propose(they, request)
  const { number } = proposalAt((await look(we, request.id)).result)!
  await database.pool.query(
    `insert into request_proposals (request_id, number, point_id, file_id, file_name, format)
     select p.request_id, p.number + 100 + n, p.point_id, p.file_id, p.file_name, p.format
     from request_proposals p, generate_series(1, $2) n where p.request_id = $1 and p.number = $3`,
    [request.id, mostProposals, number],
  )
  await database.pool.query(
    `insert into request_events (request_id, number, at, type, attempt, comment, data, before, after)
     select request_id, number, now(), 'proposed', 0, '', '{}', 2, 2 from request_proposals
     where request_id = $1 and number > $2`,
    [request.id, number],
  )
  await database.pool.query('update request_points set proposal = null where request_id = $1', [request.id])
  expect(aliasOf(await propose(they, request))).toBe('too-many-proposals')
})
