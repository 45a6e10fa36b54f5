/** Common parts of a request and of its entry in a list. */
import * as z from 'zod/mini'
import { Id } from '../fields.ts'
import { requestStatuses } from './status.ts'

export const Person = z.object({ id: Id, fullName: z.string() })
export const Organization = z.object({ id: Id, shortName: z.string(), bin: z.string() })
export const OneStatus = z.literal(requestStatuses.names.map((status) => requestStatuses.of(status)))
export const ActName = z.enum(['sign', 'approve', 'confirm', 'reject', 'withdraw', 'terminate'])
