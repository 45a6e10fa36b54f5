import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { getSubscriptions } from '@kelisim/domain/subscriptions/contract.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { setDirty } from '../../ui/form/dirty.ts'
import { toast } from '../../ui/dialogs/toast.tsx'
import { useRefreshLists } from '../shared/refresh-lists.ts'

/** It is sent: the lists, the number in the menu and what is used of the tariff are asked anew, and its page opens. */
export function useSent(): (request: { id: string }) => Promise<void> {
  const { t } = useTexts('requests-sending')
  const client = useQueryClient()
  const navigate = useNavigate()
  const refresh = useRefreshLists()
  return async ({ id }) => {
    refresh()
    void client.invalidateQueries({ queryKey: [getSubscriptions.path] })
    toast(t('sent'))
    setDirty(false) // it is sent: nothing is left behind
    await navigate({ to: '/signingRequests/$route/$id', params: { route: 'outgoings', id }, replace: true })
  }
}
