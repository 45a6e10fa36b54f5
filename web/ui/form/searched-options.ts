/**
 * Lists whose options the server finds. While what was typed is being looked for, a list still holds what was found
 * before: of that, only what fits is offered, so that neither a key nor a click chooses what nobody meant.
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
