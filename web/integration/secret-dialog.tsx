/** Shows a new token or secret, which cannot be shown again. */
import { useState } from 'react'
import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useTexts } from '../i18n/use-texts.ts'
import { CopyIcon } from '../ui/look/icons.tsx'

export type Secret = { title: string; text: string; label: string; value: string }

export function SecretDialog(props: { isOpen: boolean; secret: Secret | null; onClose: () => void }) {
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={props.secret?.title ?? ''}
      // A click beside the dialog must not lose the secret.
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size={560}
    >
      {props.secret && <SecretView secret={props.secret} onClose={props.onClose} />}
    </Modal>
  )
}

function SecretView({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const { t } = useTexts('integration')
  const [isCopied, setCopied] = useState(false)
  return (
    <>
      <p>{secret.text}</p>
      <TextInput
        mt={16}
        size="md"
        label={secret.label}
        value={secret.value}
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
          onClick={() => void navigator.clipboard.writeText(secret.value).then(() => setCopied(true))}
        >
          {t('copy')}
        </Button>
        <Button onClick={onClose}>{t('close')}</Button>
      </Group>
    </>
  )
}
