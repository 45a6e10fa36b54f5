import type { ReactNode } from 'react'
import { Box, Button, Group, Modal } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'

export type Question = {
  isOpen: boolean
  title: string
  text: string
  /** Further content below the text. */
  more?: ReactNode
  yes: string
  /** It cannot be undone. */
  isDangerous?: boolean
  isBusy?: boolean
  onYes: () => void
  onNo: () => void
}

export function ConfirmModal(props: Question) {
  const { t } = useTexts()
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onNo}
      title={props.title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
      size={480}
    >
      <p>{props.text}</p>
      {props.more && <Box mt={16}>{props.more}</Box>}
      <Group mt={24} justify="flex-end">
        <Button variant="default" onClick={props.onNo}>
          {t('actions.cancel')}
        </Button>
        <Button
          {...(props.isDangerous && { color: 'red' })}
          loading={props.isBusy ?? false}
          onClick={props.onYes}
        >
          {props.yes}
        </Button>
      </Group>
    </Modal>
  )
}
