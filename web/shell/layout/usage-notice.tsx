import { helpPage } from '@kelisim/domain/help/documents.ts'
import { inOrganization, pages } from '@kelisim/domain/pages.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { WarningIcon } from '../../ui/look/icons.tsx'
import { useUsage } from '../header/ring-button.tsx'
import { useWorkplace } from '../session/session.ts'
import classes from './notices.module.css'

const listsOfRequests: readonly string[] = [pages.today, pages.incomingRequests, pages.outgoingRequests].map(
  (page) => page.toLowerCase(),
)

/**
 * Warns that the tariff is about to end or to be used up. It is shown on the lists of requests, and only to owners,
 * who can do something about it.
 */
export function UsageNotice({ path }: { path: string }) {
  const { t } = useTexts('shell')
  const { role, organization } = useWorkplace()
  const warning = useUsage()?.warning
  if (!warning || role !== 'Owner' || !listsOfRequests.includes(path.toLowerCase())) return null
  return (
    <p className={classes.notice} role="status">
      <WarningIcon size={18} />
      <span>{t(`usage.${warning}`)}</span>
      <a href={inOrganization(helpPage('price-list'), organization.Id)}>{t('usage.prices')}</a>
    </p>
  )
}
