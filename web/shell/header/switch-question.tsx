/** Asks before the organisation is switched; one dialog for every place where a switch can be requested. */
import { useTexts } from '../../i18n/use-texts.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { useSwitch } from '../session/organization-switch.ts'

export function SwitchQuestion() {
  const { t } = useTexts()
  const { question, answer } = useSwitch()
  return (
    <ConfirmDialog
      isOpen={question !== null}
      title={t('shell:switch.title')}
      text={t('shell:switch.text', { name: question?.ShortName ?? '' })}
      yes={t('shell:switch.confirm')}
      onYes={() => answer(true)}
      onNo={() => answer(false)}
    />
  )
}
