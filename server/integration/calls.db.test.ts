/** The calls of programs under /api/v1: they do what the member could do in the browser, and nothing more. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import {
  getCounterparty,
  getProgramRoutes,
  getProgramTemplate,
  getProgramTemplates,
} from '@kelisim/domain/integration/calls/catalogue-contract.ts'
import {
  downloadProgramDocument,
  getProgramDocument,
  uploadProgramDocument,
} from '@kelisim/domain/integration/calls/documents-contract.ts'
import {
  downloadFile,
  downloadProgramSignature,
  prepareFile,
} from '@kelisim/domain/integration/calls/files-contract.ts'
import {
  addSignature,
  getChanges,
  getProgramRequest,
  getProgramRequests,
  getStatuses,
  sendByRoute,
  sendFromTemplate,
  sendToRecipient,
  withdrawProgramRequest,
} from '@kelisim/domain/integration/calls/requests-contract.ts'
import { cursorOf } from '@kelisim/domain/integration/cursor.ts'
import { getDocument } from '@kelisim/domain/documents/contract.ts'
import { getRequestHistory } from '@kelisim/domain/requests/contract.ts'
import { correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import { addTemplate } from '@kelisim/domain/rich-text/contract.ts'
import { goodPdf } from '../documents/testing-corpus.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'
import { programsOf } from './testing-programs.ts'

const app = await startRequestsApp()
const { call, database } = app
const { makeToken, ask } = programsOf(app)
const { signAt, signatureOf, look } = actingIn(app)
const sender = await app.company()
const receiver = await app.company()
const stranger = await app.company()
const ourPoint = await sender.point('CompanyInternalSign')
const theirPoint = await sender.point('ExternalSign', { bin: receiver.bin, emails: ['partner@example.kz'] })
const route = await sender.route(ourPoint, theirPoint)
const allButSigning = [
  'documents.read',
  'documents.write',
  'requests.read',
  'requests.send',
  'files.read',
  'counterparties.read',
] as const
const { secret: ours } = await makeToken(sender.owner, sender.organizationId, {
  name: '1С',
  actsAs: sender.employee,
  scopes: [...allButSigning],
})
const { secret: theirs } = await makeToken(receiver.owner, receiver.organizationId)
const { secret: strangers } = await makeToken(stranger.owner, stranger.organizationId)
const file = Buffer.from(goodPdf)
const employee = { id: sender.employee, organizationId: sender.organizationId }

async function uploaded(name = 'Договор.pdf') {
  return (await ask(ours, uploadProgramDocument, { name }, { file })).result
}

async function sent() {
  const { id: documentId } = await uploaded()
  return (await ask(ours, sendByRoute, { documentId, routeId: route, name: 'Договор поставки' })).result
}

describe('documents', () => {
  test('are uploaded as bytes and downloaded byte for byte, with the member as their author', async () => {
    const document = await uploaded('Акт № 5.pdf')
    expect(document).toMatchObject({ name: 'Акт № 5.pdf', format: 'pdf', size: file.length })
    const { id: documentId } = document
    const seen = await call(sender.employee, getDocument, {
      organizationId: sender.organizationId,
      documentId,
    })
    expect(seen.result.author.id).toBe(sender.employee)
    expect((await ask(ours, getProgramDocument, { documentId })).result).toEqual(document)
    expect((await ask(ours, downloadProgramDocument, { documentId })).bytes.equals(file)).toBe(true)
  })

  test('can be uploaded as base64 with line breaks and a byte order mark', async () => {
    const lines = file.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
    const given = { name: 'Счёт.pdf', encoding: 'base64' as const }
    const { result } = await ask(ours, uploadProgramDocument, given, { file: `\ufeff${lines}` })
    expect(result.sha256).toBe((await uploaded()).sha256)
    const broken = await ask(ours, uploadProgramDocument, given, { file: lines.slice(0, -3) })
    expect([broken.status, broken.alias]).toEqual([400, 'base64-broken'])
  })

  test('are stored once if the call is repeated; other bytes with the same key are refused', async () => {
    const key = newId()
    const first = await ask(ours, uploadProgramDocument, { name: 'x.pdf' }, { file, key })
    const again = await ask(ours, uploadProgramDocument, { name: 'x.pdf' }, { file, key })
    expect(again.text).toBe(first.text)
    const other = await ask(
      ours,
      uploadProgramDocument,
      { name: 'x.pdf' },
      { file: Buffer.concat([file, Buffer.from(' ')]), key },
    )
    expect([other.status, other.alias]).toEqual([409, 'idempotency-key-reused'])
  })

  test('that are too large, of another format, empty or hidden in JSON are refused', async () => {
    const refused = async (name: string, body: Buffer) =>
      (await ask(ours, uploadProgramDocument, { name }, { file: body })).alias
    expect(await refused('x.pdf', Buffer.alloc(20 * 1024 * 1024 + 1))).toBe('file-too-large')
    expect(await refused('x.exe', file)).toBe('file-format-not-supported')
    expect(await refused('x.docx', file)).toBe('file-content-mismatch')
    expect(await refused('x.pdf', Buffer.alloc(0))).toBe('file-empty')
    expect(
      (
        await ask(
          ours,
          uploadProgramDocument,
          { name: 'x.pdf', encoding: 'base64' },
          { file: '{"content":"x"}' },
        )
      ).alias,
    ).toBe('base64-broken')
  })

  test('of another organisation are not found', async () => {
    const { id: documentId } = await uploaded()
    for (const e of [getProgramDocument, downloadProgramDocument]) {
      const refused = await ask(strangers, e, { documentId })
      expect([refused.status, refused.alias]).toEqual([404, 'document-not-found'])
    }
    const foreign = await ask(strangers, sendByRoute, { documentId, routeId: route, name: 'x' })
    expect([foreign.status, foreign.alias]).toEqual([404, 'document-not-found'])
  })
})

describe('requests', () => {
  test('are sent along a route once, in the name of the member, and the history names the program', async () => {
    const { id: documentId } = await uploaded()
    const key = newId()
    const input = { documentId, routeId: route, name: 'Договор № 1', signingDate: '2026-11-10' }
    const first = await ask(ours, sendByRoute, input, { key })
    const again = await ask(ours, sendByRoute, input, { key })
    expect(again.text).toBe(first.text)
    expect(first.result).toMatchObject({
      name: 'Договор № 1',
      status: 'InProgress',
      direction: 'outgoing',
      signingDate: '2026-11-10',
      points: [
        { type: 'CompanyInternalSign', status: 'Waiting' },
        { type: 'ExternalSign', status: 'InQueue', bin: receiver.bin },
      ],
      awaitsSignatureAt: [first.result.points[0]!.pointId],
    })
    const history = await call(sender.employee, getRequestHistory, {
      organizationId: sender.organizationId,
      signingRequestId: first.result.id,
      skip: 0,
      take: 10,
    })
    const sending = history.result.items.find(({ type }) => type === 'sent')
    expect(sending?.actor).toMatchObject({ program: '1С' })
  })

  test('are sent to a recipient, for which the member needs a group of their own', async () => {
    const { id: documentId } = await uploaded()
    const input = {
      documentId,
      name: 'Письмо',
      bin: receiver.bin,
      emails: ['partner@example.kz'],
      groupId: sender.groupId,
    }
    const { result } = await ask(ours, sendToRecipient, input)
    expect(result.points.map(({ type }) => type)).toEqual(['QuickCompanyInternalSign', 'QuickExternalSign'])
    expect((await ask(ours, sendToRecipient, { ...input, bin: sender.bin })).alias).toBe('recipient-is-own')
    for (const emails of [[], ['a@example.kz', 'A@example.kz']]) {
      expect((await ask(ours, sendToRecipient, { ...input, emails })).alias).toBe('validation-failure')
    }
  })

  test('are made from a template with variables', async () => {
    const template =
      '<p>Договор с <span data-variable="Контрагент" data-kind="text">Контрагент</span> на ' +
      '<span data-variable="Сумма" data-kind="number">Сумма</span> тенге от ' +
      '<span data-variable="Дата" data-kind="today">Дата</span></p>'
    const { organizationId } = sender
    const form = {
      organizationId,
      param: 'new' as const,
      name: 'Поставка',
      template,
      language: 'ru' as const,
    }
    const { result: made } = await call(sender.employee, addTemplate, form)
    const { result: seen } = await ask(ours, getProgramTemplate, { templateId: made.id })
    expect(seen.variables.map(({ name, kind }) => [name, kind])).toEqual([
      ['Контрагент', 'text'],
      ['Сумма', 'number'],
      ['Дата', 'today'],
    ])
    const list = await ask(ours, getProgramTemplates, {})
    expect(list.result.items.map(({ id }) => id)).toContain(made.id)
    const input = {
      templateId: made.id,
      fileName: 'Договор',
      values: { Контрагент: 'ТОО "Ромашка" <b>', Сумма: '1250000' },
      name: 'Договор из шаблона',
      routeId: route,
    }
    const key = newId()
    const first = await ask(ours, sendFromTemplate, input, { key })
    expect(first.result).toMatchObject({ status: 'InProgress', document: { fileName: 'Договор.pdf' } })
    // Simulates a response that was lost with its process: the same document and request are found again.
    await database.pool.query('update program_calls set response = null where key = $1', [key])
    const again = await ask(ours, sendFromTemplate, input, { key })
    expect(again.result).toEqual(first.result)
    const refused = async (change: object) =>
      (await ask(ours, sendFromTemplate, { ...input, ...change })).alias
    expect(await refused({ values: { Контрагент: 'x' } })).toBe('variables-not-filled')
    expect(await refused({ values: { ...input.values, Опечатка: '1' } })).toBe('validation-failure')
    expect(await refused({ routeId: undefined })).toBe('validation-failure')
    expect(await refused({ templateId: newId() })).toBe('document-template-not-found')
    // Somebody changes the template, then deletes it, before the program repeats its call.
    for (const change of [
      "update document_templates set template = '<p>Другое</p>'",
      'delete from document_templates',
    ]) {
      await database.pool.query(`${change} where id = $1`, [made.id])
      await database.pool.query('update program_calls set response = null where key = $1', [key])
      const repeated = await ask(ours, sendFromTemplate, input, { key })
      expect([repeated.alias, repeated.result], change).toEqual([undefined, first.result])
    }
    expect((await ask(strangers, getProgramTemplate, { templateId: made.id })).alias).toBe(
      'document-template-not-found',
    )
  })

  test('are returned by a repeated call after their document was deleted', async () => {
    const { id: documentId } = await uploaded()
    const input = { documentId, routeId: route, name: 'Договор' }
    const key = newId()
    const first = await ask(ours, sendByRoute, input, { key })
    await database.pool.query('delete from documents where id = $1', [documentId])
    await database.pool.query('update program_calls set response = null where key = $1', [key])
    const repeated = await ask(ours, sendByRoute, input, { key })
    expect([repeated.alias, repeated.result.id]).toEqual([undefined, first.result.id])
  })

  test('are withdrawn by the member whom the program acts for', async () => {
    const { id: requestId } = await sent()
    const { result } = await ask(ours, withdrawProgramRequest, { requestId, comment: 'Ошибка в сумме' })
    expect(result.status).toBe('Revoked')
    const foreign = await ask(strangers, withdrawProgramRequest, { requestId, comment: 'x' })
    expect([foreign.status, foreign.alias]).toEqual([404, 'signing-request-not-found'])
  })

  test('are listed, also by a batch of ids, without those of others', async () => {
    const one = await sent()
    const two = await sent()
    const missing = newId()
    const { result } = await ask(ours, getStatuses, { ids: [two.id, one.id, missing].join(',') })
    expect(result.items.map(({ id, status }) => [id, status])).toEqual([
      [two.id, 'InProgress'],
      [one.id, 'InProgress'],
    ])
    expect(result.notFound).toEqual([missing])
    const foreign = await ask(strangers, getStatuses, { ids: one.id })
    expect(foreign.result).toEqual({ items: [], notFound: [one.id] })
    const many = Array.from({ length: 101 }, () => newId()).join(',')
    expect((await ask(ours, getStatuses, { ids: many })).alias).toBe('validation-failure')
    const list = await ask(ours, getProgramRequests, { direction: 'outgoing', take: 100 })
    expect(list.result.items.map(({ id }) => id)).toEqual(expect.arrayContaining([two.id, one.id]))
    expect((await ask(strangers, getProgramRequests, { direction: 'outgoing' })).result.items).toEqual([])
    expect((await ask(strangers, getProgramRequest, { requestId: one.id })).alias).toBe(
      'signing-request-not-found',
    )
  })

  test('are not sent for an organisation that is not confirmed, or without the right', async () => {
    const reader = await makeToken(sender.owner, sender.organizationId, { scopes: ['requests.read'] })
    const { id: documentId } = await uploaded()
    const refused = await ask(reader.secret, sendByRoute, { documentId, routeId: route, name: 'x' })
    expect([refused.status, refused.alias]).toEqual([403, 'token-scope-missing'])
    await database.pool.query('update organizations set confirmed_at = null where id = $1', [
      sender.organizationId,
    ])
    const unproved = await ask(ours, sendByRoute, { documentId, routeId: route, name: 'x' })
    expect(unproved.alias).toBe('organization-not-confirmed')
    await database.pool.query('update organizations set confirmed_at = now() where id = $1', [
      sender.organizationId,
    ])
  })
})

describe('signatures submitted by programs', () => {
  const corrected = Buffer.concat([goodPdf, Buffer.from('\n% corrected\n')])

  async function correctedOf(signingRequestId: string): Promise<void> {
    const { organizationId } = sender
    const { result } = await sender.upload(sender.employee, organizationId, { bytes: corrected })
    const change = { signingRequestId, documentId: result.id, comment: 'Цена' }
    await call(sender.employee, correctRequest, { organizationId, ...change })
  }

  async function signedByUs() {
    const request = await sent()
    const { result } = await look(employee, request.id)
    await signAt(employee, result, 'CompanyInternalSign', sender.stamp)
    return request
  }

  test('are accepted as acts, and complete the request', async () => {
    const { id: requestId } = await signedByUs()
    const { result: seen } = await ask(theirs, getProgramRequest, { requestId })
    expect(seen).toMatchObject({ direction: 'incoming', sender: { bin: sender.bin } })
    const pointId = seen.awaitsSignatureAt[0]!
    const key = newId()
    const signature = await signatureOf(receiver.stamp)
    const first = await ask(theirs, addSignature, { requestId, pointId, signature }, { key })
    expect(first.result).toMatchObject({ status: 'Completed', awaitsSignatureAt: [] })
    expect(first.result.points.at(-1)).toMatchObject({
      status: 'Signed',
      signatures: [{ state: 'accepted', code: null }],
    })
    await database.pool.query('update program_calls set response = null where key = $1', [key])
    const again = await ask(theirs, addSignature, { requestId, pointId, signature }, { key })
    expect(again.result).toEqual(first.result)
    expect(again.result.points.at(-1)!.signatures).toHaveLength(1)

    const signatureId = first.result.points.at(-1)!.signatures[0]!.id
    const given = await ask(ours, downloadProgramSignature, { requestId, signatureId })
    expect(given.bytes.toString('base64')).toBe(signature)
    for (const kind of ['original', 'signed', 'electronic'] as const) {
      const { status, bytes } = await ask(theirs, downloadFile, { requestId, kind })
      expect(status, kind).toBe(200)
      if (kind === 'original') expect(bytes.equals(file)).toBe(true)
    }
    expect((await ask(theirs, prepareFile, { requestId, kind: 'evidence' })).result).toMatchObject({
      state: 'in-process',
    })
    expect((await ask(theirs, downloadFile, { requestId, kind: 'evidence' })).alias).toBe(
      'generation-in-progress',
    )
    expect((await ask(strangers, downloadFile, { requestId, kind: 'original' })).alias).toBe(
      'signing-request-not-found',
    )
    expect((await ask(strangers, downloadProgramSignature, { requestId, signatureId })).alias).toBe(
      'signing-request-not-found',
    )
  })

  test('are judged like any other: over other bytes, by another key, or malformed', async () => {
    const { id: requestId } = await signedByUs()
    const { result: seen } = await ask(theirs, getProgramRequest, { requestId })
    const pointId = seen.awaitsSignatureAt[0]!
    const handed = async (signature: string) =>
      (await ask(theirs, addSignature, { requestId, pointId, signature })).result.points.at(-1)
    expect(await handed(await signatureOf(receiver.stamp, Buffer.from('other bytes')))).toMatchObject({
      status: 'ValidationError',
    })
    expect(await handed(await signatureOf(sender.stamp))).toMatchObject({ status: 'ValidationError' })
    expect((await ask(theirs, addSignature, { requestId, pointId, signature: '!' })).alias).toBe(
      'signature-refused',
    )
    expect(await handed(await signatureOf(receiver.stamp))).toMatchObject({ status: 'Signed' })
  })

  test('over a document that was corrected since are refused by the revision, or by the bytes', async () => {
    const { id: requestId } = await sent()
    await correctedOf(requestId)
    const { result: seen } = await look(employee, requestId)
    await signAt(employee, seen, 'CompanyInternalSign', sender.stamp, {
      signature: await signatureOf(sender.stamp, corrected),
    })
    const { result: theirView } = await ask(theirs, getProgramRequest, { requestId })
    expect(theirView.revision).toBe(2)
    const pointId = theirView.awaitsSignatureAt[0]!
    const old = { requestId, pointId, signature: await signatureOf(receiver.stamp) }
    expect((await ask(theirs, addSignature, { ...old, revision: 1 })).alias).toBe('document-revised')
    const refused = await ask(theirs, addSignature, old)
    expect(refused.result.points.at(-1)).toMatchObject({ status: 'ValidationError' })
    const signature = await signatureOf(receiver.stamp, corrected)
    const done = await ask(theirs, addSignature, { ...old, signature, revision: 2 })
    expect(done.result).toMatchObject({ status: 'Completed' })
  })

  test('are refused without the right, at a point of others and from strangers', async () => {
    const request = await sent()
    const [ourTurn, theirTurn] = request.points
    const signature = await signatureOf(receiver.stamp)
    const given = { requestId: request.id, signature }
    expect((await ask(ours, addSignature, { ...given, pointId: ourTurn!.pointId })).alias).toBe(
      'token-scope-missing',
    )
    expect((await ask(theirs, addSignature, { ...given, pointId: theirTurn!.pointId })).alias).toBe(
      'signing-request-not-found',
    )
    expect((await ask(strangers, addSignature, { ...given, pointId: ourTurn!.pointId })).alias).toBe(
      'signing-request-not-found',
    )
    const owners = await makeToken(sender.owner, sender.organizationId)
    const early = await ask(owners.secret, addSignature, { ...given, pointId: theirTurn!.pointId })
    expect(early.status).toBeGreaterThanOrEqual(400)
  })
})

describe('changes since a cursor', () => {
  const all = async (secret: string, after?: string) => {
    const items = []
    let cursor = after
    for (;;) {
      const { result } = await ask(secret, getChanges, {
        take: 3,
        ...(cursor !== undefined && { after: cursor }),
      })
      items.push(...result.items)
      cursor = result.cursor
      if (!result.hasMore) return { items, cursor }
    }
  }

  test('give each side the events that it may see, once and in order', async () => {
    const before = { ours: await all(ours), theirs: await all(theirs), strangers: await all(strangers) }
    const request = await sent()
    expect((await all(theirs, before.theirs.cursor)).items).toEqual([])
    await signAt(employee, (await look(employee, request.id)).result, 'CompanyInternalSign', sender.stamp)
    const us = await all(ours, before.ours.cursor)
    expect(us.items.every(({ requestId }) => requestId === request.id)).toBe(true)
    expect(us.items.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['sent', 'signature-accepted', 'turn-came']),
    )
    expect((await all(ours, us.cursor)).items).toEqual([])
    expect((await all(theirs, before.theirs.cursor)).items.length).toBeGreaterThan(0)
    expect((await all(strangers, before.strangers.cursor)).items).toEqual([])
  })

  test('a malformed cursor and one of another organisation are refused', async () => {
    for (const after of [
      cursorOf(receiver.organizationId, 1),
      'x',
      cursorOf(sender.organizationId, 1).toUpperCase(),
    ]) {
      const refused = await ask(ours, getChanges, { after })
      expect([refused.status, refused.alias]).toEqual([400, 'cursor-not-known'])
    }
  })

  test('no change is skipped when many requests are sent at once and read meanwhile', async () => {
    let cursor = (await all(ours)).cursor
    const read: string[] = []
    const sending = { isOver: false }
    const reading = (async () => {
      while (!sending.isOver) {
        const next = await all(ours, cursor)
        cursor = next.cursor
        read.push(...next.items.filter(({ type }) => type === 'sent').map(({ requestId }) => requestId))
      }
    })()
    const ids = (await Promise.all(Array.from({ length: 12 }, () => sent()))).map(({ id }) => id)
    sending.isOver = true
    await reading
    read.push(
      ...(await all(ours, cursor)).items
        .filter(({ type }) => type === 'sent')
        .map(({ requestId }) => requestId),
    )
    expect(read.toSorted()).toEqual(ids.toSorted())
  })

  test('a change whose transaction began earlier and commits later is not skipped', async () => {
    const early = await sent()
    const { cursor } = await all(ours)
    const holder = await database.pool.connect()
    await holder.query('begin')
    await holder.query(
      `insert into request_events (request_id, number, at, type, attempt, comment, data, before, after)
       select request_id, number + 1, at, 'withdrawn', attempt, '', '{}', after, after
       from request_events where request_id = $1 order by number desc limit 1`,
      [early.id],
    )
    const later = await sent()
    const first = await all(ours, cursor)
    const idsOf = ({ items }: typeof first) => new Set(items.map(({ requestId }) => requestId))
    expect(idsOf(first)).toEqual(new Set([later.id]))
    await holder.query('commit')
    holder.release()
    expect(idsOf(await all(ours, first.cursor))).toEqual(new Set([early.id]))
  })
})

describe('what a program needs for sending', () => {
  test('routes and counterparties can be read', async () => {
    const routes = await ask(ours, getProgramRoutes, {})
    expect(routes.result.items.map(({ id }) => id)).toContain(route)
    expect((await ask(strangers, getProgramRoutes, {})).result.items).toEqual([])
    const { result } = await ask(ours, getCounterparty, { bin: receiver.bin })
    expect(result).toMatchObject({ bin: receiver.bin, isConfirmedHere: true })
    expect((await ask(ours, getCounterparty, { bin: '123456789012' })).alias).toBe('validation-failure')
  })
})

test('JSON with a byte order mark is read', async () => {
  const { id: documentId } = await uploaded()
  const response = await app.app.inject({
    method: 'POST',
    url: '/api/v1/requests',
    payload: `\ufeff${JSON.stringify({ documentId, routeId: route, name: 'BOM' })}`,
    headers: {
      authorization: `Bearer ${ours}`,
      'idempotency-key': newId(),
      'content-type': 'application/json',
    },
  })
  expect([response.statusCode, response.json<{ name: string }>().name]).toEqual([200, 'BOM'])
})

test('a body over the limit is refused', async () => {
  const { id: documentId } = await uploaded()
  const refused = await ask(ours, sendByRoute, {
    documentId,
    routeId: route,
    name: 'x',
    description: 'x'.repeat(2 ** 20),
  })
  expect([refused.status, refused.alias]).toEqual([413, 'body-too-large'])
})
