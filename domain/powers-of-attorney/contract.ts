/**
 * The register of powers of attorney in the Administrative Portal (docs/product/in-whose-name.md#power-of-attorney).
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import {
  CheckedNumber,
  requiredDay,
  Id,
  line,
  listOf,
  Moment,
  OfOrganization,
  Page,
  paragraphs,
  requiredLine,
  TwelveDigits,
} from '../fields.ts'
import { powerDirections, powerStates } from './power.ts'

export const mostCounterparties = 100

export const PowerView = z.object({
  id: Id,
  number: z.string(),
  holderIin: z.string(),
  holderName: z.string(),
  direction: z.enum(powerDirections),
  counterparties: z.array(z.string()),
  note: z.string(),
  /** Days in Almaty, both included. */
  validFrom: z.iso.date(),
  validUntil: z.iso.date(),
  state: z.enum(powerStates),
  /** The request in which the head signed it. */
  document: z.object({
    signingRequestId: Id,
    fileName: z.string(),
    signedBy: z.string(),
    signedAt: Moment,
  }),
  registeredBy: z.string(),
  registeredAt: Moment,
  revokedAt: z.nullable(Moment),
})

export const getPowers = endpoint({
  method: 'GET',
  path: '/api/PowersOfAttorney/:organizationId/:skip/:take',
  access: 'owner',
  summary: 'The powers of attorney that the organisation has registered, the newest first',
  input: z.extend(OfOrganization, { ...Page.shape, name: z.optional(line(250)) }),
  result: listOf(PowerView),
  refusals: [],
})

export const getPowerDocuments = endpoint({
  method: 'GET',
  path: '/api/PowersOfAttorney/:organizationId/documents/:skip/:take',
  access: 'owner',
  summary:
    'Requests of the organisation whose document its own key has signed: one of them is the power of attorney',
  input: z.extend(OfOrganization, { ...Page.shape, name: z.optional(line(250)) }),
  result: listOf(
    z.object({ signingRequestId: Id, name: z.string(), fileName: z.string(), signedAt: Moment }),
  ),
  refusals: [],
})

export const addPower = endpoint({
  method: 'POST',
  path: '/api/PowersOfAttorney/:organizationId',
  access: 'owner',
  summary: 'Register a power of attorney that the head has signed here',
  input: z
    .extend(OfOrganization, {
      number: requiredLine(100),
      holderIin: CheckedNumber,
      holderName: requiredLine(250),
      direction: z.enum(powerDirections),
      counterparties: z.array(TwelveDigits).check(z.maxLength(mostCounterparties, 'too-many-numbers')),
      note: paragraphs(1000),
      validFrom: requiredDay(),
      validUntil: requiredDay(),
      signingRequestId: z.uuid('required').check(z.toLowerCase()),
    })
    .check(
      z.refine(({ validFrom, validUntil }) => validFrom <= validUntil, {
        path: ['validUntil'],
        error: 'date-before-first',
      }),
    ),
  result: PowerView,
  refusals: [
    'organization-not-confirmed',
    'signing-request-not-found',
    'power-document-not-signed',
    'power-over-already',
  ],
})

export const revokePower = endpoint({
  method: 'POST',
  path: '/api/PowersOfAttorney/:organizationId/:powerId/revoke',
  access: 'owner',
  summary: 'Revoke it: signatures that came before stay valid',
  input: z.extend(OfOrganization, { powerId: Id }),
  result: PowerView,
  refusals: ['power-not-found'],
})
