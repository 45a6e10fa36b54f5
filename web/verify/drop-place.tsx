/** Files are chosen or dropped here; dropping works anywhere on the page. */
import { useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '../i18n/use-texts.ts'
import { LockIcon, SignedIcon } from './icons.tsx'
import type { InputFile } from '@kelisim/signature/container/input-file.ts'
import classes from './verify.module.css'

export function DropPlace(props: {
  size: 'large' | 'small'
  isAdding: boolean
  isBusy: boolean
  onFiles: (files: InputFile[]) => void
  /** Starts over; null: there is nothing to reset. */
  onAgain: (() => void) | null
}) {
  const { size, isAdding, isBusy, onFiles, onAgain } = props
  const { t } = useTexts('verify')
  const input = useRef<HTMLInputElement>(null)
  const hint = useId()
  const isOver = useDropping((files) => !isBusy && onFiles(files))
  const isLarge = size === 'large'
  return (
    <div className={classes.drop} data-size={size} data-over={isOver || undefined}>
      {isLarge && (
        <span className={classes.dropIcon}>
          <SignedIcon size={44} />
        </span>
      )}
      {isLarge && <strong className={classes.dropTitle}>{isOver ? t('drop.here') : t('drop.title')}</strong>}
      {isLarge && (
        <p id={hint} className={classes.dropHint}>
          {t('drop.or')}
        </p>
      )}
      {/* The input itself is used by the keyboard and screen readers; the button is decoration. */}
      {(isLarge || isAdding) && (
        <label className={classes.choose}>
          <input
            ref={input}
            type="file"
            multiple
            disabled={isBusy}
            aria-label={t('drop.label')}
            {...(isLarge && { 'aria-describedby': hint })}
            onChange={() => {
              const files = filesIn(input.current?.files)
              if (input.current) input.current.value = ''
              if (files.length > 0) onFiles(files)
            }}
          />
          <span className={classes.button}>{isAdding ? t('drop.more') : t('drop.choose')}</span>
        </label>
      )}
      {onAgain && (
        <button type="button" className={classes.plain} onClick={onAgain}>
          {t('drop.again')}
        </button>
      )}
      {isLarge && (
        <p className={classes.local}>
          <LockIcon size={18} />
          {t('local')}
        </p>
      )}
    </div>
  )
}

function filesIn(files: FileList | null | undefined): InputFile[] {
  return Array.from(files ?? [], (file) => ({ name: file.name, blob: file }))
}

/** Whether files are dragged over the page; dropped files are passed on. */
function useDropping(onFiles: (files: InputFile[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  useEffect(() => {
    latest.current = onFiles
  })
  useEffect(() => {
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setOver(false)
      const files = filesIn(event.dataTransfer?.files)
      if (files.length > 0) latest.current(files)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}
