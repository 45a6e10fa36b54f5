/** A field with its label, hint and problem. */
import { longestEmail } from '@kelisim/domain/email-address.ts'
import { useId } from 'react'
import { typedText } from '../../ui/form/typed-text.ts'
import classes from './quick.module.css'

export function Field(props: {
  name: string
  label: string
  value: string
  problem: string | undefined
  onChange: (text: string) => void
  onLeave: () => void
  hint?: string
  /** A hint that changes while the person types. */
  note?: string
  isGood?: boolean
  type?: 'email' | 'tel'
  inputMode?: 'numeric'
  autoComplete?: string
  placeholder?: string
}) {
  const id = useId()
  const { name, label, value, problem, hint, note, isGood = false } = props
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        value={value}
        maxLength={longestEmail}
        type={props.type ?? 'text'}
        inputMode={props.inputMode}
        autoComplete={props.autoComplete ?? 'off'}
        placeholder={props.placeholder}
        required
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem ${id}-note`}
        onChange={(event) => props.onChange(typedText(event))}
        onBlur={props.onLeave}
      />
      <p id={`${id}-problem`} className={classes.problem}>
        {problem}
      </p>
      <p
        id={`${id}-note`}
        className={isGood ? classes.good : classes.hint}
        role={note === undefined ? undefined : 'status'}
      >
        {note ?? hint}
      </p>
    </div>
  )
}
