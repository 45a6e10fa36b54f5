import { Drawer } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { SideMenu } from './side-menu.tsx'

/** The menu of small screens. */
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
      <SideMenu />
    </Drawer>
  )
}
