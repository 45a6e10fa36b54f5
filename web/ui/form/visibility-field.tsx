import { Radio } from '@mantine/core'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import { RadioColumns, RadioOption } from './choices.tsx'

type Scope = (typeof visibilityScopes.members)[keyof typeof visibilityScopes.members]

/** Whether something is visible to the organisation or to its author only; each slice has its own texts for it. */
export function VisibilityField(props: {
  label: string
  help?: string | undefined
  isRequired?: boolean
  options: readonly { scope: Scope; label: string; help: string }[]
  value: Scope
  onChange: (scope: Scope) => void
}) {
  const { options } = props
  return (
    <Radio.Group
      label={props.label}
      description={props.help}
      withAsterisk={props.isRequired ?? false}
      value={String(props.value)}
      onChange={(value) => {
        const chosen = options.find(({ scope }) => String(scope) === value)
        if (chosen) props.onChange(chosen.scope)
      }}
    >
      <RadioColumns>
        {options.map(({ scope, label, help }) => (
          <RadioOption key={scope} value={String(scope)} label={label} description={help} />
        ))}
      </RadioColumns>
    </Radio.Group>
  )
}
