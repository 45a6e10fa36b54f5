import { useTexts } from '../../i18n/use-texts.ts'
import { WarningIcon } from '../../ui/look/icons.tsx'
import { useWorkplace } from '../session/session.ts'
import classes from './notices.module.css'

/** Says, on every page of an organisation that moved to another installation, where it works now. */
export function MovedNotice() {
  const { t } = useTexts('shell')
  const { organization } = useWorkplace()
  const address = organization.LivesAt
  if (!address) return null
  return (
    <p className={classes.notice} role="status">
      <WarningIcon size={18} />
      <span>
        {t('moved.text')}:{' '}
        <a className={classes.address} href={address}>
          {new URL(address).host}
        </a>
      </span>
    </p>
  )
}
