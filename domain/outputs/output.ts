/** What can be made of a request, and whether what was made is still true. */
import type { DocumentFormat } from '../documents/formats.ts'
import type { Alias } from '../errors.ts'
import type { RequestStatus } from '../requests/status.ts'
import type { OutputKind } from './contract.ts'

export type Makeable = {
  format: DocumentFormat
  /** How many accepted signatures stand under the document, and under the last terminating document. */
  signed: number
  terminated: number
  isReportAllowed: boolean
}

/** Null: it can be made. */
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
      return request.signed > 0 ? null : 'evidence-not-found'
  }
}

/** What is said of it to whoever wants it and it is not there. */
export const notFoundAliases: Record<OutputKind, Alias> = {
  printable: 'signed-signing-document-not-found',
  terminating: 'signed-terminating-document-not-found',
  report: 'signing-report-not-found',
  evidence: 'evidence-not-found',
}

export type Made = { state: 'in-process' | 'ready' | 'failed'; fingerprint: string }

/** What is being made is made of what there is when its turn comes; what was made of something else is no more. */
export function stateOf(made: Made | undefined, fingerprint: string): 'none' | Made['state'] {
  if (!made) return 'none'
  return made.state === 'in-process' || made.fingerprint === fingerprint ? made.state : 'none'
}

/** Why a document with good signatures under it may yet bind nobody. */
export const standings = ['unfinished', 'rejected', 'withdrawn', 'terminating', 'terminated'] as const
export type Standing = (typeof standings)[number]

/** What a paper says beside the signatures on it; null: all who were asked have signed, and nobody has ended it. */
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
