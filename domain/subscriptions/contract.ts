import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { OfOrganization } from '../fields.ts'
import { tariffNames } from './price-list.ts'

const TariffName = z.enum(tariffNames)
/** Null: unlimited. */
const Maximum = z.nullable(z.int())

export const getSubscriptions = endpoint({
  method: 'GET',
  path: '/api/Subscriptions/:organizationId/getOrganizationSubscriptions',
  access: 'member',
  summary: 'The subscription in force and those that begin later',
  input: OfOrganization,
  result: z.object({
    activeSubscription: z.object({
      nameKey: TariffName,
      /** Null for the free tier, which has no end. */
      endDate: z.nullable(z.iso.date()),
      createdSigningRequestCount: z.int(),
      maxSigningRequestCount: Maximum,
      /**
       * Whose requests count: of the organisation with a paid tariff; else of its proved number, or of the caller.
       */
      countedFor: z.enum(['organization', 'number', 'person']),
    }),
    pendingSubscriptions: z.array(
      z.object({ nameKey: TariffName, startDate: z.iso.date(), maxSigningRequestCount: Maximum }),
    ),
  }),
  refusals: [],
})

export const getMonthlyReport = endpoint({
  method: 'GET',
  path: '/api/MonthlyReports/:organizationId/signingRequests',
  access: 'member',
  summary: 'How many signing requests were created in the current month (Asia/Almaty)',
  input: OfOrganization,
  result: z.object({ createdSigningRequestsCount: z.int() }),
  refusals: [],
})
