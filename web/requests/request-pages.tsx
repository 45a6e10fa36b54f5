/** Pages that open soon. */
import { useTexts } from '../i18n/use-texts.ts'
import { NotOpenYet } from '../ui/not-open-yet.tsx'

export function AddRequestPage() {
  const { t } = useTexts('lists')
  return <NotOpenYet title={t('requests.add')} />
}

export function QuickSendPage() {
  const { t } = useTexts('lists')
  return <NotOpenYet title={t('requests.quick')} />
}
