/**
 * An example of every call of programs, for the API document and the reference. A test creates the data with these
 * ids and runs each example (server/integration/examples.db.test.ts).
 */
import type * as z from 'zod/mini'
import type { Endpoint } from '../../endpoint.ts'
import {
  getCounterparty,
  getProgramRoutes,
  getProgramTemplate,
  getProgramTemplates,
} from './catalogue-contract.ts'
import { getConnection } from './connection-contract.ts'
import { downloadProgramDocument, getProgramDocument, uploadProgramDocument } from './documents-contract.ts'
import { downloadFile, downloadProgramSignature, prepareFile } from './files-contract.ts'
import {
  getProgramEntries,
  getProgramJournals,
  getProgramKinds,
  registerProgramRequest,
} from './registers-contract.ts'
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
  type ProgramRequest,
} from './requests-contract.ts'
import { cursorOf } from '../cursor.ts'

export type Example = {
  call: Endpoint
  input: Readonly<Record<string, unknown>>
  /** Null: the response is a file. */
  result: unknown
}

/** The ids in the examples; the test replaces them by the ids of its own data. */
export const exampleIds = {
  organization: '01a1dd30-0000-7000-8000-000000000001',
  member: '01a1dd30-0000-7000-8000-000000000002',
  group: '01a1dd30-0000-7000-8000-000000000003',
  route: '01a1dd30-0000-7000-8000-000000000004',
  template: '01a1dd30-0000-7000-8000-000000000005',
  document: '01a1dd30-0000-7000-8000-000000000006',
  /** A request that was sent to the organisation, which has to sign it. */
  incoming: '01a1dd30-0000-7000-8000-000000000007',
  incomingPoint: '01a1dd30-0000-7000-8000-000000000008',
  /** A request that the organisation sent and both sides signed. */
  signed: '01a1dd30-0000-7000-8000-000000000009',
  signature: '01a1dd30-0000-7000-8000-00000000000a',
  /** A request that the organisation sent and that is to be withdrawn. */
  outgoing: '01a1dd30-0000-7000-8000-00000000000b',
  outgoingPoint: '01a1dd30-0000-7000-8000-00000000000c',
  /** A journal of outgoing documents. */
  journal: '01a1dd30-0000-7000-8000-00000000000d',
  kind: '01a1dd30-0000-7000-8000-00000000000e',
} as const

export const exampleBins = { own: '260140020007', counterparty: '240540017348' } as const
/** A CMS over the bytes of the incoming document. */
export const exampleSignature = 'MIIHdQYJKoZIhvcNAQcCoIIHZjCCB2ICAQEx'
export const exampleCursor = cursorOf(exampleIds.organization, 41)

const at = '2026-11-16T06:00:00.000Z'
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

function example<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  call: Endpoint<'program', I, R>,
  input: z.input<I> & Record<string, unknown>,
  result: z.input<R> | null,
): Example {
  return { call, input, result }
}

const document = {
  id: exampleIds.document,
  name: 'Договор поставки.pdf',
  description: '',
  format: 'pdf',
  size: 48_213,
  sha256,
  createdAt: at,
} as const

const request: z.input<typeof ProgramRequest> = {
  id: exampleIds.outgoing,
  name: 'Договор поставки № 15/2026',
  description: '',
  status: 'InProgress',
  direction: 'outgoing',
  sender: { name: 'ТОО «Алтын Дала»', bin: exampleBins.own },
  document: { id: exampleIds.document, fileName: 'Договор поставки.pdf', size: 48_213, sha256 },
  kind: null,
  registration: null,
  ownRegistration: null,
  signingDate: '2026-11-16',
  createdAt: at,
  changedAt: at,
  version: 2,
  revision: 1,
  points: [
    {
      pointId: exampleIds.outgoingPoint,
      order: 1,
      type: 'CompanyInternalSign',
      name: 'Директор',
      bin: exampleBins.own,
      organizationName: 'ТОО «Алтын Дала»',
      status: 'Waiting',
      reason: null,
      doneAt: null,
      signatures: [],
    },
  ],
  awaitsSignatureAt: [exampleIds.outgoingPoint],
}

const state = {
  id: exampleIds.outgoing,
  name: request.name,
  status: request.status,
  number: 'ИСХ-0015/2026',
  ownNumber: 'ИСХ-0015/2026',
  version: 2,
  changedAt: at,
}

const recipient = {
  bin: exampleBins.counterparty,
  organizationName: '«Тұлпар Трейд» ЖШС',
  emails: ['partner@example.kz'],
  groupId: exampleIds.group,
}

const { outgoing, signed, incoming } = exampleIds

export const examples: readonly Example[] = [
  example(
    getConnection,
    {},
    {
      organization: {
        id: exampleIds.organization,
        name: 'ТОО «Алтын Дала»',
        bin: exampleBins.own,
        isConfirmed: true,
      },
      actsAs: { id: exampleIds.member, fullName: 'Айгерім Серікова' },
      token: {
        name: '1С',
        scopes: ['requests.read', 'requests.send'],
        expiresAt: '2027-05-31T19:00:00.000Z',
      },
      now: at,
      version: '0.57.0',
    },
  ),
  example(uploadProgramDocument, { name: 'Договор поставки.pdf', encoding: 'binary' }, document),
  example(getProgramDocument, { documentId: exampleIds.document }, document),
  example(downloadProgramDocument, { documentId: exampleIds.document }, null),
  example(
    getProgramRoutes,
    { skip: 0, take: 10 },
    { items: [{ id: exampleIds.route, name: 'Договоры', description: '', version: 1 }], totalCount: 1 },
  ),
  example(
    getProgramTemplates,
    { skip: 0, take: 10 },
    { items: [{ id: exampleIds.template, name: 'Договор поставки', description: '' }], totalCount: 1 },
  ),
  example(
    getProgramTemplate,
    { templateId: exampleIds.template },
    {
      id: exampleIds.template,
      name: 'Договор поставки',
      description: '',
      variables: [{ name: 'Сумма', kind: 'number', usual: '' }],
    },
  ),
  example(
    getCounterparty,
    { bin: exampleBins.counterparty },
    {
      bin: exampleBins.counterparty,
      name: '«Тұлпар Трейд» ЖШС',
      isConfirmedHere: true,
      accepts: ['ExternalSign', 'CounterParty'],
    },
  ),
  example(
    sendByRoute,
    {
      documentId: exampleIds.document,
      routeId: exampleIds.route,
      name: request.name,
      kindId: exampleIds.kind,
    },
    { ...request, kind: { id: exampleIds.kind, name: 'Договор' } },
  ),
  example(sendToRecipient, { documentId: exampleIds.document, name: request.name, ...recipient }, request),
  example(
    sendFromTemplate,
    {
      templateId: exampleIds.template,
      fileName: 'Договор поставки',
      values: { Сумма: '1250000' },
      name: request.name,
      routeId: exampleIds.route,
    },
    request,
  ),
  example(getProgramRequest, { requestId: outgoing }, request),
  example(
    getProgramRequests,
    { direction: 'outgoing', skip: 0, take: 10 },
    { items: [state], totalCount: 1 },
  ),
  example(getStatuses, { ids: `${outgoing},${signed}` }, { items: [state], notFound: [] }),
  example(
    getChanges,
    { after: exampleCursor, take: 100 },
    {
      items: [{ requestId: outgoing, type: 'sent', status: 'New', pointId: null, at }],
      cursor: cursorOf(exampleIds.organization, 42),
      hasMore: false,
    },
  ),
  example(
    addSignature,
    { requestId: incoming, pointId: exampleIds.incomingPoint, signature: exampleSignature },
    request,
  ),
  example(downloadFile, { requestId: signed, kind: 'signed' }, null),
  example(
    prepareFile,
    { requestId: signed, kind: 'evidence' },
    {
      kind: 'evidence',
      state: 'in-process',
      failure: null,
      fileName: 'Договор поставки — доказательства.zip',
    },
  ),
  example(downloadProgramSignature, { requestId: signed, signatureId: exampleIds.signature }, null),
  example(
    getProgramJournals,
    {},
    {
      items: [
        {
          id: exampleIds.journal,
          name: 'Исходящие',
          direction: 'outgoing',
          isActive: true,
          count: 14,
          nextNumber: 'ИСХ-0015/2026',
        },
      ],
      totalCount: 1,
    },
  ),
  example(
    getProgramKinds,
    {},
    {
      items: [
        {
          id: exampleIds.kind,
          name: 'Договор',
          journalId: exampleIds.journal,
          registersAtSending: false,
          isActive: true,
        },
      ],
      totalCount: 1,
    },
  ),
  example(
    registerProgramRequest,
    { requestId: signed, journalId: exampleIds.journal },
    {
      ...request,
      id: signed,
      status: 'Completed',
      awaitsSignatureAt: [],
      registration: { number: 'ИСХ-0015/2026', registeredOn: '2026-11-16' },
      ownRegistration: { number: 'ИСХ-0015/2026', registeredAt: at, journalId: exampleIds.journal },
    },
  ),
  example(
    getProgramEntries,
    { journalId: exampleIds.journal, year: 2026, skip: 0, take: 10 },
    {
      items: [
        {
          requestId: signed,
          number: 'ИСХ-0015/2026',
          registeredAt: at,
          registeredBy: 'Айгерім Серікова',
          name: request.name,
          kind: null,
          counterparty: { name: '«Тұлпар Трейд» ЖШС', bin: exampleBins.counterparty },
          signingDate: '2026-11-16',
        },
      ],
      totalCount: 1,
    },
  ),
  example(withdrawProgramRequest, { requestId: outgoing, comment: 'Ошибка в сумме' }, request),
]
