/** Chooses people of an organisation; the server searches, so that the field is fast in large organisations too. */
import { useState } from 'react'
import { MultiSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getMembers } from '@kelisim/domain/portal/contract.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { fittingOptions } from '../../ui/form/searched-options.ts'
import classes from '../shared/portal.module.css'

export type Person = { userId: string; fullName: string }

const mostFound = 20

export function PeopleField(props: {
  organizationId: string
  name: string
  label: string
  help: string
  /** The text that is shown when nobody is found. */
  none: string
  problem?: string | undefined
  known: readonly Person[]
  chosen: string[]
  onChange: (userIds: string[]) => void
}) {
  const { t } = useTexts()
  const [typed, setTyped] = useState('')
  const [named, setNamed] = useState<readonly Person[]>(props.known)
  const wanted = typed.trim()
  const { data, isPlaceholderData } = useQuery({
    ...query(getMembers, {
      organizationId: props.organizationId,
      skip: 0,
      take: mostFound,
      ...(wanted && { name: wanted }),
    }),
    placeholderData: keepPreviousData,
  })
  const isSearching = data === undefined || isPlaceholderData
  const found = data?.items ?? []
  // Chosen people keep their names when the search no longer finds them.
  const people = new Map([...named, ...found].map((person) => [person.userId, person.fullName]))
  const isFound = new Set(found.map((person) => person.userId))
  return (
    <MultiSelect
      size="md"
      name={props.name}
      classNames={{ input: classes.picker ?? '', inputField: classes.pickerField ?? '' }}
      label={props.label}
      description={props.help}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={props.problem}
      searchable
      hidePickedOptions
      nothingFoundMessage={isSearching ? t('loading') : props.none}
      data={[...people].map(([value, label]) => ({ value, label }))}
      filter={({ options }) =>
        fittingOptions(
          options.filter((option) => 'value' in option && isFound.has(option.value)),
          typed,
          isSearching,
        )
      }
      searchValue={typed}
      onSearchChange={setTyped}
      value={props.chosen}
      onChange={(chosen) => {
        setNamed([...people].map(([userId, fullName]) => ({ userId, fullName })))
        props.onChange(chosen)
      }}
    />
  )
}
