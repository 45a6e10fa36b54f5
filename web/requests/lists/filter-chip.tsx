/** The button of one filter: shows the choice, or the name of the filter while nothing is chosen. */
import type { ComponentProps } from 'react'
import { ChevronDownIcon } from '../../ui/look/icons.tsx'
import type { Filters } from './list-filters.ts'

export type ChipName =
  | 'status'
  | 'owner'
  | 'period'
  | 'counterparty'
  | 'author'
  | 'classificator'
  | 'registered'

export type Chip = {
  name: ChipName
  label: string
  /** What is chosen; null: nothing is. */
  words: string | null
  filters: Filters
  onChange: (next: Filters) => void
}

type ButtonProps = Omit<ComponentProps<'button'>, keyof Chip>

export function ChipButton(props: Chip & ButtonProps) {
  const { name: _n, filters: _f, onChange: _o, label, words, ...rest } = props
  return (
    <button {...rest} type="button">
      {words ?? label}
      {words === null && <ChevronDownIcon size={10} />}
    </button>
  )
}
