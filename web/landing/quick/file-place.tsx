/** The field for the document: a file is chosen or dropped. */
import { useId, useState, type DragEvent } from 'react'
import { currentLanguage, textOf } from '../../i18n/language.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import classes from './quick.module.css'

export function FilePlace(props: {
  file: File | null
  accept: string
  problem: string | undefined
  onChoose: (file: File) => void
}) {
  const { t } = useTexts('landing-quick-send')
  const { file, problem } = props
  const [isOver, setOver] = useState(false)
  const id = useId()

  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    const [dropped] = event.dataTransfer.files
    if (dropped) props.onChoose(dropped)
  }
  return (
    <div className={classes.field}>
      <div
        className={classes.file}
        data-over={isOver || undefined}
        data-chosen={file ? '' : undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <label htmlFor={id}>
          <span className={classes.fileLabel}>{t('file.label')}</span>
          <b>{file ? file.name : t('file.choose')}</b>
          <span>{file ? sizeOf(file.size) : t('file.drop')}</span>
        </label>
        <input
          type="file"
          name="file"
          id={id}
          accept={props.accept}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-problem ${id}-hint`}
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? []
            if (chosen) props.onChoose(chosen)
            // So that the same file can be chosen again.
            currentTarget.value = ''
          }}
        />
      </div>
      <p id={`${id}-problem`} className={classes.problem}>
        {problem}
      </p>
      <p id={`${id}-hint`} className={classes.hint}>
        {t('file.hint')}
      </p>
    </div>
  )
}

export function sizeOf(bytes: number): string {
  const [unit, value] =
    bytes < megabyte ? (['kb', bytes / 1024] as const) : (['mb', bytes / megabyte] as const)
  const shown = new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: 1 }).format(value)
  return textOf(`landing-quick-send:file.size.${unit}`, { value: shown }) ?? shown
}

const megabyte = 1024 * 1024
