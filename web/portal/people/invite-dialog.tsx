import { Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../../i18n/use-texts.ts'
import { longestEmail } from '@kelisim/domain/email-address.ts'
import { getInvitations, invite } from '@kelisim/domain/portal/contract.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import { isLanguage, languages } from '@kelisim/texts/languages.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { DialogForm, FormDialog } from '../../ui/form/form-dialog.tsx'
import { TextField, useApiForm } from '../../ui/form/form.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import { usePortalOrganization } from '../shared/place.ts'
import { RoleChoice } from './role-choice.tsx'

export function InviteDialog(props: { isOpen: boolean; onClose: () => void; onInvited?: () => void }) {
  const { t } = useTexts()
  const { organization } = usePortalOrganization()
  const draft = `invite:${organization.Id}`
  return (
    <FormDialog isOpen={props.isOpen} title={t('portal:invite.title')} draft={draft} onClose={props.onClose}>
      <InviteForm {...props} draft={draft} organizationId={organization.Id} />
    </FormDialog>
  )
}

function InviteForm(props: {
  draft: string
  organizationId: string
  onClose: () => void
  onInvited?: () => void
}) {
  const { t } = useTexts()
  const client = useQueryClient()
  const form = useApiForm({
    id: props.draft,
    endpoint: invite,
    fixed: { organizationId: props.organizationId },
    initial: { email: '', roles: roles.of('Employee'), language: currentLanguage() },
    fieldOf: { 'already-member': 'email', 'address-refuses-emails': 'email' },
    guardsPage: false,
    onDone: ({ email }) => {
      void client.invalidateQueries({ queryKey: [getInvitations.path] })
      toast(t('portal:invite.sent', { email }))
      props.onClose()
      props.onInvited?.()
    },
  })
  return (
    <DialogForm form={form} yes={t('portal:invite.send')} onCancel={props.onClose}>
      <p>{t('portal:invite.text')}</p>
      <TextField
        name="email"
        type="email"
        inputMode="email"
        label={t('portal:invite.email')}
        max={longestEmail}
        isRequired
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person opened the dialog to type here
        autoFocus
      />
      <RoleChoice />
      <Select
        label={t('portal:invite.language')}
        data={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
        value={form.values.language}
        onChange={(value) => isLanguage(value) && form.set('language', value)}
      />
    </DialogForm>
  )
}
