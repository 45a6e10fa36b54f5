import { requestPage } from '@kelisim/domain/pages.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { toast } from '../../ui/dialogs/toast.tsx'

/** Copies the address that leads everybody who may see the request to it. */
export function useCopyLink(requestId: string): () => Promise<void> {
  const { t } = useTexts('requests')
  return async () => {
    await navigator.clipboard.writeText(new URL(requestPage(requestId), window.location.origin).href)
    toast(t('page.linkCopied'))
  }
}
