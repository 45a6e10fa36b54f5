/** Creates a missing point with the full form of points, without leaving the route. */
import { maskOf, pointTypes } from '@kelisim/domain/points/point-types.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { PointForm } from '../../points/point-form.tsx'
import type { PointView } from '../../points/point-view.ts'
import { dropDraft } from '../../ui/form/drafts.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import type { PointWish } from './use-offers.ts'

const draft = 'point:in-route'

export function MakePointDialog(props: {
  isOpen: boolean
  wish: PointWish
  onMade: (point: PointView) => void
  onClose: () => void
}) {
  const { t } = useTexts('points')
  const { name, group, bin } = props.wish
  return (
    <FormDialog isOpen={props.isOpen} title={t('add')} draft={draft} onClose={props.onClose}>
      <PointForm
        point={null}
        inDialog={{
          draft,
          known: group ? [group] : [],
          start: {
            name: name || (group?.name ?? ''),
            ...(group && { groupId: group.id, type: pointTypes.members.InternalApprove }),
            ...(bin && { bin, type: pointTypes.members.ExternalSign }),
          },
        }}
        onSaved={(saved) => {
          dropDraft(draft)
          // Published points are for other organisations and cannot be used in one's own routes.
          if ((saved.type & maskOf('counterParty')) === 0) props.onMade(saved)
          props.onClose()
        }}
      />
    </FormDialog>
  )
}
