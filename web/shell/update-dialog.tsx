/** A newer version of the application is being served: offer to reload, once for each that appears. */
import { useSyncExternalStore } from 'react'
import { useTexts } from '../i18n/use-texts.ts'
import { Button, Group, Modal } from '@mantine/core'
import { setDirty } from '../ui/dirty.ts'

let state: 'current' | 'outdated' | 'later' = 'current'
const listeners = new Set<() => void>()

function become(next: typeof state): void {
  state = next
  for (const listener of listeners) listener()
}

export function noticeNewBuild(): void {
  if (state === 'current') become('outdated')
}

export function UpdateDialog() {
  const { t } = useTexts()
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
  return (
    <Modal
      opened={shown === 'outdated'}
      onClose={() => become('later')}
      title={t('shell:update.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
      size={480}
    >
      <p>{t('shell:update.text')}</p>
      <Group mt={24} justify="flex-end">
        <Button variant="default" onClick={() => become('later')}>
          {t('actions.later')}
        </Button>
        <Button
          onClick={() => {
            setDirty(false) // the drafts stay
            window.location.reload()
          }}
        >
          {t('actions.reload')}
        </Button>
      </Group>
    </Modal>
  )
}
