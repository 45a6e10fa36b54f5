/** A document that could not be printed after signing cannot be sent. */
import { PDFName } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { createQuickRequest, tryRequest } from '@kelisim/domain/requests/contract.ts'
import { day } from '@kelisim/domain/durations.ts'
import { disguised } from '../../documents/testing-bombs.ts'
import { goodDocx, goodPdf } from '../../documents/testing-corpus.ts'
import { startRequestsApp } from '../../requests/core/testing-requests.ts'
import { aliasOf, parametersOf } from '../../routes/testing-routes.ts'
import { contract } from './testing-pdfs.ts'

const testApp = await startRequestsApp()
const { call, database } = testApp
const sender = await testApp.company()
const receiver = await testApp.company()
const { organizationId, employee, groupId } = sender
const routeId = await sender.route(await sender.point('CompanyInternalSign'))
const uploaded = async (bytes: Uint8Array, name = 'Договор.pdf') =>
  (await sender.upload(employee, organizationId, { bytes: Buffer.from(bytes), name })).result.id

const kept = (documentId: string) =>
  database.db
    .selectFrom('documents')
    .innerJoin('files', 'files.id', 'documents.fileId')
    .innerJoin('fileFindings', 'fileFindings.sha256', 'files.sha256')
    .where('documents.id', '=', documentId)
    .where('fileFindings.kind', '=', 'print')
    .select('fault')
    .execute()

/**
 * A dynamic form without any content: it shows nothing besides its pages, so it can be uploaded, but no page can be
 * added to it.
 */
const document = await contract(1)
document.catalog.set(PDFName.of('AcroForm'), document.context.obj({ Fields: [], XFA: [] }))
const dynamic = await document.save({ updateFieldAppearances: false })

test('a PDF that cannot be printed is refused by sending, by quick sending and by a trial', async () => {
  const documentId = await uploaded(dynamic)
  const response = await sender.send(routeId, { documentId })
  expect([response.status, aliasOf(response), parametersOf(response)]).toEqual([
    415,
    'document-not-printable',
    { reason: 'dynamic' },
  ])
  expect(await kept(documentId)).toEqual([{ fault: 'dynamic' }])
  const quick = await call(employee, createQuickRequest, {
    organizationId,
    documentId,
    name: 'Счёт',
    groupId,
    bin: receiver.bin,
    emails: ['a@example.kz'],
  })
  expect(aliasOf(quick)).toBe('document-not-printable')
  const trial = await call(employee, tryRequest, { organizationId, documentId, routeId })
  expect(trial.result.refusals.map(({ alias }) => alias)).toEqual(['document-not-printable'])
})

test('a zip bomb missed by the search for streams is stopped by the memory limit, and tried once', async () => {
  const documentId = await uploaded(disguised())
  for (const _ of ['first', 'second']) {
    const response = await sender.send(routeId, { documentId })
    expect([aliasOf(response), parametersOf(response)]).toEqual([
      'document-not-printable',
      { reason: 'too-much' },
    ])
  }
  const { expiresAt, foundAt, fault } = await database.db
    .selectFrom('fileFindings')
    .select(['fault', 'foundAt', 'expiresAt'])
    .where('kind', '=', 'print')
    .where('fault', '=', 'too-much')
    .executeTakeFirstOrThrow()
  expect(fault).toBe('too-much')
  // A busy machine may have been the reason, so it is tried again after a day.
  expect(expiresAt.getTime() - foundAt.getTime()).toBe(day)
})

test('a printable PDF is checked once', async () => {
  const documentId = await uploaded(goodPdf)
  expect(aliasOf(await sender.send(routeId, { documentId }))).toBeNull()
  expect(await kept(documentId)).toEqual([{ fault: null }])
  // The stored result is used, even a changed one.
  await database.write((tx) => tx.updateTable('fileFindings').set({ fault: 'broken' }).execute())
  expect(parametersOf(await sender.send(routeId, { documentId }))).toEqual({ reason: 'broken' })
})

test('a document of another format is sent without a check', async () => {
  const documentId = await uploaded(goodDocx, 'Приказ.docx')
  expect(aliasOf(await sender.send(routeId, { documentId }))).toBeNull()
  expect(await kept(documentId)).toEqual([])
})
