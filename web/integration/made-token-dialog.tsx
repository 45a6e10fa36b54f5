/** Shows a new token, for the only time. */
import { useState } from 'react'
import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useTexts } from '../i18n/use-texts.ts'
import { CopyIcon } from '../ui/look/icons.tsx'

export type MadeToken = { name: string; secret: string }

export function MadeTokenDialog(props: { isOpen: boolean; made: MadeToken | null; onClose: () => void }) {
  const { t } = useTexts('integration')
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={t('madeTitle')}
      // Nobody loses it by a click beside the dialog.
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size={560}
    >
      {props.made && <MadeTokenView made={props.made} onClose={props.onClose} />}
    </Modal>
  )
}

function MadeTokenView({ made, onClose }: { made: MadeToken; onClose: () => void }) {
  const { t } = useTexts('integration')
  const [isCopied, setCopied] = useState(false)
  return (
    <>
      <p>{t('madeText')}</p>
      <TextInput
        mt={16}
        size="md"
        label={t('secret', { name: made.name })}
        value={made.secret}
        readOnly
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group mt={24} justify="flex-end">
        <span role="status">{isCopied && t('copied')}</span>
        <Button
          variant="default"
          leftSection={<CopyIcon />}
          onClick={() => void navigator.clipboard.writeText(made.secret).then(() => setCopied(true))}
        >
          {t('copy')}
        </Button>
        <Button onClick={onClose}>{t('close')}</Button>
      </Group>
    </>
  )
}
