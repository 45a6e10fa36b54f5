/** Import of members: a table of people, each of whom is invited (docs/product/member-import.md). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, Language, listOf, Moment, Nothing, OfOrganization, Page, requiredLine } from '../fields.ts'
import { importFields, personProblems } from './rows.ts'

export const importRowStates = ['new', 'queued', 'invited', 'failed'] as const

export const MemberImport = z.object({
  id: Id,
  fileName: z.string(),
  author: z.string(),
  createdAt: Moment,
  /** Invitations are being sent. */
  isRunning: z.boolean(),
  /** The limit of e-mails is reached, and the import continues automatically at this moment. */
  pausedUntil: z.nullable(Moment),
  counts: z.object({
    total: z.int(),
    /** Rows whose people can be invited, for the first time or again. */
    good: z.int(),
    /** Rows with problems. */
    bad: z.int(),
    queued: z.int(),
    invited: z.int(),
  }),
})

export const addMemberImport = endpoint({
  method: 'POST',
  path: '/api/MemberImport/:organizationId',
  access: 'owner',
  summary:
    'Upload a table of people (XLSX or CSV): the body is the file. It takes the place of the one before; nobody is invited yet',
  takesFile: true,
  perMinute: 20,
  input: z.extend(OfOrganization, { name: requiredLine(250) }),
  result: MemberImport,
  refusals: [
    'table-unreadable',
    'file-too-large',
    'file-storage-error',
    'malformed-body',
    'member-import-running',
  ],
})

export const getMemberImport = endpoint({
  method: 'GET',
  path: '/api/MemberImport/:organizationId',
  access: 'owner',
  summary: 'The table of people that was uploaded last, with its progress',
  input: OfOrganization,
  result: z.object({ memberImport: z.nullable(MemberImport) }),
  refusals: [],
})

export const ImportRow = z.object({
  /** The number of the row in the file. */
  number: z.int(),
  email: z.string(),
  name: z.string(),
  iin: z.string(),
  groups: z.array(z.string()),
  state: z.enum(importRowStates),
  problems: z.array(
    z.object({
      field: z.enum(importFields),
      problem: z.enum(personProblems),
      row: z.optional(z.int()),
      names: z.optional(z.string()),
    }),
  ),
  /** Why the person could not be invited. */
  failure: z.nullable(z.object({ alias: z.string(), parameters: z.record(z.string(), z.unknown()) })),
})

export const getImportRows = endpoint({
  method: 'GET',
  path: '/api/MemberImport/:organizationId/rows/:skip/:take',
  access: 'owner',
  summary: 'The people of the table, with what is wrong with each row',
  input: z.extend(OfOrganization, {
    ...Page.shape,
    /** Only rows with problems, only people who can be invited, or only people who were invited. */
    only: z.optional(z.enum(['bad', 'good', 'invited'])),
  }),
  result: listOf(ImportRow),
  refusals: ['member-import-not-found'],
})

export const startMemberImport = endpoint({
  method: 'POST',
  path: '/api/MemberImport/:organizationId/start',
  access: 'owner',
  summary: 'Invite everybody whose row has nothing wrong; the others stay. Repeating it invites nobody twice',
  input: z.extend(OfOrganization, { importId: Id, language: Language }),
  result: MemberImport,
  refusals: ['member-import-not-found'],
})

export const removeMemberImport = endpoint({
  method: 'DELETE',
  path: '/api/MemberImport/:organizationId',
  access: 'owner',
  summary: 'Delete the table; invitations that were sent stay',
  input: OfOrganization,
  result: Nothing,
  refusals: ['member-import-not-found', 'member-import-running'],
})

export const downloadBadRows = endpoint({
  method: 'GET',
  path: '/api/MemberImport/:organizationId/bad',
  access: 'owner',
  summary: 'The rows with something wrong as a table, with the reasons (XLSX)',
  givesFile: true,
  perMinute: 10,
  input: OfOrganization,
  result: Nothing,
  refusals: ['member-import-not-found'],
})

export const downloadImportTemplate = endpoint({
  method: 'GET',
  path: '/api/MemberImport/:organizationId/template',
  access: 'owner',
  summary: 'An example of a table of people (XLSX)',
  givesFile: true,
  perMinute: 20,
  input: OfOrganization,
  result: Nothing,
  refusals: [],
})
