/** Sends a completed document to people who took no part in it: each gets an e-mail with a link. */
import { mostCopies, sendCopies } from '@kelisim/domain/requests/holder-contract.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { EmailsField } from '../../points/emails-field.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import { DialogForm, FormDialog } from '../../ui/form/form-dialog.tsx'
import { useApiForm } from '../../ui/form/form.tsx'
import type { RequestKey } from '../shared/queries.ts'

export function CopyDialog(props: { isOpen: boolean; requestKey: RequestKey; onClose: () => void }) {
  const { t } = useTexts('requests')
  const draft = `copy:${props.requestKey.signingRequestId}`
  return (
    <FormDialog isOpen={props.isOpen} title={t('copy.title')} draft={draft} onClose={props.onClose}>
      <CopyForm draft={draft} requestKey={props.requestKey} onClose={props.onClose} />
    </FormDialog>
  )
}

function CopyForm(props: { draft: string; requestKey: RequestKey; onClose: () => void }) {
  const { t } = useTexts('requests')
  const form = useApiForm({
    id: props.draft,
    endpoint: sendCopies,
    fixed: props.requestKey,
    initial: { emails: [] as string[] },
    fieldOf: { 'address-refuses-emails': 'emails', 'email-limit-reached': 'emails' },
    guardsPage: false,
    onDone: () => {
      toast(t('copy.sent'))
      props.onClose()
    },
  })
  return (
    <DialogForm form={form} yes={t('copy.send')} onCancel={props.onClose}>
      <p>{t('copy.text')}</p>
      <EmailsField help={t('copy.emailsHelp', { count: mostCopies })} />
    </DialogForm>
  )
}
