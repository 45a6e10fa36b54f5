import { useTexts } from '../../i18n/use-texts.ts'
import { pageConfig } from '../../api/page-config.ts'
import { DemoRibbon } from '../../ui/look/demo-ribbon.tsx'

/** The notice on every page that this is a demo. */
export function DemoBanner() {
  const { t } = useTexts()
  return pageConfig.isDemo ? <DemoRibbon text={t('demo.banner')} mailbox={t('demo.mailbox')} /> : null
}
