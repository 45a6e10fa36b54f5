/** The pages of acknowledgement campaigns: one part of the site, for owners. */
import type { ReactNode } from 'react'
import { useWorkplace } from '../shell/session/session.ts'
import { PageNotFound } from '../ui/page/states.tsx'
import { AddCampaign } from './add-campaign.tsx'
import { CampaignOfAddress } from './campaign-page.tsx'
import { CampaignsList } from './campaigns-list.tsx'

export function CampaignsPage() {
  return (
    <OwnersOnly>
      <CampaignsList />
    </OwnersOnly>
  )
}

export function AddCampaignPage() {
  return (
    <OwnersOnly>
      <AddCampaign />
    </OwnersOnly>
  )
}

export function CampaignPage() {
  return (
    <OwnersOnly>
      <CampaignOfAddress />
    </OwnersOnly>
  )
}

function OwnersOnly({ children }: { children: ReactNode }) {
  const { options } = useWorkplace()
  return options.allowed.manageOrganization ? children : <PageNotFound />
}
