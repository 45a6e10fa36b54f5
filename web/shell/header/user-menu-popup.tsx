import type { ReactNode } from 'react'
import { Menu, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { pages } from '@kelisim/domain/pages.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import {
  BellIcon,
  BuildingIcon,
  PeopleIcon,
  PersonIcon,
  SettingsIcon,
  SignOutIcon,
  SwitchIcon,
} from '../../ui/look/icons.tsx'
import { pageConfig } from '../../api/page-config.ts'
import { signInAddress } from '../../api/sign-in-address.ts'
import type { LazyMenuProps } from '../../ui/browser/lazy-menu.tsx'
import { PersonButton } from './header-buttons.tsx'
import classes from './header.module.css'
import { myGroupsAddress, portalAddress } from '../session/portal-address.ts'
import { type Profile, useWorkplace } from '../session/session.ts'
import { leave } from '../session/sign-out.ts'

export function UserMenuPopup({ isOpenAtFirst }: LazyMenuProps) {
  const { profile, organization } = useWorkplace()
  const { t } = useTexts()
  const navigate = useNavigate()
  return (
    <PersonMenuPopup profile={profile} isOpenAtFirst={isOpenAtFirst ?? false}>
      <Menu.Item component="a" href={myGroupsAddress()} leftSection={<PeopleIcon size={18} />}>
        {t('shell:user.myGroups')}
      </Menu.Item>
      <Menu.Item component="a" href={portalAddress(organization.Id)} leftSection={<BuildingIcon size={18} />}>
        {t('shell:systems.portal')}
      </Menu.Item>
      <Menu.Item
        leftSection={<BellIcon size={18} />}
        onClick={() => void navigate({ to: '/options/{-$name}', params: { name: 'NotificationSettings' } })}
      >
        {t('shell:user.notifications')}
      </Menu.Item>
      <Menu.Item
        leftSection={<PeopleIcon size={18} />}
        onClick={() => void navigate({ to: '/options/{-$name}', params: { name: 'Substitution' } })}
      >
        {t('shell:user.substitution')}
      </Menu.Item>
      {profile.IsOperator && (
        <Menu.Item
          leftSection={<SettingsIcon size={18} />}
          onClick={() => void navigate({ to: '/operator/{-$tab}', search: {} })}
        >
          {t('shell:user.operator')}
        </Menu.Item>
      )}
    </PersonMenuPopup>
  )
}

/** The menu of the person in every layout: theme, another account, log out. */
export function PersonMenuPopup(props: { profile: Profile; children?: ReactNode } & LazyMenuProps) {
  const { t } = useTexts()
  const { profile, children } = props
  return (
    <Menu position="bottom-end" width={280} defaultOpened={props.isOpenAtFirst ?? false}>
      <Menu.Target>
        <PersonButton profile={profile} />
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.about}>
          <b>{profile.FullName}</b>
          <small>{profile.Login}</small>
        </div>
        <Menu.Divider />
        {children}
        {pageConfig.accountUrl && (
          <Menu.Item component="a" href={pageConfig.accountUrl} leftSection={<PersonIcon size={18} />}>
            {t('shell:systems.account')}
          </Menu.Item>
        )}
        <Menu.Item
          component="a"
          href={signInAddress(pages.incomingRequests, true)}
          leftSection={<SwitchIcon size={18} />}
        >
          {t('shell:user.changeAccount')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('shell:user.theme')}</Menu.Label>
        <ThemeChoice />
        <Menu.Divider />
        <Menu.Item leftSection={<SignOutIcon size={18} />} onClick={() => void leave()}>
          {t('shell:user.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const themes = ['light', 'dark', 'auto'] as const

function ThemeChoice() {
  const { t } = useTexts('shell')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(theme) => setColorScheme(theme as typeof colorScheme)}>
      {themes.map((theme) => (
        <Menu.RadioItem key={theme} value={theme}>
          {t(`user.${theme}`)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
