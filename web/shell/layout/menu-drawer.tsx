import { Drawer } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { ChosenLanguageMenu } from '../header/chosen-language.tsx'
import { OrganizationMenu } from '../header/organization-menu.tsx'
import { SystemMenu } from '../header/system-menu.tsx'
import { UsageDetails } from '../header/usage-details.tsx'
import { useUsage } from '../header/ring-button.tsx'
import { SideMenu } from '../menu/side-menu.tsx'
import classes from './menu-drawer.module.css'

/** The menu of small screens. On a phone it also holds what the header has no room for. */
export function MenuDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTexts()
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      size={356}
      title={t('shell:header.menu')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <div className={classes.top}>
        <OrganizationMenu />
        <div className={classes.line}>
          <SystemMenu />
          <ChosenLanguageMenu />
        </div>
        <Usage />
      </div>
      <SideMenu />
    </Drawer>
  )
}

function Usage() {
  const usage = useUsage()
  return (
    <div className={classes.line}>
      <span>{usage?.text}</span>
      <UsageDetails />
    </div>
  )
}
