import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { getSubscriptions } from '@kelisim/domain/subscriptions/contract.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { clearDirty } from '../../ui/form/dirty.ts'
import { toast } from '../../ui/dialogs/toast.tsx'
import { useRefreshLists } from '../shared/refresh-lists.ts'

/** After sending: refreshes the lists, the counter in the menu and the usage of the tariff, and opens the request. */
export function useSent(): (request: { id: string }) => Promise<void> {
  const { t } = useTexts('requests-sending')
  const client = useQueryClient()
  const navigate = useNavigate()
  const refresh = useRefreshLists()
  return async ({ id }) => {
    refresh()
    void client.invalidateQueries({ queryKey: [getSubscriptions.path] })
    toast(t('sent'))
    clearDirty() // sent: there is nothing to lose
    await navigate({ to: '/signingRequests/$route/$id', params: { route: 'outgoings', id }, replace: true })
  }
}
