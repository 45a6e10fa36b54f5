/** Finds classifiers by name; chosen classifiers keep their names when the search no longer finds them. */
import { useState } from 'react'
import type { ComboboxParsedItem } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getClassifiers, getClassifiersByIds } from '@kelisim/domain/classifiers/contract.ts'
import { query } from '../../api/api.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { fittingOptions } from '../../ui/form/searched-options.ts'

const mostFound = 20
const delay = 250

export function useClassifierSearch(chosen: readonly string[]) {
  const { organization } = useWorkplace()
  const organizationId = organization.Id
  const [typed, setTyped] = useState('')
  const [asked] = useDebouncedValue(typed.trim(), delay)
  const [known, setKnown] = useState<{ value: string; label: string }[]>([])
  const { data: found, isPlaceholderData } = useQuery({
    ...query(getClassifiers, {
      organizationId,
      skip: 0,
      take: mostFound,
      sort: 'name',
      ...(asked && { name: asked }),
    }),
    placeholderData: keepPreviousData,
  })
  const missing = chosen.filter((id) => !known.some(({ value }) => value === id))
  const { data: named } = useQuery({
    ...query(getClassifiersByIds, { organizationId, classificatorsId: missing.join(',') }),
    enabled: missing.length > 0,
  })
  const options = [...(found?.items ?? []), ...(named?.items ?? [])].map(({ classificatorId, name }) => ({
    value: classificatorId,
    label: name,
  }))
  const data = [...new Map([...known, ...options].map((option) => [option.value, option])).values()]
  const isSearching = found === undefined || isPlaceholderData || asked !== typed.trim()
  const isFound = (id: string) => found?.items.some(({ classificatorId }) => classificatorId === id) ?? false
  return {
    typed,
    setTyped,
    data,
    isSearching,
    /** The options that fit the typed text. */
    offer: (all: readonly ComboboxParsedItem[]) =>
      fittingOptions(
        all.filter((option) => 'value' in option && isFound(option.value)),
        typed,
        isSearching,
      ),
    /** To be called before the choice changes: remembers the names of the options. */
    keep: () => setKnown(data),
  }
}
