/**
 * What an assistant may do: look things up, prepare and send. There is no tool for signing or submitting a signature:
 * only a person signs.
 */
import * as z from 'zod/mini'
import {
  sendByRoute,
  sendFromTemplate,
  sendToRecipient,
  withdrawProgramRequest,
  getChanges,
  getProgramRequest,
  getProgramRequests,
} from '@kelisim/domain/integration/calls/requests-contract.ts'
import {
  getCounterparty,
  getProgramRoutes,
  getProgramTemplate,
  getProgramTemplates,
} from '@kelisim/domain/integration/calls/catalogue-contract.ts'
import {
  getProgramEntries,
  getProgramJournals,
  getProgramKinds,
} from '@kelisim/domain/integration/calls/registers-contract.ts'
import { programFiles } from '@kelisim/domain/integration/calls/files-contract.ts'
import type { Kelisim } from '../client.ts'

export type Tool = {
  name: string
  description: string
  input: z.ZodMiniType
  /** The tool only reads. */
  isReading: boolean
  run: (kelisim: Kelisim, input: never) => Promise<unknown>
}

/** Ties the type of a tool's input to its function. */
function tool<I extends z.ZodMiniType>(
  name: string,
  description: string,
  input: I,
  run: (kelisim: Kelisim, input: z.output<I>) => Promise<unknown>,
  { isReading = true } = {},
): Tool {
  return { name, description, input, isReading, run }
}

const writing = { isReading: false }

export const tools: readonly Tool[] = [
  tool(
    'test_connection',
    'For which organisation and member the token acts, and what it may do',
    z.object({}),
    (kelisim) => kelisim.connection(),
  ),
  tool('list_requests', getProgramRequests.summary, getProgramRequests.input, (kelisim, input) =>
    kelisim.requests(input),
  ),
  tool('get_request', getProgramRequest.summary, getProgramRequest.input, (kelisim, input) =>
    kelisim.request(input),
  ),
  tool('list_changes', getChanges.summary, getChanges.input, (kelisim, input) => kelisim.changes(input)),
  tool('list_routes', getProgramRoutes.summary, getProgramRoutes.input, (kelisim, input) =>
    kelisim.routes(input),
  ),
  tool('list_templates', getProgramTemplates.summary, getProgramTemplates.input, (kelisim, input) =>
    kelisim.templates(input),
  ),
  tool('get_template', getProgramTemplate.summary, getProgramTemplate.input, (kelisim, input) =>
    kelisim.template(input),
  ),
  tool('get_counterparty', getCounterparty.summary, getCounterparty.input, (kelisim, input) =>
    kelisim.counterparty(input),
  ),
  tool('list_journals', getProgramJournals.summary, getProgramJournals.input, (kelisim) =>
    kelisim.journals(),
  ),
  tool('list_document_kinds', getProgramKinds.summary, getProgramKinds.input, (kelisim) =>
    kelisim.documentKinds(),
  ),
  tool('list_journal_entries', getProgramEntries.summary, getProgramEntries.input, (kelisim, input) =>
    kelisim.journalEntries(input),
  ),
  tool(
    'download_file',
    'One file of a request, as base64: the original, the signed set, the electronic or printable document, the report, the evidence',
    z.object({ requestId: z.uuid(), kind: z.enum(programFiles) }),
    async (kelisim, { requestId, kind }) => {
      const { name, bytes } = await kelisim.download(requestId, kind)
      return { name, size: bytes.length, base64: Buffer.from(bytes).toString('base64') }
    },
  ),
  tool(
    'upload_document',
    'Prepare a document for sending: its bytes as base64. Nobody sees it before it is sent',
    z.object({ name: z.string(), base64: z.string() }),
    (kelisim, { name, base64 }) => kelisim.uploadDocument({ name, encoding: 'base64' }, base64),
    writing,
  ),
  tool(
    'send_by_route',
    sendByRoute.summary,
    sendByRoute.input,
    (kelisim, input) => kelisim.sendByRoute(input),
    writing,
  ),
  tool(
    'send_to_recipient',
    sendToRecipient.summary,
    sendToRecipient.input,
    (kelisim, input) => kelisim.sendToRecipient(input),
    writing,
  ),
  tool(
    'send_from_template',
    sendFromTemplate.summary,
    sendFromTemplate.input,
    (kelisim, input) => kelisim.sendFromTemplate(input),
    writing,
  ),
  tool(
    'withdraw_request',
    withdrawProgramRequest.summary,
    withdrawProgramRequest.input,
    (kelisim, input) => kelisim.withdraw(input),
    writing,
  ),
]
