import { useTexts } from '../../i18n/use-texts.ts'
import { pageConfig } from '../../api/page-config.ts'
import { MailIcon, WarningIcon } from '../../ui/look/icons.tsx'
import classes from './demo-banner.module.css'

/** The notice on every page that this is a demo. */
export function DemoBanner() {
  const { t } = useTexts()
  if (!pageConfig.isDemo) return null
  return (
    <div className={classes.banner}>
      <WarningIcon size={18} />
      <span>{t('demo.banner')}</span>
      <a href="/mailbox">
        <MailIcon size={18} />
        {t('demo.mailbox')}
      </a>
    </div>
  )
}
