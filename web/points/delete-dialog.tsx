import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deletePoint, getPoint, getPoints } from '@kelisim/domain/points/contract.ts'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import type { PointView } from './point-view.ts'

export function DeleteDialog(props: {
  isOpen: boolean
  point: PointView | null
  onClose: () => void
  onDeleted?: () => void
}) {
  const { t } = useTexts('points')
  const { organization } = useWorkplace()
  const client = useQueryClient()
  const deletion = useMutation({
    mutationFn: (pointId: string) => call(deletePoint, { organizationId: organization.Id, pointId }),
    onSuccess: async () => {
      toast(t('deleted'))
      props.onDeleted?.()
      client.removeQueries({ queryKey: [getPoint.path] })
      await client.invalidateQueries({ queryKey: [getPoints.path] })
    },
    onSettled: props.onClose,
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={t('deleteTitle')}
      text={t('deleteText', { name: props.point?.name ?? '' })}
      yes={t('common:actions.remove')}
      isDangerous
      isBusy={deletion.isPending}
      onYes={() => props.point && deletion.mutate(props.point.id)}
      onNo={props.onClose}
    />
  )
}
