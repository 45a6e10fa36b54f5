/** For pages outside of an organisation: the mark, the language, and the page in the middle. */
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/use-texts.ts'
import { Mark } from '../ui/pictures.tsx'
import { Toasts } from '../ui/toast.tsx'
import { DemoBanner } from './demo-banner.tsx'
import { DirtyGuard } from './dirty-guard.tsx'
import classes from './empty-layout.module.css'
import { ErrorModal } from './error-modal.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { UpdateDialog } from './update-dialog.tsx'

export function EmptyLayout({ children }: { children: ReactNode }) {
  const { t } = useTexts()
  return (
    <>
      <header className={classes.header}>
        <a className={classes.mark} href="/">
          <Mark />
          {t('product')}
        </a>
        <LanguageMenu />
      </header>
      <main className={classes.page}>
        <DemoBanner />
        {children}
      </main>
      <DirtyGuard />
      <ErrorModal />
      <UpdateDialog />
      <Toasts />
    </>
  )
}
