/** Tells everybody who opens a corrected request what was changed, by whom and when. */
import { Alert } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatMoment } from '../../ui/format/dates.ts'
import { WarningIcon } from '../../ui/look/icons.tsx'
import { useActorName } from '../shared/actor-name.ts'
import { CompareLink } from '../shared/compare-link.tsx'
import type { RequestKey } from '../shared/queries.ts'
import type { RequestView } from '../shared/request-view.ts'
import classes from './correcting.module.css'

export function CorrectedNotice({ request, requestKey }: { request: RequestView; requestKey: RequestKey }) {
  const { t } = useTexts('requests')
  const actorName = useActorName()
  const [before, newest] = request.revisions.slice(-2)
  // A person who got the document only after its correction sees a single revision: there is nothing to report.
  if (!before || !newest) return null
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
      {request.document.destroyedAt === null && (
        <CompareLink requestKey={requestKey} before={before.revision} after={newest.revision}>
          {t('correcting.compare')}
        </CompareLink>
      )}
    </Alert>
  )
}
