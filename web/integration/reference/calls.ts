/** The calls of programs as the reference shows them: grouped by subject, with the examples of their contracts. */
import { fillPath, type Endpoint } from '@kelisim/domain/endpoint.ts'
import {
  getCounterparty,
  getProgramRoutes,
  getProgramTemplate,
  getProgramTemplates,
} from '@kelisim/domain/integration/calls/catalogue-contract.ts'
import { getConnection } from '@kelisim/domain/integration/calls/connection-contract.ts'
import {
  downloadProgramDocument,
  getProgramDocument,
  uploadProgramDocument,
} from '@kelisim/domain/integration/calls/documents-contract.ts'
import { examples } from '@kelisim/domain/integration/calls/examples.ts'
import {
  downloadFile,
  downloadProgramSignature,
  prepareFile,
} from '@kelisim/domain/integration/calls/files-contract.ts'
import {
  getProgramEntries,
  getProgramJournals,
  getProgramKinds,
  registerProgramRequest,
} from '@kelisim/domain/integration/calls/registers-contract.ts'
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

/** The names of the groups and calls are the keys of their texts. */
export const callGroups = {
  connection: { getConnection },
  documents: { uploadProgramDocument, getProgramDocument, downloadProgramDocument },
  sending: { sendByRoute, sendToRecipient, sendFromTemplate, withdrawProgramRequest },
  following: { getProgramRequest, getProgramRequests, getStatuses, getChanges },
  signatures: { addSignature, downloadProgramSignature },
  files: { prepareFile, downloadFile },
  registers: { getProgramJournals, getProgramKinds, registerProgramRequest, getProgramEntries },
  catalogue: { getProgramRoutes, getProgramTemplates, getProgramTemplate, getCounterparty },
} as const

export type CallGroup = keyof typeof callGroups
type CallsOf<G> = G extends object ? keyof G : never
export type CallName = CallsOf<(typeof callGroups)[CallGroup]>

export function callsIn(group: CallGroup): [CallName, Endpoint][] {
  return Object.entries(callGroups[group]) as [CallName, Endpoint][]
}

/** The call as a command that can be pasted into a terminal; the token comes from the environment. */
export function curlOf(call: Endpoint, origin: string): string {
  const input = examples.find((one) => one.call === call)?.input ?? {}
  const { path, rest } = fillPath(call.path, input)
  const isInQuery = call.method === 'GET' || call.takesFile === true
  const query = isInQuery
    ? new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)])).toString()
    : ''
  const lines = [
    `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}'${origin}${path}${query === '' ? '' : `?${query}`}'`,
    `-H "Authorization: Bearer $KELISIM_TOKEN"`,
    ...(call.method === 'GET' ? [] : ['-H "Idempotency-Key: $(uuidgen)"']),
    ...(call.takesFile
      ? ["-H 'Content-Type: application/octet-stream'", "--data-binary '@document.pdf'"]
      : []),
    ...(isInQuery ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(rest, null, 2)}'`]),
    ...(call.givesFile ? ['-OJ'] : []),
  ]
  return lines.join(' \\\n  ')
}

/** Null: the response is a file. */
export function responseOf(call: Endpoint): string | null {
  const example = examples.find((one) => one.call === call)
  return example && !call.givesFile ? JSON.stringify(example.result, null, 2) : null
}
