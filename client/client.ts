/**
 * Kelisim for programs: sends documents, tracks them and downloads the results, in the name of an organisation. The
 * calls
 * are those of the contract (`domain/integration/calls`), so inputs and results are typed by it.
 *
 *   const kelisim = openClient({ address: 'https://kelisim.example', token: process.env.KELISIM_TOKEN })
 *   const document = await kelisim.uploadDocument({ name: 'Акт.pdf' }, bytes)
 *   const request = await kelisim.sendByRoute({ documentId: document.id, routeId, name: 'Акт за ноябрь' })
 */
import type * as z from 'zod/mini'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
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
import {
  downloadFile,
  downloadProgramSignature,
  madeFiles,
  prepareFile,
  type programFiles,
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
import { unfinishedStatuses } from '@kelisim/domain/requests/status.ts'
import { callFor, fileFor, wait, type CallOptions, type Connection } from './call.ts'
import { KelisimError } from './errors.ts'

export { KelisimError } from './errors.ts'
export type { CallOptions, Connection } from './call.ts'
export { checkWebhook, WebhookError } from './webhook.ts'

export type Kelisim = ReturnType<typeof openClient>
export type FileKind = (typeof programFiles)[number]
export type ProgramRequest = z.output<(typeof getProgramRequest)['result']>

export function openClient(connection: Connection) {
  const json =
    <I extends z.ZodMiniType, R extends z.ZodMiniType>(e: Endpoint<'program', I, R>) =>
    (input: z.input<I>, options?: CallOptions) =>
      callFor(connection, e, input, options)
  const file =
    <I extends z.ZodMiniType, R extends z.ZodMiniType>(e: Endpoint<'program', I, R>) =>
    (input: z.input<I>, options?: CallOptions) =>
      fileFor(connection, e, input, options)
  const { pause = wait } = connection

  const calls = {
    connection: () => callFor(connection, getConnection, {}),
    uploadDocument: (
      input: z.input<(typeof uploadProgramDocument)['input']>,
      content: NonNullable<CallOptions['file']>,
      options?: CallOptions,
    ) => callFor(connection, uploadProgramDocument, input, { ...options, file: content }),
    document: json(getProgramDocument),
    downloadDocument: file(downloadProgramDocument),
    sendByRoute: json(sendByRoute),
    sendToRecipient: json(sendToRecipient),
    sendFromTemplate: json(sendFromTemplate),
    request: json(getProgramRequest),
    requests: json(getProgramRequests),
    statuses: (ids: readonly string[]) => callFor(connection, getStatuses, { ids: ids.join(',') }),
    withdraw: json(withdrawProgramRequest),
    addSignature: json(addSignature),
    changes: json(getChanges),
    prepareFile: json(prepareFile),
    downloadSignature: file(downloadProgramSignature),
    routes: json(getProgramRoutes),
    templates: json(getProgramTemplates),
    template: json(getProgramTemplate),
    counterparty: json(getCounterparty),
    journals: () => callFor(connection, getProgramJournals, {}),
    documentKinds: () => callFor(connection, getProgramKinds, {}),
    journalEntries: json(getProgramEntries),
    register: json(registerProgramRequest),
  }

  /** Downloads a file of a request; waits for a file that has to be made first. */
  async function download(requestId: string, kind: FileKind, signal?: AbortSignal) {
    const made = madeFiles.find((one) => one === kind)
    const options = signal ? { signal } : {}
    if (made) await calls.prepareFile({ requestId, kind: made }, options)
    for (;;) {
      try {
        return await fileFor(connection, downloadFile, { requestId, kind }, options)
      } catch (error) {
        const isBeingMade = error instanceof KelisimError && error.alias === 'generation-in-progress'
        if (!isBeingMade) throw error
        await pause(1000)
        signal?.throwIfAborted()
      }
    }
  }

  /** Waits until the request has ended. */
  async function waitForEnd(
    requestId: string,
    { signal, every = 5000 }: { signal?: AbortSignal; every?: number } = {},
  ): Promise<ProgramRequest> {
    for (;;) {
      const request = await calls.request({ requestId }, signal ? { signal } : {})
      if (isEnded(request)) return request
      await pause(every)
      signal?.throwIfAborted()
    }
  }

  /** Everything that happens from the cursor on, each with the cursor after it; ends when there is no more. */
  async function* changesSince(cursor: string | null) {
    for (let after = cursor; ;) {
      const page = await calls.changes(after === null ? {} : { after })
      yield { items: page.items, cursor: page.cursor }
      if (!page.hasMore) return
      after = page.cursor
    }
  }

  return { ...calls, download, waitForEnd, changesSince }
}

/** Whether the request is completed or can no longer be completed. */
export function isEnded({ status }: Pick<ProgramRequest, 'status'>): boolean {
  return !unfinishedStatuses.includes(status)
}
