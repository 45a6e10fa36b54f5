/** Common parts of a request and of its entry in a list. */
import * as z from 'zod/mini'
import { Id, Moment } from '../fields.ts'
import { requestStatuses } from './status.ts'

/** The most documents that are sent, or signed by phone, at once. */
export const mostInPackage = 20

export const Person = z.object({ id: Id, fullName: z.string() })
/** The sender as it was when the request was sent; `confirmedAt`: when it had proved its number by a signature. */
export const Sender = z.object({ shortName: z.string(), bin: z.string(), confirmedAt: z.nullable(Moment) })
export const Organization = z.extend(Sender, { id: Id })
export const Registration = z.object({ number: z.string(), registeredOn: z.iso.date() })
export const OneStatus = z.literal(requestStatuses.names.map((status) => requestStatuses.of(status)))
export const ActName = z.enum([
  'sign',
  'approve',
  'confirm',
  'reject',
  'withdraw',
  'terminate',
  'correct',
  'propose',
  'decline-proposal',
])
