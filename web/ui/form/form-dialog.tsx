/** A form in a dialog, mounted at each opening; closing it drops what was typed. */
import type { ReactNode } from 'react'
import { Button, Group, Modal } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { dropDraft } from './drafts.ts'
import { Fields } from './fields.tsx'
import { type Form, FormFields, SubmitButton } from './form.tsx'

export function FormDialog(props: {
  isOpen: boolean
  title: string
  /** The draft id of the form inside. */
  draft: string
  /** The width in pixels, if the default width for a few fields does not suit. */
  size?: number
  onClose: () => void
  children: ReactNode
}) {
  const { t } = useTexts()
  return (
    <Modal
      opened={props.isOpen}
      onClose={() => {
        dropDraft(props.draft)
        props.onClose()
      }}
      title={props.title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
      size={props.size ?? 560}
    >
      {props.children}
    </Modal>
  )
}

export function DialogForm<V extends Record<string, unknown>>(props: {
  form: Form<V>
  yes: string
  /** It cannot be undone. */
  isDangerous?: boolean
  /** It cannot be submitted now; the reason is shown above. */
  isOff?: boolean
  /** There is nothing to submit any more: it can only be closed. */
  isOver?: boolean
  onCancel: () => void
  children: ReactNode
}) {
  const { t } = useTexts()
  return (
    <FormFields form={props.form}>
      <Fields>{props.children}</Fields>
      <Group mt={24} justify="flex-end">
        {props.isOver ? (
          <Button onClick={props.onCancel}>{t('actions.close')}</Button>
        ) : (
          <>
            <Button variant="default" onClick={props.onCancel}>
              {t('actions.cancel')}
            </Button>
            <SubmitButton isOff={props.isOff ?? false} isDangerous={props.isDangerous ?? false}>
              {props.yes}
            </SubmitButton>
          </>
        )}
      </Group>
    </FormFields>
  )
}
