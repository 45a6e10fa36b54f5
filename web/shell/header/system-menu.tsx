/** The systems of the provider, including this one. */
import { Menu } from '@mantine/core'
import { inOrganization, pages } from '@kelisim/domain/pages.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { pageConfig } from '../../api/page-config.ts'
import type { LazyMenuProps } from '../../ui/browser/lazy-menu.tsx'
import { SystemButton } from './header-buttons.tsx'
import { portalAddress } from '../session/portal-address.ts'
import { useWorkplace } from '../session/session.ts'

export function SystemMenu({ isOpenAtFirst }: LazyMenuProps) {
  const { t } = useTexts()
  const { organization } = useWorkplace()
  return (
    <Menu position="bottom-start" defaultOpened={isOpenAtFirst ?? false}>
      <Menu.Target>
        <SystemButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('shell:header.systems')}</Menu.Label>
        <Menu.Item
          component="a"
          href={inOrganization(pages.incomingRequests, organization.Id)}
          aria-current="page"
        >
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
