/** Registers for programs: journals, kinds of documents, numbers (docs/product/integration.md#w-13). */
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { countLimit, Id, listOf, Moment, Page } from '../../fields.ts'
import { getJournalEntries, JournalEntry } from '../../registers/contract.ts'
import { journalDirections } from '../../registers/permissions.ts'
import { registerRequest } from '../../requests/sending/registration-contract.ts'
import { ProgramRequest } from './requests-contract.ts'

const reading = { method: 'GET', access: 'program', scope: 'registers.read' } as const

export const getProgramJournals = endpoint({
  ...reading,
  path: '/api/v1/journals',
  summary: 'The journals of the organisation, with the number that each would give next',
  input: z.object({}),
  result: listOf(
    z.object({
      id: Id,
      name: z.string(),
      direction: z.enum(journalDirections),
      isActive: z.boolean(),
      /** How many documents are registered in the journal. */
      count: z.int(),
      nextNumber: z.string(),
    }),
  ),
  refusals: [],
})

export const getProgramKinds = endpoint({
  ...reading,
  path: '/api/v1/document-kinds',
  summary: 'The kinds of documents of the organisation, to be named when sending',
  input: z.object({}),
  result: listOf(
    z.object({
      id: Id,
      name: z.string(),
      /** Where documents of this kind are registered; null: nowhere. */
      journalId: z.nullable(Id),
      /** Whether documents of this kind get their number when they are sent. */
      registersAtSending: z.boolean(),
      isActive: z.boolean(),
    }),
  ),
  refusals: [],
})

const { year } = getJournalEntries.input.shape
const { number, name, kind, counterparty, signingDate, registeredBy } = JournalEntry.shape

export const getProgramEntries = endpoint({
  ...reading,
  path: '/api/v1/journals/:journalId/entries',
  summary: 'What was registered in a journal, the latest first; for a member who keeps the registers',
  input: z.object({
    journalId: Id,
    year,
    skip: z._default(Page.shape.skip.check(z.maximum(countLimit)), 0),
    take: z._default(Page.shape.take, 100),
  }),
  result: listOf(
    z.object({
      requestId: Id,
      number,
      registeredAt: Moment,
      registeredBy,
      name,
      kind,
      counterparty,
      signingDate,
    }),
  ),
  refusals: getJournalEntries.refusals,
})

export const registerProgramRequest = endpoint({
  method: 'POST',
  access: 'program',
  scope: 'registers.write',
  path: '/api/v1/requests/:requestId/registration',
  summary: 'Register a request in a journal: it gets the next number, and keeps it for ever',
  input: z.object({ requestId: Id, journalId: Id }),
  result: ProgramRequest,
  refusals: registerRequest.refusals,
})
