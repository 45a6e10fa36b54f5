/**
 * Several short texts as chips. Typed text that is not a chip yet counts too: without it the list might be empty,
 * which would mean "all".
 */
import { TagsInput } from '@mantine/core'
import { useFormContext, useProblemText } from './form.tsx'

export type Chips = {
  values: readonly string[]
  /** The text behind the chips that is not a chip yet. */
  typed: string
}

export const noChips: Chips = { values: [], typed: '' }

/** All texts that the field shows: the chips, and the typed text split at the separators. */
export function chipsIn({ values, typed }: Chips, separators: readonly string[]): string[] {
  const rest = separators.reduce(
    (texts, separator) => texts.flatMap((text) => text.split(separator)),
    [typed],
  )
  return [...values, ...rest.map((text) => text.trim()).filter((text) => text !== '')]
}

export function ChipsField(props: {
  /** The name of a value of the type Chips in the form. */
  name: string
  label: string
  help: string
  most: number
  separators: readonly string[]
  isNumeric?: boolean
}) {
  const form = useFormContext()
  const { values, typed } = form.values[props.name] as Chips
  return (
    <TagsInput
      size="md"
      data-field={props.name}
      inputMode={props.isNumeric ? 'numeric' : 'text'}
      label={props.label}
      description={props.help}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={useProblemText()(form.problems[props.name])}
      splitChars={[...props.separators]}
      maxTags={props.most}
      value={[...values]}
      onChange={(next) => form.set(props.name, { values: next, typed: '' })}
      searchValue={typed}
      onSearchChange={(text) => form.set(props.name, { values, typed: text })}
      onBlur={() => form.leave(props.name)}
    />
  )
}
