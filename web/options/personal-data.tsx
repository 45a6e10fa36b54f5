/** Downloads all data stored about the person, and deletes their account. */
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { downloadPersonalData, eraseAccount } from '@kelisim/domain/personal-data/contract.ts'
import { fetchFile, saveBytes } from '../api/file-api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { Fields } from '../ui/form/fields.tsx'
import { DialogForm, FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField, useApiForm } from '../ui/form/form.tsx'
import { OptionSection } from './shared/option-section.tsx'
import classes from './shared/options.module.css'

const draft = 'erase-account'

export function PersonalData() {
  const { t } = useTexts('options')
  const closing = useDialog<null>()
  const download = useMutation({
    mutationFn: async () =>
      saveBytes(await fetchFile(downloadPersonalData, {}), 'personal-data.zip', 'application/zip'),
  })
  return (
    <OptionSection name="personaldata" title={t('personalData.title')} lead={t('personalData.lead')}>
      <div className={classes.acts}>
        <p>{t('personalData.downloadText')}</p>
        <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
          {t('personalData.download')}
        </Button>
        <p>{t('personalData.closeText')}</p>
        <Button variant="default" onClick={() => closing.open(null)}>
          {t('personalData.close')}
        </Button>
      </div>
      <FormDialog
        isOpen={closing.isOpen}
        title={t('personalData.confirm')}
        draft={draft}
        onClose={closing.close}
      >
        <CloseForm onCancel={closing.close} />
      </FormDialog>
    </OptionSection>
  )
}

function CloseForm({ onCancel }: { onCancel: () => void }) {
  const { t } = useTexts('options')
  const form = useApiForm({
    id: draft,
    endpoint: eraseAccount,
    fixed: {},
    initial: { email: '' },
    fieldOf: { 'email-not-own': 'email' },
    guardsPage: false,
    // The person is no longer signed in, so the landing page is loaded.
    onDone: () => window.location.assign('/'),
  })
  return (
    <DialogForm form={form} yes={t('personalData.yes')} onCancel={onCancel}>
      <Fields>
        <p>{t('personalData.closeText')}</p>
        <TextField
          name="email"
          label={t('personalData.email')}
          help={t('personalData.emailHelp')}
          max={320}
          isRequired
        />
      </Fields>
    </DialogForm>
  )
}
