/** Which outputs can be made of a request, and whether one is up to date. */
import type { DocumentFormat } from '../documents/formats.ts'
import { after, day } from '../durations.ts'
import type { Alias } from '../errors.ts'
import type { RequestStatus } from '../requests/status.ts'
import type { OutputKind } from './contract.ts'

export type Makeable = {
  format: DocumentFormat
  /** The number of accepted signatures of the document, and of the last terminating document. */
  signed: number
  terminated: number
  /** In a campaign: how many have signed, each for themselves, that they know the document. */
  known?: number
  isReportAllowed: boolean
}

/** Why the output cannot be generated; null if it can. */
export function whyNotMade(kind: OutputKind, request: Makeable): Alias | null {
  switch (kind) {
    case 'printable':
      if (request.format !== 'pdf') return 'print-format-not-supported'
      return request.signed > 0 ? null : 'signed-signing-document-not-found'
    case 'terminating':
      return request.terminated > 0 ? null : 'signed-terminating-document-not-found'
    case 'report':
      return request.isReportAllowed ? null : 'signing-report-not-allowed'
    case 'evidence':
      return request.signed + (request.known ?? 0) > 0 ? null : 'evidence-not-found'
  }
}

/** The refusal of a download if there is no such output. */
export const notFoundAliases: Record<OutputKind, Alias> = {
  printable: 'signed-signing-document-not-found',
  terminating: 'signed-terminating-document-not-found',
  report: 'signing-report-not-found',
  evidence: 'evidence-not-found',
}

/** A requested output; `askedAt` does not change while it is in process. */
export type MadeOutput = { state: 'in-process' | 'ready' | 'failed'; fingerprint: string; askedAt: Date }

/**
 * After this time an output in process may be asked for again: if the process died at the last attempt of its job,
 * nothing reports the failure. All attempts of a job may take some hours longer (server/jobs/queue.ts).
 */
const longestMaking = day

/** An output in process will contain the current state; a finished one with another fingerprint is out of date. */
export function stateOf(
  made: MadeOutput | undefined,
  fingerprint: string,
  now: Date,
): 'none' | MadeOutput['state'] {
  if (!made) return 'none'
  if (made.state === 'in-process') return now <= after(made.askedAt, longestMaking) ? 'in-process' : 'none'
  return made.fingerprint === fingerprint ? made.state : 'none'
}

/** Why a document with valid signatures may not be in force. */
export const standings = ['unfinished', 'rejected', 'withdrawn', 'terminating', 'terminated'] as const
export type Standing = (typeof standings)[number]

/** What the card says beside the signatures; null if all have signed and it is not terminated. */
export function standingOf(status: RequestStatus, process: 'signing' | 'terminating'): Standing | null {
  if (process === 'terminating') {
    return status === 'TerminatingSigned' || status === 'Terminated' ? null : 'unfinished'
  }
  switch (status) {
    case 'New':
    case 'InProgress':
    case 'ValidationFail':
      return 'unfinished'
    case 'Rejected':
      return 'rejected'
    case 'Revoked':
      return 'withdrawn'
    case 'Signed':
    case 'Completed':
      return null
    case 'Terminating':
    case 'TerminatingValidationFail':
      return 'terminating'
    case 'TerminatingSigned':
    case 'Terminated':
      return 'terminated'
  }
}
