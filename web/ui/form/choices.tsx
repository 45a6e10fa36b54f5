/** Radio buttons, checkboxes and switches with the outline and the help text of the product. */
import type { ReactNode } from 'react'
import { Checkbox, Radio, Switch, type CheckboxProps, type RadioProps, type SwitchProps } from '@mantine/core'
import classes from './choices.module.css'
import { useFormContext } from './form.tsx'

const control = classes['control'] ?? ''
const description = classes['help'] ?? ''

export function RadioOption(props: RadioProps) {
  return <Radio classNames={{ radio: control, description }} {...props} />
}

export function CheckboxOption(props: CheckboxProps) {
  return <Checkbox classNames={{ input: control, description }} {...props} />
}

export function SwitchOption(props: SwitchProps) {
  return <Switch classNames={{ track: control, description }} {...props} />
}

/** Radio buttons side by side as far as they fit; must be inside a Radio.Group. */
export function RadioColumns({ children }: { children: ReactNode }) {
  return <div className={classes.columns}>{children}</div>
}

/** Radio buttons as cards below each other; must be inside a Radio.Group. */
export function RadioCards({ children }: { children: ReactNode }) {
  return <div className={classes.cards}>{children}</div>
}

/** One of several choices; the whole card is its label. */
export function RadioCard(props: { value: string; isSelected: boolean; label: string; help?: string }) {
  return (
    <Radio
      className={classes.card}
      classNames={{ inner: classes.cardCircle ?? '', radio: control, description }}
      {...(props.isSelected && { 'data-selected': true })}
      value={props.value}
      label={props.label}
      description={props.help}
    />
  )
}

/** A yes-or-no field of a form, with an explanation. */
export function SwitchField(props: { name: string; label: string; help: string }) {
  const form = useFormContext()
  return (
    <SwitchOption
      size="md"
      name={props.name}
      label={props.label}
      description={props.help}
      checked={form.values[props.name] === true}
      onChange={(event) => form.set(props.name, event.currentTarget.checked)}
    />
  )
}
