import { Button, Group, Modal } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { clearDirty } from '../../ui/form/dirty.ts'

export function UpdateModal({ isOpen, onLater }: { isOpen: boolean; onLater: () => void }) {
  const { t } = useTexts()
  return (
    <Modal
      opened={isOpen}
      onClose={onLater}
      title={t('shell:update.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
      size={480}
    >
      <p>{t('shell:update.text')}</p>
      <Group mt={24} justify="flex-end">
        <Button variant="default" onClick={onLater}>
          {t('actions.later')}
        </Button>
        <Button
          onClick={() => {
            clearDirty() // drafts are kept
            window.location.reload()
          }}
        >
          {t('actions.reload')}
        </Button>
      </Group>
    </Modal>
  )
}
