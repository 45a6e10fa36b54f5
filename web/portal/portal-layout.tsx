/**
 *   ┌───────────── header, 64 px, fixed ─────────────┐
 *   │ sections 264 px (tabs under 1000 px) │  page   │
 *   └──────────────────────────────────────┴─────────┘
 */
import { type ComponentType, type MouseEvent, useEffect, useRef } from 'react'
import { Link, Outlet, useMatchRoute, useRouter } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { setLanguage } from '@kelisim/domain/identity/contract.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { call } from '../api/api.ts'
import { DemoBanner } from '../shell/layout/demo-banner.tsx'
import { DirtyGuard } from '../shell/dialogs/dirty-guard.tsx'
import { ErrorModal } from '../shell/dialogs/error-modal.tsx'
import headerClasses from '../shell/header/header.module.css'
import { LanguageMenu } from '../shell/header/language-menu.tsx'
import { rememberOrganization } from '../shell/session/session.ts'
import { UpdateDialog } from '../shell/dialogs/update-dialog.tsx'
import { PersonMenu } from '../shell/header/user-menu.tsx'
import {
  BuildingIcon,
  CalendarIcon,
  ChevronLeftIcon,
  DesktopIcon,
  DocumentIcon,
  HistoryIcon,
  MailIcon,
  PeopleIcon,
  PersonIcon,
} from '../ui/look/icons.tsx'
import { BrandLink } from '../ui/look/brand.tsx'
import { PageNotFound } from '../ui/page/states.tsx'
import { Toasts } from '../ui/dialogs/toast.tsx'
import { OrganizationChooser } from './organization-chooser.tsx'
import { addressOf, ownersPages, type PortalPage, portalPages, usePortal } from './shared/place.ts'
import classes from './portal-layout.module.css'

export function PortalLayout() {
  const { t } = useTexts()
  const { session, named, found } = usePortal()
  const { Login: login } = session.profile
  const organizationId = found?.Id
  useEffect(() => {
    if (organizationId !== undefined) rememberOrganization(login, organizationId)
  }, [login, organizationId])
  return (
    <>
      <a className={classes.skip} href="#content">
        {t('shell:skip')}
      </a>
      <header className={headerClasses.header}>
        <BrandLink href={pages.incomingRequests} name={t('product')} label={t('product')} isCompactOnPhone />
        <span className={classes.system}>{t('portal:title')}</span>
        <span className={headerClasses.grow} />
        <OrganizationChooser />
        <LanguageMenu onChoose={(language) => void call(setLanguage, { language })} />
        <PersonMenu profile={session.profile} />
      </header>
      <div className={classes.frame}>
        <Sections />
        <main id="content" className={classes.page} tabIndex={-1}>
          <div className={classes.ribbon}>
            <DemoBanner />
          </div>
          {named !== undefined && !found ? <PageNotFound /> : <Outlet key={organizationId ?? ''} />}
        </main>
      </div>
      <DirtyGuard />
      <ErrorModal />
      <UpdateDialog />
      <Toasts />
    </>
  )
}

const icons: Record<PortalPage, ComponentType<{ size?: number }>> = {
  card: BuildingIcon,
  members: PersonIcon,
  invitations: MailIcon,
  groups: PeopleIcon,
  powers: DocumentIcon,
  retention: CalendarIcon,
  integration: DesktopIcon,
  history: HistoryIcon,
}

function Sections() {
  const { t } = useTexts()
  const { session, offered: organization, returnUri } = usePortal()
  const list = useRef<HTMLUListElement>(null)
  const isHere = useMatchRoute()
  const shown = portalPages.find((page) => isHere({ to: addressOf(page) }) !== false)
  useEffect(() => {
    // On a phone the sections are wider than the screen: scroll to the current one.
    const current = list.current?.querySelector(shown ? `[data-page=${shown}]` : 'li:last-child')
    current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [shown])
  const isOwned = organization !== undefined && isOwner(session.rolesIn[organization.Id] ?? 0)
  const search = returnUri === null ? {} : { returnUri }
  return (
    <nav className={classes.sections} aria-label={t('portal:nav.label')}>
      <ReturnLink to={returnUri ?? pages.incomingRequests} />
      <ul ref={list}>
        {organization &&
          portalPages
            .filter((page) => isOwned || !ownersPages.includes(page))
            .map((page) => {
              const Icon = icons[page]
              return (
                <li key={page} data-page={page}>
                  <Link
                    className={classes.section}
                    to={addressOf(page)}
                    params={{ organizationId: organization.Id }}
                    search={search}
                    activeOptions={{ includeSearch: false }}
                  >
                    <Icon />
                    {t(`portal:nav.${page}`)}
                  </Link>
                </li>
              )
            })}
        <li className={classes.mine}>
          <Link
            className={classes.section}
            to="/portal/my-groups"
            search={search}
            activeOptions={{ includeSearch: false }}
          >
            <PeopleIcon />
            {t('portal:nav.myGroups')}
          </Link>
        </li>
      </ul>
    </nav>
  )
}

/**
 * The target may be any address of the application with its query, so it is pushed to the history instead of using a
 * typed route.
 */
function ReturnLink({ to }: { to: string }) {
  const { t } = useTexts()
  const router = useRouter()
  const go = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    router.history.push(to)
  }
  return (
    <a className={classes.return} href={to} onClick={go}>
      <ChevronLeftIcon size={18} />
      {t('portal:nav.return')}
    </a>
  )
}
