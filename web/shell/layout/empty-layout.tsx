/** The layout of pages outside of an organisation: the logo, the language, and the page in the middle. */
import type { ReactNode } from 'react'
import { useTexts } from '../../i18n/use-texts.ts'
import { BrandLink } from '../../ui/look/brand.tsx'
import { Toasts } from '../../ui/dialogs/toast.tsx'
import { DemoBanner } from './demo-banner.tsx'
import { DirtyGuard } from '../dialogs/dirty-guard.tsx'
import classes from './empty-layout.module.css'
import { ErrorModal } from '../dialogs/error-modal.tsx'
import { LanguageMenu } from '../header/language-menu.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { useSkeletonEnd } from './skeleton-end.ts'
import { UpdateDialog } from '../dialogs/update-dialog.tsx'

export function EmptyLayout({ children }: { children: ReactNode }) {
  const { t } = useTexts()
  useSkeletonEnd()
  return (
    <>
      <header className={classes.header}>
        <BrandLink href="/" name={t('product')} />
        <LanguageMenu />
      </header>
      <DemoBanner />
      <main className={classes.page}>
        <OfflineNotice />
        {children}
      </main>
      <DirtyGuard />
      <ErrorModal />
      <UpdateDialog />
      <Toasts />
    </>
  )
}
