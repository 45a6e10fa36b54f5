import { restoreDeleted } from '@kelisim/domain/deletions/contract.ts'
import { deletePoint, getPoint, getPoints } from '@kelisim/domain/points/contract.ts'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { DeleteDialog } from '../ui/dialogs/delete-dialog.tsx'
import type { PointView } from './point-view.ts'

export function DeletePointDialog(props: {
  isOpen: boolean
  point: PointView | null
  onClose: () => void
  onDeleted?: () => void
}) {
  const { t } = useTexts('points')
  const { organization } = useWorkplace()
  return (
    <DeleteDialog
      isOpen={props.isOpen}
      id={props.point?.id ?? null}
      texts={{
        title: t('deleteTitle'),
        text: t('deleteText', { name: props.point?.name ?? '' }),
        yes: t('common:actions.remove'),
        done: t('deleted'),
      }}
      remove={(pointId) => call(deletePoint, { organizationId: organization.Id, pointId })}
      restore={(deletionId) => call(restoreDeleted, { organizationId: organization.Id, deletionId })}
      endpoints={{ one: getPoint, list: getPoints }}
      onClose={props.onClose}
      onDeleted={props.onDeleted}
    />
  )
}
