/** Changes one option of the organisation: sends only this option, and updates the menu at once. */
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getOptions, saveOptions } from '@kelisim/domain/options/contract.ts'
import type { OrganizationOptions } from '@kelisim/domain/options/options.ts'
import { call, query } from '../api/api.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { useInstant } from './shared/use-instant.ts'

export function useOrganizationOption<N extends keyof OrganizationOptions>(name: N) {
  const client = useQueryClient()
  const router = useRouter()
  const { organization, options } = useWorkplace()
  const organizationId = organization.Id
  return useInstant(`options:${organizationId}`, options[name], async (value: OrganizationOptions[N]) => {
    const saved = await call(saveOptions, { organizationId, [name]: value })
    client.setQueryData(query(getOptions, { organizationId }).queryKey, saved)
    void router.invalidate()
  })
}
