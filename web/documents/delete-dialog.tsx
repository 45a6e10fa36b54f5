import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteDocument, getDocument, getDocuments } from '@kelisim/domain/documents/contract.ts'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import type { DocumentView } from './shared/document-acts.ts'

export function DeleteDialog(props: {
  isOpen: boolean
  document: DocumentView | null
  onClose: () => void
  onDeleted?: () => void
}) {
  const { t } = useTexts('documents')
  const { organization } = useWorkplace()
  const client = useQueryClient()
  const deletion = useMutation({
    mutationFn: (documentId: string) => call(deleteDocument, { organizationId: organization.Id, documentId }),
    onSuccess: async () => {
      toast(t('deleting.done'))
      props.onDeleted?.()
      client.removeQueries({ queryKey: [getDocument.path] })
      await client.invalidateQueries({ queryKey: [getDocuments.path] })
    },
    onSettled: props.onClose,
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={t('deleting.title')}
      text={t('deleting.text', { name: props.document?.name ?? '' })}
      yes={t('deleting.yes')}
      isDangerous
      isBusy={deletion.isPending}
      onYes={() => props.document && deletion.mutate(props.document.id)}
      onNo={props.onClose}
    />
  )
}
