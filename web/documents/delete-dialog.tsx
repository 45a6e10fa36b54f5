import { restoreDeleted } from '@kelisim/domain/deletions/contract.ts'
import { deleteDocument, getDocument, getDocuments } from '@kelisim/domain/documents/contract.ts'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { DeleteDialog } from '../ui/dialogs/delete-dialog.tsx'
import type { DocumentView } from './shared/document-acts.ts'

export function DeleteDocumentDialog(props: {
  isOpen: boolean
  document: DocumentView | null
  onClose: () => void
  onDeleted?: () => void
}) {
  const { t } = useTexts('documents')
  const { organization } = useWorkplace()
  return (
    <DeleteDialog
      isOpen={props.isOpen}
      id={props.document?.id ?? null}
      texts={{
        title: t('deleting.title'),
        text: t('deleting.text', { name: props.document?.name ?? '' }),
        yes: t('deleting.yes'),
        done: t('deleting.done'),
      }}
      remove={(documentId) => call(deleteDocument, { organizationId: organization.Id, documentId })}
      restore={(deletionId) => call(restoreDeleted, { organizationId: organization.Id, deletionId })}
      endpoints={{ one: getDocument, list: getDocuments }}
      onClose={props.onClose}
      onDeleted={props.onDeleted}
    />
  )
}
