/** A file that can be saved, with a note and a button. */
import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { DocumentIcon, DownloadIcon } from '../../ui/look/icons.tsx'

export function File(props: {
  name: string
  note: string
  isBusy: boolean
  onSave: () => void
  tone?: 'bad' | undefined
  /** Further content, shown beside the button. */
  further?: ReactNode
  /** The label of the button, if it does more than save. */
  label?: string
}) {
  const { t } = useTexts('requests')
  return (
    <li data-tone={props.tone}>
      <DocumentIcon size={20} />
      <span>
        {props.name}
        <small role={props.isBusy ? 'status' : undefined}>{props.note}</small>
      </span>
      {props.further}
      <Button
        variant="subtle"
        size="compact-md"
        px={8}
        aria-label={props.label ?? t('files.download', { name: props.name })}
        loading={props.isBusy}
        onClick={props.onSave}
      >
        <DownloadIcon size={20} />
      </Button>
    </li>
  )
}
