import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteTemplate, getTemplate, getTemplates } from '@kelisim/domain/rich-text/contract.ts'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm.tsx'
import { toast } from '../ui/dialogs/toast.tsx'

export function DeleteTemplateDialog(props: {
  isOpen: boolean
  template: { id: string; name: string } | null
  onClose: () => void
  onDeleted?: () => void
}) {
  const { t } = useTexts('rich-text')
  const { organization } = useWorkplace()
  const client = useQueryClient()
  const deletion = useMutation({
    mutationFn: (templateId: string) => call(deleteTemplate, { organizationId: organization.Id, templateId }),
    onSuccess: async () => {
      toast(t('deleting.done'))
      props.onDeleted?.()
      client.removeQueries({ queryKey: [getTemplate.path] })
      await client.invalidateQueries({ queryKey: [getTemplates.path] })
    },
    onSettled: props.onClose,
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={t('deleting.title')}
      text={t('deleting.text', { name: props.template?.name ?? '' })}
      yes={t('deleting.yes')}
      isDangerous
      isBusy={deletion.isPending}
      onYes={() => props.template && deletion.mutate(props.template.id)}
      onNo={props.onClose}
    />
  )
}
