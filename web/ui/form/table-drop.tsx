/** A drop zone for a table file; shows what is wrong with the file. */
import { useRef, type ReactNode } from 'react'
import { Alert, Button, Loader } from '@mantine/core'
import { useFileDrop } from '../browser/file-drop.ts'
import { OutgoingIcon, WarningIcon } from '../look/icons.tsx'
import classes from './table-drop.module.css'

type Words = { drop: string; choose: string; reading: string; limits: string }

export function TableDrop(props: {
  words: Words
  isReading: boolean
  /** Why the last file was not accepted. */
  fault: string | null
  /** Further content, shown beside the button that chooses a file. */
  more?: ReactNode
  onFile: (file: File) => void
}) {
  const { words, isReading, fault, onFile } = props
  const input = useRef<HTMLInputElement>(null)
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file) onFile(file)
  }
  const { isOver, zone } = useFileDrop(take)
  return (
    <div {...zone} className={isOver ? classes.over : classes.zone}>
      {isReading ? <Loader size={28} /> : <OutgoingIcon size={28} />}
      <b role="status">{isReading ? words.reading : words.drop}</b>
      <div className={classes.acts}>
        <Button disabled={isReading} onClick={() => input.current?.click()}>
          {words.choose}
        </Button>
        {props.more}
      </div>
      <small>{words.limits}</small>
      {fault !== null && (
        <Alert
          color="red"
          variant="light"
          icon={<WarningIcon size={20} />}
          role="alert"
          className={classes.fault}
        >
          {fault}
        </Alert>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept=".xlsx,.csv"
        aria-label={words.choose}
        onChange={(event) => {
          take(event.currentTarget.files)
          event.currentTarget.value = '' // so that the same file can be chosen again
        }}
      />
    </div>
  )
}
