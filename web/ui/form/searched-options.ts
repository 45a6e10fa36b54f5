/**
 * Options that the server searches for. Until its response arrives, the list still has the previous results: only
 * those that fit the typed text are offered, so that nobody chooses a wrong one by accident.
 */
import type { ComboboxItem, ComboboxParsedItem } from '@mantine/core'

export function fittingOptions(
  options: readonly ComboboxParsedItem[],
  typed: string,
  isSearching: boolean,
): ComboboxParsedItem[] {
  const wanted = folded(typed)
  if (!isSearching || wanted === '') return [...options]
  const fits = ({ label }: ComboboxItem) => folded(label).includes(wanted)
  return options.flatMap((option): ComboboxParsedItem[] => {
    if ('group' in option) return [{ ...option, items: option.items.filter(fits) }]
    return fits(option) ? [option] : []
  })
}

function folded(text: string): string {
  return text.trim().toLocaleLowerCase('kk')
}
