/** A field of a form that chooses one of many things, which the server searches for by the typed text. */
import { useState } from 'react'
import { Select } from '@mantine/core'
import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import type { ApiError } from '../../api/api.ts'
import { useFormContext, useProblemText } from './form.tsx'
import { fittingOptions } from './searched-options.ts'

const mostFound = 20

export function SearchedSelect<T>(props: {
  /** The name of a value of the form: the id of the chosen thing, or an empty text. */
  name: string
  label: string
  help: string
  nothingFound: string
  /** The query for the first `take` things that fit the typed text. */
  search: (typed: string, take: number) => UseQueryOptions<{ items: T[]; totalCount: number }, ApiError>
  optionsOf: (found: readonly T[]) => readonly (readonly [id: string, label: string])[]
  /** The label of the value with which the form starts, if there is one. */
  labelAtFirst?: string
}) {
  const form = useFormContext()
  const problem = useProblemText()(form.problems[props.name])
  const value = String(form.values[props.name])
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(props.labelAtFirst ?? '')
  const wanted = typed === chosen ? '' : typed.trim()
  const { data, isPlaceholderData } = useQuery({
    ...props.search(wanted, mostFound),
    placeholderData: keepPreviousData,
  })
  const offered = new Map(props.optionsOf(data?.items ?? []))
  if (value !== '' && chosen !== '') offered.set(value, chosen)
  return (
    <Select
      size="md"
      data-field={props.name}
      label={props.label}
      description={props.help}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={problem}
      required
      searchable
      nothingFoundMessage={props.nothingFound}
      data={[...offered].map(([id, label]) => ({ value: id, label }))}
      filter={({ options }) => fittingOptions(options, wanted, isPlaceholderData)}
      searchValue={typed}
      onSearchChange={setTyped}
      value={value || null}
      onChange={(id) => {
        setChosen(id === null ? '' : (offered.get(id) ?? ''))
        form.set(props.name, id ?? '')
      }}
    />
  )
}
