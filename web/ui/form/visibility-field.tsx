import { Radio } from '@mantine/core'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import { RadioCard, RadioColumns } from './choices.tsx'

type Scope = (typeof visibilityScopes.members)[keyof typeof visibilityScopes.members]

/**
 * Chooses whether something is visible to the organisation or only to its author; each slice passes its own texts.
 */
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
          <RadioCard
            key={scope}
            value={String(scope)}
            isSelected={scope === props.value}
            label={label}
            help={help}
          />
        ))}
      </RadioColumns>
    </Radio.Group>
  )
}
