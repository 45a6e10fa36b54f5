import { useRef, useState, type DragEvent } from 'react'
import { Button } from '@mantine/core'
import { acceptedFormats } from '@kelisim/domain/documents/formats.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { OutgoingIcon } from '../ui/look/icons.tsx'
import classes from './upload.module.css'

/** Files are dropped here, or chosen by the button: the same for a mouse, a finger and a keyboard. */
export function DropZone(props: { isPdfOnly: boolean; onFiles: (files: Iterable<File>) => void }) {
  const { t } = useTexts('documents')
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const accept = acceptedFormats({ documentsUploadPdfOnly: props.isPdfOnly })
    .map((format) => `.${format}`)
    .join(',')

  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    props.onFiles(event.dataTransfer.files)
  }

  return (
    <div
      className={isOver ? classes.over : classes.zone}
      onDragOver={(event) => {
        event.preventDefault() // otherwise the browser opens the file instead of us
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <OutgoingIcon size={28} />
      <b>{isOver ? t('upload.dropNow') : t('upload.drop')}</b>
      <Button variant="default" data-autofocus onClick={() => input.current?.click()}>
        {t('upload.choose')}
      </Button>
      <small>{t(props.isPdfOnly ? 'upload.rulesPdf' : 'upload.rules')}</small>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accept}
        aria-label={t('upload.choose')}
        onChange={(event) => {
          props.onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = '' // the same file may be chosen again
        }}
      />
    </div>
  )
}
