/** Holds a document for a court, a dispute or an inspection. */
import { useQueryClient } from '@tanstack/react-query'
import { getRetainedDocuments, holdDocument } from '@kelisim/domain/retention/contract.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import { toast } from '../ui/dialogs/toast.tsx'
import { Fields } from '../ui/form/fields.tsx'
import { DialogForm, FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField, useApiForm } from '../ui/form/form.tsx'
import type { Retained } from './queries.ts'

export function HoldDialog(props: { isOpen: boolean; document: Retained | null; onClose: () => void }) {
  const { t } = useTexts('retention')
  const { document } = props
  const draft = `hold:${document?.signingRequestId ?? ''}`
  return (
    <FormDialog isOpen={props.isOpen} title={t('hold.title')} draft={draft} onClose={props.onClose}>
      {document && <HoldForm draft={draft} document={document} onClose={props.onClose} />}
    </FormDialog>
  )
}

function HoldForm({ draft, document, onClose }: { draft: string; document: Retained; onClose: () => void }) {
  const { t } = useTexts('retention')
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const form = useApiForm({
    id: draft,
    endpoint: holdDocument,
    fixed: { organizationId: organization.Id, signingRequestId: document.signingRequestId },
    initial: { reason: '' },
    guardsPage: false,
    onDone: () => {
      toast(t('hold.done'))
      onClose()
      void client.invalidateQueries({ queryKey: [getRetainedDocuments.path] })
    },
  })
  return (
    <DialogForm form={form} yes={t('hold.yes')} onCancel={onClose}>
      <Fields>
        <p>
          <b>{document.name}</b>
        </p>
        <p>{t('hold.text')}</p>
        <TextField name="reason" label={t('hold.reason')} max={500} isRequired />
      </Fields>
    </DialogForm>
  )
}
