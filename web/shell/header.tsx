/** The fixed header: systems, search, organisation, usage, language, person. */
import { lazy, Suspense, useEffect, useState } from 'react'
import { Menu, UnstyledButton } from '@mantine/core'
import { useTexts } from '../i18n/use-texts.ts'
import { setLanguage } from '@kelisim/domain/identity/contract.ts'
import { call } from '../api.ts'
import { portalAddress } from './portal-address.ts'
import { pageConfig } from '../page-config.ts'
import { ChevronDownIcon, MenuIcon, SearchIcon } from '../ui/icons.tsx'
import { Mark } from '../ui/pictures.tsx'
import classes from './header.module.css'
import { LanguageMenu } from './language-menu.tsx'
import { OrganizationPicker } from './organization-picker.tsx'
import { useWorkplace } from './session.ts'
import { UsageRing } from './usage-ring.tsx'
import { UserMenu } from './user-menu.tsx'

const FindDialog = lazy(() => import('./find-dialog.tsx').then((m) => ({ default: m.FindDialog })))

export function Header({ onMenu }: { onMenu: () => void }) {
  const { t } = useTexts()
  const [isFinding, setFinding] = useState(false)
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
      <a className={classes.mark} href="/signingRequests/incomings" aria-label={t('product')}>
        <Mark />
        <span>{t('product')}</span>
      </a>
      <SystemChooser />
      <UnstyledButton
        className={classes.find}
        aria-label={t('shell:find.open')}
        onClick={() => setFinding(true)}
      >
        <SearchIcon size={18} />
        <span>{t('shell:find.open')}</span>
        <kbd aria-hidden>Ctrl K</kbd>
      </UnstyledButton>
      <span className={classes.grow} />
      <OrganizationPicker />
      <UsageRing />
      <LanguageMenu onChoose={(language) => void call(setLanguage, { language })} />
      <UserMenu />
      <Suspense>{isFinding && <FindDialog onClose={() => setFinding(false)} />}</Suspense>
    </header>
  )
}

function SystemChooser() {
  const { t } = useTexts()
  const { organization } = useWorkplace()
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton
          className={classes.systems}
          aria-label={`${t('shell:header.systems')}: ${t('shell:systems.documents')}`}
        >
          {t('shell:systems.documents')}
          <ChevronDownIcon size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('shell:header.systems')}</Menu.Label>
        <Menu.Item component="a" href="/signingRequests/incomings" aria-current="page">
          {t('shell:systems.documents')}
        </Menu.Item>
        <Menu.Item component="a" href={portalAddress(organization.Id)}>
          {t('shell:systems.portal')}
        </Menu.Item>
        {pageConfig.accountUrl && (
          <Menu.Item component="a" href={pageConfig.accountUrl}>
            {t('shell:systems.account')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
