/** Statuses of signing requests and of their points, with their numbers on the wire (SPEC.md sections 3 and 4). */
import { flags } from '../bits.ts'

export const requestStatuses = flags({
  New: 1,
  InProgress: 2,
  Rejected: 4,
  Completed: 8,
  Revoked: 16,
  ValidationFail: 32,
  Signed: 64,
  Terminating: 128,
  TerminatingValidationFail: 256,
  TerminatingSigned: 512,
  Terminated: 1024,
})

export type RequestStatus = (typeof requestStatuses.names)[number]

/** Nothing happens to these any more. Completed is not among them: it can still be terminated. */
export const finalStatuses: readonly RequestStatus[] = ['Revoked', 'Rejected', 'Terminated']

export const pointStatuses = {
  Signed: 1,
  Waiting: 2,
  Validation: 3,
  ValidationError: 4,
  Rejected: 5,
  InQueue: 6,
  Approved: 7,
  Notified: 8,
} as const

export type PointStatus = keyof typeof pointStatuses

export const processKinds = { signing: 1, terminating: 2 } as const
export type ProcessKind = keyof typeof processKinds
