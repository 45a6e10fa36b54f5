/** Says to everybody who opens a corrected request what was changed, by whom and when. */
import { Alert } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatMoment } from '../../ui/format/dates.ts'
import { WarningIcon } from '../../ui/look/icons.tsx'
import { useActorName } from '../shared/actor-name.ts'
import type { RequestView } from '../shared/request-view.ts'
import classes from './correcting.module.css'

export function CorrectedNotice({ request }: { request: RequestView }) {
  const { t } = useTexts('requests')
  const actorName = useActorName()
  const newest = request.revisions.at(-1)
  // Whoever got the document after it was corrected has seen no other.
  if (!newest || request.revisions.length < 2) return null
  const name = newest.by ? actorName(newest.by) : t('history.system')
  return (
    <Alert
      className={classes.corrected ?? ''}
      color="yellow"
      variant="light"
      icon={<WarningIcon size={20} />}
      title={t('correcting.notice', { name, date: formatMoment(newest.at) })}
    >
      <p>{newest.comment}</p>
      <p>{t('correcting.noticeText')}</p>
    </Alert>
  )
}
