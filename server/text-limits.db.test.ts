/**
 * Every text that a contract accepts fits into its column: a longer one is refused at its field before anything is
 * done, and not by the database at the end.
 */
import { describe, expect, test } from 'vitest'
import { addCampaign } from '@kelisim/domain/campaigns/contract.ts'
import { addClassifier, saveClassifier } from '@kelisim/domain/classifiers/contract.ts'
import { saveDocument, uploadDocument } from '@kelisim/domain/documents/contract.ts'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import { addOrganization } from '@kelisim/domain/identity/contract.ts'
import { uploadProgramDocument } from '@kelisim/domain/integration/calls/documents-contract.ts'
import {
  addSignature,
  sendByRoute,
  sendToRecipient,
  withdrawProgramRequest,
} from '@kelisim/domain/integration/calls/requests-contract.ts'
import { addToken } from '@kelisim/domain/integration/contract.ts'
import { addWebhook } from '@kelisim/domain/integration/webhook-contract.ts'
import { sendFeedback } from '@kelisim/domain/landing/feedback-contract.ts'
import { initTransaction } from '@kelisim/domain/landing/quick-send-contract.ts'
import { addPoint, savePoint } from '@kelisim/domain/points/contract.ts'
import { addGroup, saveCard, saveGroup } from '@kelisim/domain/portal/contract.ts'
import {
  addDocumentKind,
  addJournal,
  saveDocumentKind,
  saveJournal,
} from '@kelisim/domain/registers/contract.ts'
import {
  actAtPoint,
  createQuickRequest,
  createRequest,
  revokeRequest,
} from '@kelisim/domain/requests/contract.ts'
import { createPackage } from '@kelisim/domain/requests/packages/contract.ts'
import { createCrosslinks } from '@kelisim/domain/requests/phone-contract.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { addRetentionTerm, holdDocument } from '@kelisim/domain/retention/contract.ts'
import { addTemplate, saveTemplate, writeDocument } from '@kelisim/domain/rich-text/contract.ts'
import { routeCalls, templateCalls } from '@kelisim/domain/routes/contract.ts'
import { actingIn, startRequestsApp } from './requests/core/testing-requests.ts'

const testApp = await startRequestsApp()
const { call, database } = testApp
const { act } = actingIn(testApp)

/** The most characters that the check of a text column lets through, by `table.column`. */
const limits = new Map(
  (
    await database.pool.query<{ place: string; check: string }>(`
      select format('%s.%s', c.conrelid::regclass, a.attname) as place, pg_get_constraintdef(c.oid) as check
      from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'c' and cardinality(c.conkey) = 1 and a.atttypid = 'text'::regtype`)
  ).rows.flatMap(({ place, check }) => {
    const most = /length\(\w+\) <= (\d+)/.exec(check)?.[1]
    return most === undefined ? [] : [[place, Number(most)] as const]
  }),
)

const request = { name: 'signing_requests.name', description: 'signing_requests.description' }
const point = {
  name: 'points.name',
  description: 'points.description',
  organizationName: 'points.organization_name',
}
const template = { name: 'document_templates.name', description: 'document_templates.description' }
const card = {
  shortName: 'organizations.short_name',
  fullName: 'organizations.full_name',
  address: 'organizations.address',
  phone: 'organizations.phone',
}

/** The columns in which the fields of contracts are stored. */
const kept: readonly [Endpoint, Record<string, string>][] = [
  [addCampaign, request],
  [createRequest, request],
  [createQuickRequest, request],
  [createPackage, request],
  [sendByRoute, request],
  [sendToRecipient, request],
  [actAtPoint, { comment: 'request_signatures.comment' }],
  [addSignature, { comment: 'request_signatures.comment' }],
  [createCrosslinks, { comment: 'mobile_signings.comment' }],
  [revokeRequest, { comment: 'request_events.comment' }],
  [withdrawProgramRequest, { comment: 'request_events.comment' }],
  [terminateRequest, { comment: 'request_terminations.comment' }],
  [addPoint, point],
  [savePoint, point],
  [routeCalls.add, { name: 'routes.name', description: 'routes.description' }],
  [templateCalls.add, { name: 'routes.name', description: 'routes.description' }],
  [uploadDocument, { description: 'documents.description' }],
  [saveDocument, { description: 'documents.description' }],
  [writeDocument, { fileName: 'documents.name', description: 'documents.description' }],
  [uploadProgramDocument, { description: 'documents.description' }],
  [addTemplate, template],
  [saveTemplate, template],
  [addClassifier, { name: 'classifiers.name' }],
  [saveClassifier, { name: 'classifiers.name' }],
  [addGroup, { name: 'groups.name' }],
  [saveGroup, { name: 'groups.name' }],
  [addOrganization, { shortName: 'organizations.short_name' }],
  [saveCard, card],
  [addJournal, { name: 'journals.name', prefix: 'journals.prefix' }],
  [saveJournal, { name: 'journals.name' }],
  [addDocumentKind, { name: 'document_kinds.name' }],
  [saveDocumentKind, { name: 'document_kinds.name' }],
  [addRetentionTerm, { basis: 'retention_terms.basis' }],
  [holdDocument, { reason: 'legal_holds.reason' }],
  [addToken, { name: 'program_tokens.name' }],
  [addWebhook, { url: 'webhooks.url' }],
  [sendFeedback, { name: 'feedback.name', phone: 'feedback.phone', message: 'feedback.message' }],
  [initTransaction, { senderPhone: 'landing_transactions.sender_phone' }],
]

describe.each(
  kept.map(([endpoint, columns]) => [`${endpoint.method} ${endpoint.path}`, endpoint, columns] as const),
)('%s', (_, endpoint, columns) => {
  test.each(Object.entries(columns))('%s is limited to the length of %s', (field, column) => {
    const most = limits.get(column)!
    expect(most, `${column} has a limit`).toBeGreaterThan(0)
    expect(problemsAt(endpoint, field, '7'.repeat(most + 1))).toContain('too-long')
  })
})

function problemsAt(endpoint: Endpoint, field: string, text: string): string[] {
  const issues = endpoint.input.safeParse({ [field]: text }).error?.issues ?? []
  return issues.filter(({ path }) => path[0] === field).map(({ message }) => message)
}

describe('one character too many', () => {
  const long = (characters: number) => 'ұ'.repeat(characters + 1)
  const tooLong = (path: string) => [{ path, code: 'too-long' }]
  const fieldsOf = ({ status, error }: Awaited<ReturnType<typeof call>>) =>
    status === 400 ? error.ExceptionData.Parameters['fields'] : status

  test.each([
    ['sign', 'CompanyInternalSign'],
    ['approve', 'InternalApprove'],
    ['reject', 'InternalApprove'],
  ] as const)('in the comment of %s is refused at its field', async (action, type) => {
    const { point: pointOf, route, send, colleague, organizationId } = await testApp.company()
    const sent = (await send(await route(await pointOf(type)))).result
    const change = { comment: long(2000), signature: 'AAAA' }
    const response = await act({ id: colleague, organizationId }, sent, type, action, change)
    expect(fieldsOf(response)).toEqual(tooLong('comment'))
  })

  test('in the comment of withdrawing is refused at its field', async () => {
    const { point: pointOf, route, send, employee, organizationId } = await testApp.company()
    const { id } = (await send(await route(await pointOf('InternalApprove')))).result
    const act = { organizationId, signingRequestId: id, comment: long(2000) }
    expect(fieldsOf(await call(employee, revokeRequest, act))).toEqual(tooLong('comment'))
  })

  test.each([
    ['name', 250],
    ['description', 1000],
  ])('in the %s of a request or a campaign is refused at its field', async (field, most) => {
    const { point: pointOf, route, send, upload, owner, organizationId } = await testApp.company()
    const routeId = await route(await pointOf('InternalApprove'))
    expect(fieldsOf(await send(routeId, { [field]: long(most) }))).toEqual(tooLong(field))
    expect((await send(routeId, { [field]: long(most - 1) })).status).toBe(200)
    const documentId = (await upload(owner, organizationId)).result.id
    const campaign = { organizationId, documentId, name: 'Правила', isEverybody: true }
    expect(fieldsOf(await call(owner, addCampaign, { ...campaign, [field]: long(most) }))).toEqual(
      tooLong(field),
    )
    expect((await call(owner, addCampaign, { ...campaign, [field]: long(most - 1) })).status).toBe(200)
  })

  test('in the name of a group is refused at its field', async () => {
    const { owner, organizationId } = await testApp.company()
    const group = { organizationId, name: long(250), participants: [owner] }
    expect(fieldsOf(await call(owner, addGroup, group))).toEqual(tooLong('name'))
  })
})
