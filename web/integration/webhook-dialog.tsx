/** Adds a webhook: its address, and the member whose view of documents decides what it is told. */
import { useQueryClient } from '@tanstack/react-query'
import { addWebhook, getWebhooks, longestWebhookUrl } from '@kelisim/domain/integration/webhook-contract.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import { Fields } from '../ui/form/fields.tsx'
import { DialogForm, FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField, useApiForm } from '../ui/form/form.tsx'
import { MemberField } from './member-field.tsx'
import type { Webhook } from './webhook.ts'

type Props = { onMade: (webhook: Webhook, secret: string) => void; onClose: () => void }

export function WebhookDialog({ isOpen, ...props }: Props & { isOpen: boolean }) {
  const { t } = useTexts('integration')
  const { organization } = usePortalOrganization()
  const draft = `webhook:${organization.Id}`
  return (
    <FormDialog isOpen={isOpen} title={t('webhooks.addTitle')} draft={draft} onClose={props.onClose}>
      <WebhookForm draft={draft} {...props} />
    </FormDialog>
  )
}

function WebhookForm({ draft, onMade, onClose }: Props & { draft: string }) {
  const { t } = useTexts('integration')
  const client = useQueryClient()
  const { organization, session } = usePortalOrganization()
  const form = useApiForm({
    id: draft,
    endpoint: addWebhook,
    fixed: { organizationId: organization.Id },
    initial: { url: '', actsAs: session.profile.UserId },
    fieldOf: { 'webhook-address-refused': 'url', 'user-not-found': 'actsAs' },
    guardsPage: false,
    onDone: ({ webhook, secret }) => {
      void client.invalidateQueries({ queryKey: [getWebhooks.path] })
      onMade(webhook, secret)
    },
  })
  return (
    <DialogForm form={form} yes={t('webhooks.add')} onCancel={onClose}>
      <Fields>
        <TextField
          name="url"
          label={t('webhooks.url')}
          help={t('webhooks.urlHelp')}
          max={longestWebhookUrl}
          inputMode="url"
          isRequired
        />
        <MemberField help={t('webhooks.memberHelp')} />
      </Fields>
    </DialogForm>
  )
}
