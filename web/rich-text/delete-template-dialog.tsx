import { restoreDeleted } from '@kelisim/domain/deletions/contract.ts'
import { deleteTemplate, getTemplate, getTemplates } from '@kelisim/domain/rich-text/contract.ts'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { DeleteDialog } from '../ui/dialogs/delete-dialog.tsx'

export function DeleteTemplateDialog(props: {
  isOpen: boolean
  template: { id: string; name: string } | null
  onClose: () => void
  onDeleted?: () => void
}) {
  const { t } = useTexts('rich-text')
  const { organization } = useWorkplace()
  return (
    <DeleteDialog
      isOpen={props.isOpen}
      id={props.template?.id ?? null}
      texts={{
        title: t('deleting.title'),
        text: t('deleting.text', { name: props.template?.name ?? '' }),
        yes: t('deleting.yes'),
        done: t('deleting.done'),
      }}
      remove={(templateId) => call(deleteTemplate, { organizationId: organization.Id, templateId })}
      restore={(deletionId) => call(restoreDeleted, { organizationId: organization.Id, deletionId })}
      endpoints={{ one: getTemplate, list: getTemplates }}
      onClose={props.onClose}
      onDeleted={props.onDeleted}
    />
  )
}
