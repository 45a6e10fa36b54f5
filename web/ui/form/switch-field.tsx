import { SwitchOption } from './choices.tsx'
import { useFormContext } from './form.tsx'

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
