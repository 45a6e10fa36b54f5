/**
 * The fixed header: systems, search, organisation, usage, bell, language, person; on a phone the drawer has the rest.
 */
import { lazy, Suspense, useEffect, useState } from 'react'
import { UnstyledButton } from '@mantine/core'
import { loadTexts } from '../../i18n/language.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { inOrganization, pages } from '@kelisim/domain/pages.ts'
import { MenuIcon, SearchIcon } from '../../ui/look/icons.tsx'
import { lazyMenu } from '../../ui/browser/lazy-menu.tsx'
import { BrandLink } from '../../ui/look/brand.tsx'
import { Bell, BellListener } from './bell.tsx'
import { ChosenLanguageMenu } from './chosen-language.tsx'
import { OrganizationButton, SystemButton } from './header-buttons.tsx'
import classes from './header.module.css'
import { useSwitch } from '../session/organization-switch.ts'
import { useWorkplace } from '../session/session.ts'
import { UsageRing } from './usage-ring.tsx'
import { UserMenu } from './user-menu.tsx'

const OrganizationPicker = lazyMenu<object>(
  () => import('./organization-menu.tsx').then((m) => m.OrganizationMenu),
  OrganizationButton,
)
const SwitchQuestion = lazy(() =>
  import('./switch-question.tsx').then((m) => ({ default: m.SwitchQuestion })),
)
const FindDialog = lazy(async () => {
  const [{ FindDialog: dialog }] = await Promise.all([
    import('../../search/find-dialog.tsx'),
    loadTexts('search'),
    loadTexts('requests-lists'),
  ])
  return { default: dialog }
})

export function Header({ onMenu }: { onMenu: () => void }) {
  const { t } = useTexts()
  const { organization } = useWorkplace()
  const home = inOrganization(pages.today, organization.Id)
  const [isFinding, setFinding] = useState(false)
  const { question } = useSwitch()
  // The dialog stays mounted after the answer, so that it can return the focus.
  const [wasAsked, setAsked] = useState(false)
  if (question !== null && !wasAsked) setAsked(true)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.code === 'KeyK') {
        event.preventDefault()
        setFinding(true)
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <header className={classes.header}>
      <UnstyledButton className={classes.menuButton} aria-label={t('shell:header.menu')} onClick={onMenu}>
        <MenuIcon size={24} />
      </UnstyledButton>
      <BrandLink href={home} name={t('product')} label={t('product')} isCompactOnPhone />
      <span className={classes.wider}>
        <SystemChooser />
      </span>
      <UnstyledButton
        className={classes.find}
        aria-label={t('shell:find.open')}
        onClick={() => setFinding(true)}
      >
        <SearchIcon size={18} />
        <span>{t('shell:find.open')}</span>
        <kbd aria-hidden data-keys="Ctrl K" />
      </UnstyledButton>
      <span className={classes.grow} />
      <span className={classes.wide}>
        <OrganizationPicker />
        <UsageRing />
      </span>
      <Bell />
      <BellListener />
      <span className={classes.wide}>
        <ChosenLanguageMenu />
      </span>
      <UserMenu />
      <Suspense>{wasAsked && <SwitchQuestion />}</Suspense>
      <Suspense>{isFinding && <FindDialog onClose={() => setFinding(false)} />}</Suspense>
    </header>
  )
}

const SystemChooser = lazyMenu<object>(
  () => import('./system-menu.tsx').then((m) => m.SystemMenu),
  SystemButton,
)
