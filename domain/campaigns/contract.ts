/**
 * Acknowledgement campaigns: each of many employees confirms that they know a document (docs/product/campaigns.md).
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import {
  Id,
  line,
  listOf,
  Moment,
  Nothing,
  OfOrganization,
  Page,
  paragraphs,
  requiredLine,
} from '../fields.ts'
import { longestRequestDescription, longestRequestName, sendingRefusals } from '../requests/contract.ts'
import { longestTerm } from '../requests/deadlines/deadline.ts'

/** Whose key everybody signs with: of the organisation, or any key of the person. */
export const campaignKeys = ['employee', 'person'] as const

export const personStates = ['waiting', 'confirmed', 'excused'] as const

const Counts = z.object({ total: z.int(), confirmed: z.int(), waiting: z.int(), excused: z.int() })

export const CampaignLine = z.object({
  signingRequestId: Id,
  name: z.string(),
  /** A status of the request (docs/product/requests.md). */
  status: z.int(),
  createdAt: Moment,
  counts: Counts,
})

export const Campaign = z.extend(CampaignLine, {
  author: z.string(),
  fileName: z.string(),
  /** The last day in time; null: there is no term. */
  dueOn: z.nullable(z.iso.date()),
  /** Null: everybody confirms with the button. */
  signedWith: z.nullable(z.enum(campaignKeys)),
  groups: z.array(z.object({ name: z.string(), total: z.int(), confirmed: z.int() })),
})

export const addCampaign = endpoint({
  method: 'POST',
  path: '/api/Campaigns/:organizationId',
  access: 'owner',
  summary: 'Ask every one of the chosen people to confirm, or to sign, that they know a document',
  input: z.extend(OfOrganization, {
    documentId: z.uuid('required').check(z.toLowerCase()),
    name: requiredLine(longestRequestName),
    description: z._default(paragraphs(longestRequestDescription), ''),
    isEverybody: z._default(z.boolean(), false),
    groupIds: z._default(z.array(Id).check(z.maxLength(100)), []),
    userIds: z._default(z.array(Id).check(z.maxLength(1000)), []),
    /** Null: everybody confirms with the button. */
    signedWith: z._default(z.nullable(z.enum(campaignKeys)), null),
    /** In working days. */
    termDays: z._default(z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(longestTerm))), null),
  }),
  result: z.object({ signingRequestId: Id }),
  refusals: [...sendingRefusals, 'campaign-without-people', 'campaign-too-large'],
  perMinute: 10,
})

export const getCampaigns = endpoint({
  method: 'GET',
  path: '/api/Campaigns/:organizationId/:skip/:take',
  access: 'owner',
  summary: 'The acknowledgement campaigns of the organisation, the newest first',
  input: z.extend(OfOrganization, Page.shape),
  result: listOf(CampaignLine),
  refusals: [],
})

const OfCampaign = z.extend(OfOrganization, { signingRequestId: Id })

export const getCampaign = endpoint({
  method: 'GET',
  path: '/api/Campaigns/:organizationId/:signingRequestId',
  access: 'owner',
  summary: 'One campaign with its progress, by groups too',
  input: OfCampaign,
  result: Campaign,
  refusals: ['campaign-not-found'],
})

export const CampaignPerson = z.object({
  userId: Id,
  fullName: z.string(),
  groups: z.array(z.string()),
  state: z.enum(personStates),
  at: z.nullable(Moment),
  comment: z.string(),
  /** The certificate of the accepted signature; null: confirmed with the button, or not confirmed yet. */
  certificate: z.nullable(z.object({ fullName: z.string(), serialNumber: z.string() })),
})

export const getCampaignPeople = endpoint({
  method: 'GET',
  path: '/api/Campaigns/:organizationId/:signingRequestId/people/:skip/:take',
  access: 'owner',
  summary: 'Everybody who was asked, with what they answered',
  input: z.extend(OfCampaign, {
    ...Page.shape,
    name: z.optional(line(250)),
    only: z.optional(z.enum(personStates)),
  }),
  result: listOf(CampaignPerson),
  refusals: ['campaign-not-found'],
})

export const downloadSheet = endpoint({
  method: 'GET',
  path: '/api/Campaigns/:organizationId/:signingRequestId/sheet/:format',
  access: 'owner',
  summary: 'The acknowledgement sheet: everybody, when and how (PDF or XLSX)',
  givesFile: true,
  perMinute: 10,
  input: z.extend(OfCampaign, { format: z.enum(['pdf', 'xlsx']) }),
  result: Nothing,
  refusals: ['campaign-not-found', 'archive-under-way'],
})
