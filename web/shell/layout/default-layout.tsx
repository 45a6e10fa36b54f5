/**
 *   ┌──────────────── header, 64 px, fixed ────────────────┐
 *   │ menu 356 px (narrower under 1280 px, │  page area    │
 *   │ a drawer under 1000 px)              │               │
 *   └──────────────────────────────────────┴───────────────┘
 */
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { mayOpen } from '@kelisim/domain/page-rights.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Toasts } from '../../ui/dialogs/toast.tsx'
import { MountOnOpen } from '../../ui/dialogs/mount-on-open.tsx'
import { DemoBanner } from './demo-banner.tsx'
import classes from './default-layout.module.css'
import { DirtyGuard } from '../dialogs/dirty-guard.tsx'
import { ErrorModal } from '../dialogs/error-modal.tsx'
import { Header } from '../header/header.tsx'
import { SideMenu } from '../menu/side-menu.tsx'
import { StartDialogs } from '../dialogs/start-dialogs.tsx'
import { UpdateDialog } from '../dialogs/update-dialog.tsx'
import { NotEnoughRights } from './not-enough-rights.tsx'
import { useMenuRights } from '../session/menu-rights.ts'
import { OfflineNotice } from './offline-notice.tsx'
import { MovedNotice } from './moved-notice.tsx'
import { UsageNotice } from './usage-notice.tsx'
import { usePrefetchAtIdle } from './prefetch.ts'
import { useSkeletonEnd } from './skeleton-end.ts'

const MenuDrawer = lazy(() => import('./menu-drawer.tsx').then((m) => ({ default: m.MenuDrawer })))

export function DefaultLayout() {
  const { t } = useTexts()
  const path = useRouterState({ select: (state) => state.location.pathname })
  // The drawer belongs to the page on which it was opened: navigation closes it.
  const [drawerOn, setDrawerOn] = useState<string | null>(null)
  usePrefetchAtIdle()
  useSkeletonEnd()
  return (
    <>
      <a className={classes.skip} href="#content">
        {t('shell:skip')}
      </a>
      <Header onMenu={() => setDrawerOn(path)} />
      <aside className={classes.menu}>
        <SideMenu />
      </aside>
      <MountOnOpen isOpen={drawerOn === path}>
        <MenuDrawer isOpen={drawerOn === path} onClose={() => setDrawerOn(null)} />
      </MountOnOpen>
      <main id="content" className={classes.page} tabIndex={-1}>
        <div className={classes.ribbon}>
          <DemoBanner />
        </div>
        <OfflineNotice />
        <MovedNotice />
        <UsageNotice path={path} />
        {mayOpen(path, useMenuRights()) ? <Outlet /> : <NotEnoughRights />}
      </main>
      <DirtyGuard />
      <ErrorModal />
      <UpdateDialog />
      <StartDialogs />
      <Toasts />
    </>
  )
}
