import { useRef } from 'react'
import { Button } from '@mantine/core'
import { acceptedFormats, type UploadOptions } from '@kelisim/domain/documents/formats.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useFileDrop } from '../ui/browser/file-drop.ts'
import { OutgoingIcon } from '../ui/look/icons.tsx'
import classes from './upload.module.css'

/** Files are dropped here or chosen with the button, by mouse, touch or keyboard. */
export function DropZone(props: { options: UploadOptions; onFiles: (files: Iterable<File>) => void }) {
  const { t } = useTexts('documents')
  const input = useRef<HTMLInputElement>(null)
  const { isOver, zone } = useFileDrop(props.onFiles)
  const accept = acceptedFormats(props.options)
    .map((format) => `.${format}`)
    .join(',')

  return (
    <div {...zone} className={isOver ? classes.over : classes.zone}>
      <OutgoingIcon size={28} />
      <b>{isOver ? t('upload.dropNow') : t('upload.drop')}</b>
      <Button variant="default" data-autofocus onClick={() => input.current?.click()}>
        {t('upload.choose')}
      </Button>
      <small>{t(`upload.${rulesOf(props.options)}`)}</small>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accept}
        aria-label={t('upload.choose')}
        onChange={(event) => {
          props.onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = '' // so that the same file can be chosen again
        }}
      />
    </div>
  )
}

function rulesOf({ documentsUploadPdfOnly, documentsUploadXml }: UploadOptions) {
  if (documentsUploadPdfOnly) return 'rulesPdf'
  return documentsUploadXml ? 'rulesXml' : 'rules'
}
