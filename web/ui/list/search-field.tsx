import { useEffect, useState } from 'react'
import { SearchIcon } from '../look/icons.tsx'
import { typedText } from '../form/typed-text.ts'
import classes from './list.module.css'

/** Milliseconds without typing before the server is asked. */
const searchDelay = 300

export function SearchField(props: { label: string; value: string; onChange: (value: string) => void }) {
  const { value, onChange } = props
  const [typed, setTyped] = useState(value)
  // Changed from elsewhere (a link, the back button): the address replaces the text of the field.
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setTyped(value)
  }
  useEffect(() => {
    if (typed === value) return undefined
    const timer = setTimeout(() => onChange(typed.trim()), searchDelay)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <label className={classes.search}>
      <SearchIcon size={18} />
      <input
        type="search"
        aria-label={props.label}
        placeholder={props.label}
        value={typed}
        maxLength={250}
        onChange={(event) => setTyped(typedText(event))}
      />
    </label>
  )
}
