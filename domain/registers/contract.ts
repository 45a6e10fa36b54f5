/** Registers of an organisation: its journals, kinds of documents and their numbers (docs/product/registers.md). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, line, listOf, Moment, Nothing, OfOrganization, Page, requiredLine, Version } from '../fields.ts'
import { largestFirstNumber, longestPrefix, mostDigits, yearPlaces } from './numbering.ts'
import { journalDirections } from './permissions.ts'

export const longestJournalName = 250
/** Low enough that all journals are shown everywhere without paging. */
export const mostJournals = 200
export const mostKinds = 200

/** Not trimmed, because a prefix may end with a space. */
const Prefix = z
  .string()
  .check(z.maxLength(longestPrefix, 'too-long'), z.regex(/^[\p{L}\p{N} ./_№()-]*$/u, 'prefix-signs'))

const Numbering = z.object({
  prefix: Prefix,
  yearPlace: z.enum(yearPlaces),
  width: z.int().check(z.minimum(1), z.maximum(mostDigits)),
  firstNumber: z
    .int('number-incorrect')
    .check(z.minimum(1, 'number-incorrect'), z.maximum(largestFirstNumber, 'number-incorrect')),
})

export const Journal = z.extend(Numbering, {
  id: Id,
  name: z.string(),
  direction: z.enum(journalDirections),
  isActive: z.boolean(),
  currentVersion: Version,
  /** How many documents are registered in the journal. */
  count: z.int(),
  /** The number that the journal would give now. */
  nextNumber: z.string(),
})

export const getJournals = endpoint({
  method: 'GET',
  path: '/api/Journals/:organizationId',
  access: 'member',
  summary: 'The journals of the organisation, in order of name',
  input: OfOrganization,
  result: listOf(Journal),
  refusals: [],
})

const Name = requiredLine(longestJournalName)

export const addJournal = endpoint({
  method: 'POST',
  path: '/api/Journals/:organizationId',
  access: 'owner',
  summary: 'Open a journal; its name is the only one of that kind in the organisation',
  input: z.extend(OfOrganization, {
    ...Numbering.shape,
    name: Name,
    direction: z.enum(journalDirections),
  }),
  result: Journal,
  refusals: ['journal-name-already-in-use', 'registers-limit'],
})

const OfJournal = z.extend(OfOrganization, { journalId: Id })

export const saveJournal = endpoint({
  method: 'PUT',
  path: '/api/Journals/:organizationId/:journalId',
  access: 'owner',
  summary: 'Rename a journal, close it or open it again; its rule changes only before the first number',
  input: z.extend(OfJournal, {
    name: Name,
    isActive: z.boolean(),
    ...Numbering.shape,
    currentVersion: Version,
  }),
  result: Journal,
  refusals: ['journal-not-found', 'journal-name-already-in-use', 'journal-rule-fixed', 'request-changed'],
})

export const JournalEntry = z.object({
  number: z.string(),
  registeredAt: Moment,
  registeredBy: z.string(),
  signingRequestId: Id,
  name: z.string(),
  kind: z.nullable(z.string()),
  /** The sender of an incoming document, the first recipient of an outgoing one. */
  counterparty: z.nullable(z.object({ name: z.string(), bin: z.string() })),
  signingDate: z.iso.date(),
})

const Year = z.optional(z.coerce.number().check(z.int(), z.minimum(2000), z.maximum(9999)))

export const getJournalEntries = endpoint({
  method: 'GET',
  path: '/api/Journals/:organizationId/:journalId/entries/:skip/:take',
  access: 'member',
  summary: 'What was registered in a journal, the latest first; for those who keep the registers',
  input: z.extend(OfJournal, { ...Page.shape, name: z.optional(line(250)), year: Year }),
  result: listOf(JournalEntry),
  refusals: ['journal-not-found', 'registers-not-kept'],
})

export const downloadJournal = endpoint({
  method: 'GET',
  path: '/api/Journals/:organizationId/:journalId/xlsx',
  access: 'member',
  summary: 'A journal, or one year of it in Almaty, as a table (XLSX)',
  givesFile: true,
  perMinute: 10,
  input: z.extend(OfJournal, { year: Year }),
  result: Nothing,
  refusals: ['journal-not-found', 'registers-not-kept', 'archive-under-way'],
})

export const DocumentKind = z.object({
  id: Id,
  name: z.string(),
  /** The journal in which documents of this kind are registered; null: none. */
  journal: z.nullable(z.object({ id: Id, name: z.string(), isActive: z.boolean() })),
  registersAtSending: z.boolean(),
  isActive: z.boolean(),
  currentVersion: Version,
})

export const getDocumentKinds = endpoint({
  method: 'GET',
  path: '/api/DocumentKinds/:organizationId',
  access: 'member',
  summary: 'The kinds of documents of the organisation, in order of name',
  input: OfOrganization,
  result: listOf(DocumentKind),
  refusals: [],
})

const KindForm = z.object({ name: Name, journalId: z.nullable(Id), registersAtSending: z.boolean() })

export const addDocumentKind = endpoint({
  method: 'POST',
  path: '/api/DocumentKinds/:organizationId',
  access: 'owner',
  summary: 'Make a kind of documents, with the journal in which they are registered',
  input: z.extend(OfOrganization, KindForm.shape),
  result: DocumentKind,
  refusals: ['kind-name-already-in-use', 'journal-not-found', 'kind-without-journal', 'registers-limit'],
})

export const saveDocumentKind = endpoint({
  method: 'PUT',
  path: '/api/DocumentKinds/:organizationId/:kindId',
  access: 'owner',
  summary: 'Change a kind of documents, or stop using it; what was sent keeps it',
  input: z.extend(OfOrganization, {
    ...KindForm.shape,
    kindId: Id,
    isActive: z.boolean(),
    currentVersion: Version,
  }),
  result: DocumentKind,
  refusals: [
    'kind-not-found',
    'kind-name-already-in-use',
    'journal-not-found',
    'kind-without-journal',
    'request-changed',
  ],
})
