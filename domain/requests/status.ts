/** Statuses of signing requests and of their points, with their numbers in the API (docs/product/requests.md). */
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

export type RequestStatuses = readonly RequestStatus[]

/** The signing process goes on. */
export const signingStatuses: RequestStatuses = ['InProgress', 'ValidationFail', 'Signed']

/** Not everybody has signed: the request can still be withdrawn, or expire. */
export const withdrawableStatuses: RequestStatuses = ['New', 'InProgress', 'ValidationFail']

/** The document may still be replaced: not everybody has signed it. */
export const correctableStatuses: RequestStatuses = ['InProgress', 'ValidationFail']

/** The termination goes on. */
export const terminatingStatuses: RequestStatuses = ['Terminating', 'TerminatingValidationFail']

/** Somebody can be asked to act. */
export const openStatuses: RequestStatuses = [...signingStatuses, ...terminatingStatuses]

/** Somebody can be asked to act, now or once the request has started. */
export const awaitingStatuses: RequestStatuses = ['New', ...openStatuses]

/** The system or a participant still has something to do, so the document and the route of the request are in use. */
export const unfinishedStatuses: RequestStatuses = [...awaitingStatuses, 'TerminatingSigned']

/** The signing process is over, and the termination has begun or is over too. */
export const terminationStatuses: RequestStatuses = [
  ...terminatingStatuses,
  'TerminatingSigned',
  'Terminated',
]

/** Nothing can happen any more. Completed is not final, because the request can still be terminated. */
export const finalStatuses: RequestStatuses = ['Revoked', 'Rejected', 'Terminated']

/** Everybody has signed: it can only be terminated. */
export const fullySignedStatuses: RequestStatuses = ['Signed', 'Completed']

/** The request has ended: the retention term of its document counts from then on. */
export const endedStatuses: RequestStatuses = ['Completed', ...finalStatuses]

/** Rejected, or withdrawn by the author: nothing was agreed on, and the request may be sent again. */
export const replaceableStatuses: RequestStatuses = ['Rejected', 'Revoked']

/** The numbers of these statuses, for a query. */
export function statusNumbers(statuses: RequestStatuses): number[] {
  return statuses.map((status) => requestStatuses.of(status))
}

/** The status with this number. */
export function requestStatusOf(number: number): RequestStatus {
  return requestStatuses.list(number)[0]!
}

/** The label of a status in a list; an open page may not know a status of a newer server. */
export function requestStatusLabel(number: number): RequestStatus | 'unknown' {
  return requestStatuses.list(number)[0] ?? 'unknown'
}

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

export type PointStatuses = readonly PointStatus[]

const pointStatusNames = Object.keys(pointStatuses) as PointStatus[]

/** The status of a point with this number; undefined for a number that this version does not know. */
export function findPointStatus(number: number): PointStatus | undefined {
  return pointStatusNames.find((name) => pointStatuses[name] === number)
}

/** The status of a point with a number from our own database, which is always known. */
export function pointStatusOf(number: number): PointStatus {
  return findPointStatus(number)!
}

/** The turn of the point has come and nobody has finished it. */
export const currentPointStatuses: PointStatuses = ['Waiting', 'Validation', 'ValidationError']

/** The people of the point are asked to act now, unlike at a point whose signature is being checked. */
export const askedPointStatuses: PointStatuses = ['Waiting', 'ValidationError']

/** Finished without a rejection. */
export const donePointStatuses = ['Signed', 'Approved', 'Notified'] as const satisfies PointStatuses

/** Somebody is asked at the point, or will be. */
export const awaitedPointStatuses: PointStatuses = [...currentPointStatuses, 'InQueue']

/** The numbers of these statuses of points, for a query. */
export function pointStatusNumbers(statuses: PointStatuses): number[] {
  return statuses.map((status) => pointStatuses[status])
}

export const processKinds = { signing: 1, terminating: 2 } as const
export type ProcessKind = keyof typeof processKinds
