import {
  getCampaign,
  getCampaignPeople,
  getCampaigns,
  type Campaign,
  type CampaignLine,
  type CampaignPerson,
  type personStates,
} from '@kelisim/domain/campaigns/contract.ts'
import { getGroups } from '@kelisim/domain/portal/contract.ts'
import type * as z from 'zod/mini'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

export type CampaignView = z.output<typeof Campaign>
export type CampaignLineView = z.output<typeof CampaignLine>
export type PersonView = z.output<typeof CampaignPerson>
export type PersonState = (typeof personStates)[number]
export type CampaignKey = { organizationId: string; signingRequestId: string }

const mostGroups = 100

export function campaignsQuery(organizationId: string, { skip, take }: ListPosition) {
  return query(getCampaigns, { organizationId, skip, take })
}

export function campaignQuery(key: CampaignKey) {
  return query(getCampaign, key)
}

export function peopleQuery(
  key: CampaignKey,
  { skip, take, name }: ListPosition,
  only: PersonState | undefined,
) {
  return query(getCampaignPeople, { ...key, skip, take, ...(name && { name }), ...(only && { only }) })
}

export function audienceGroupsQuery(organizationId: string) {
  return query(getGroups, { organizationId, skip: 0, take: mostGroups })
}
