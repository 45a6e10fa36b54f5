/** Bulk sending: a table, a template, and a request for each row (docs/product/bulk.md). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, listOf, Moment, Nothing, OfOrganization, Page, requiredLine } from '../fields.ts'
import { variableKinds } from '../rich-text/variables.ts'
import { longestName, rowProblems } from './plan.ts'

export const bulkStates = ['draft', 'running', 'paused', 'done'] as const
export const bulkRowStates = ['waiting', 'skipped', 'sent', 'failed'] as const

const longestColumn = 5000

const PlanFields = z.object({
  templateId: z.uuid('required').check(z.toLowerCase()),
  way: z.enum(['quick', 'route']),
  groupId: z.nullable(Id),
  routeId: z.nullable(Id),
  /** The column that names the route of each row; empty: all rows go along one route. */
  routeColumn: z._default(z.string().check(z.maxLength(longestColumn)), ''),
  kindId: z.nullable(Id),
  name: requiredLine(longestName),
  recipient: z.object({
    bin: z.string().check(z.maxLength(longestColumn)),
    emails: z.string().check(z.maxLength(longestColumn)),
    organizationName: z.string().check(z.maxLength(longestColumn)),
  }),
  variables: z.record(z.string(), z.string()),
})

export const BulkSending = z.object({
  id: Id,
  fileName: z.string(),
  columns: z.array(z.string()),
  plan: z.nullable(PlanFields),
  state: z.enum(bulkStates),
  author: z.object({ id: Id, fullName: z.string() }),
  createdAt: Moment,
  /** The number of rows in all and by state; `bad` counts the faulty rows of a draft. */
  counts: z.object({
    total: z.int(),
    bad: z.int(),
    waiting: z.int(),
    skipped: z.int(),
    sent: z.int(),
    failed: z.int(),
  }),
})

export const addBulkSending = endpoint({
  method: 'POST',
  path: '/api/BulkSendings/:organizationId',
  access: 'member',
  summary: 'Upload a table (XLSX or CSV) to be sent row by row: the body is the file. Nothing is sent yet',
  takesFile: true,
  perMinute: 20,
  input: z.extend(OfOrganization, { name: requiredLine(250) }),
  result: BulkSending,
  refusals: ['table-unreadable', 'file-too-large', 'file-storage-error', 'malformed-body'],
})

export const getBulkSendings = endpoint({
  method: 'GET',
  path: '/api/BulkSendings/:organizationId/:skip/:take',
  access: 'member',
  summary: 'What the caller sends or has sent from tables, the newest first',
  input: z.extend(OfOrganization, Page.shape),
  result: listOf(BulkSending),
  refusals: [],
})

const OfBulk = z.extend(OfOrganization, { bulkId: Id })

export const getBulkSending = endpoint({
  method: 'GET',
  path: '/api/BulkSendings/:organizationId/:bulkId',
  access: 'member',
  summary: 'One bulk sending with its progress',
  input: OfBulk,
  result: BulkSending,
  refusals: ['bulk-not-found'],
})

export const getBulkVariables = endpoint({
  method: 'GET',
  path: '/api/BulkSendings/:organizationId/variables/:templateId',
  access: 'member',
  summary: 'The variables of a template, for the columns of a table',
  input: z.extend(OfOrganization, { templateId: Id }),
  result: listOf(z.object({ name: z.string(), type: z.enum(variableKinds), usual: z.string() })),
  refusals: ['document-template-not-found'],
})

const planRefusals = [
  'bulk-not-found',
  'bulk-already-started',
  'document-template-not-found',
  'route-not-found',
  'organization-group-not-found',
  'user-group-not-found',
  'kind-not-found',
  'quick-send-not-allowed',
] as const

export const planBulkSending = endpoint({
  method: 'PUT',
  path: '/api/BulkSendings/:organizationId/:bulkId/plan',
  access: 'member',
  summary: 'Say what each column is for; the rows then say what is wrong with them',
  input: z.extend(OfBulk, PlanFields.shape),
  result: BulkSending,
  refusals: planRefusals,
})

export const BulkRow = z.object({
  /** The number of the row in the file. */
  number: z.int(),
  name: z.string(),
  recipient: z.nullable(z.object({ bin: z.string(), organizationName: z.string() })),
  /** The route that the row names. */
  route: z.nullable(z.string()),
  state: z.enum(bulkRowStates),
  problems: z.array(z.object({ column: z.string(), problem: z.enum(rowProblems), row: z.optional(z.int()) })),
  /** Why the row was not sent. */
  failure: z.nullable(z.object({ alias: z.string(), parameters: z.record(z.string(), z.unknown()) })),
  signingRequestId: z.nullable(Id),
  /** The number of the request in the journal of the sender. */
  registered: z.nullable(z.string()),
})

export const getBulkRows = endpoint({
  method: 'GET',
  path: '/api/BulkSendings/:organizationId/:bulkId/rows/:skip/:take',
  access: 'member',
  summary: 'The rows as they would be or were sent',
  input: z.extend(OfBulk, {
    ...Page.shape,
    /** Only faulty rows, or only rows in this state. */
    only: z.optional(z.enum(['bad', ...bulkRowStates])),
  }),
  result: listOf(BulkRow),
  refusals: ['bulk-not-found'],
})

export const startBulkSending = endpoint({
  method: 'POST',
  path: '/api/BulkSendings/:organizationId/:bulkId/start',
  access: 'member',
  summary:
    'Send every row with nothing wrong; rows with something wrong are left out, if the caller agrees to that',
  input: z.extend(OfBulk, { skipsBad: z._default(z.boolean(), false) }),
  result: BulkSending,
  refusals: [...planRefusals, 'bulk-not-planned', 'bulk-rows-wrong', 'request-changed'],
})

export const bulkActs = ['pause', 'resume', 'retry'] as const

export const steerBulkSending = endpoint({
  method: 'POST',
  path: '/api/BulkSendings/:organizationId/:bulkId/:act',
  access: 'member',
  summary: 'Pause, go on, or try the rows again that could not be sent',
  input: z.extend(OfBulk, { act: z.enum(bulkActs) }),
  result: BulkSending,
  refusals: ['bulk-not-found', 'bulk-not-started'],
})

export const getBulkToSign = endpoint({
  method: 'GET',
  path: '/api/BulkSendings/:organizationId/:bulkId/toSign',
  access: 'member',
  summary: 'The requests of a bulk sending that wait for a signature of the caller',
  input: OfBulk,
  result: z.object({ signingRequestIds: z.array(Id) }),
  refusals: ['bulk-not-found'],
})

export const downloadBulkResult = endpoint({
  method: 'GET',
  path: '/api/BulkSendings/:organizationId/:bulkId/result',
  access: 'member',
  summary: 'The table with what became of each row (XLSX)',
  givesFile: true,
  perMinute: 10,
  input: OfBulk,
  result: Nothing,
  refusals: ['bulk-not-found', 'archive-under-way'],
})
