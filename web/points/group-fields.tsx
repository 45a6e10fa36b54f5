/** The group that acts at a point, and its members who are addressed first. */
import { useState } from 'react'
import { MultiSelect, Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getGroups } from '@kelisim/domain/portal/contract.ts'
import { query } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { useFormContext, useProblemText } from '../ui/form/form.tsx'
import { fittingOptions } from '../ui/form/searched-options.ts'
import classes from './points.module.css'

export type KnownGroup = {
  id: string
  name: string
  participants: { userId: string; fullName: string }[]
}

const mostFound = 20

export function GroupFields({ known }: { known: readonly KnownGroup[] }) {
  const { t } = useTexts('points')
  const { organization } = useWorkplace()
  const form = useFormContext()
  const problemText = useProblemText()
  const chosen = String(form.values['groupId'])
  const [typed, setTyped] = useState('')
  const [kept, setKept] = useState(known)
  const groupsNamed = (name: string) =>
    query(getGroups, { organizationId: organization.Id, skip: 0, take: mostFound, ...(name && { name }) })
  const { data, isPlaceholderData } = useQuery({
    ...groupsNamed(typed.trim()),
    placeholderData: keepPreviousData,
  })
  const isSearching = data === undefined || isPlaceholderData
  const found = data?.items ?? []
  // A chosen group keeps its name when the search no longer finds it.
  const groups = new Map([...kept, ...found].map((group) => [group.id, group]))
  const isFound = new Set(found.map(({ id }) => id))
  const group = groups.get(chosen)
  const names = group?.participants.map(({ fullName }) => fullName) ?? []
  return (
    <>
      <Select
        size="md"
        data-field="groupId"
        label={t('form.group')}
        description={
          group
            ? t('form.groupPeople', { count: names.length, names: names.join(', ') })
            : t('form.makeGroup')
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        withAsterisk
        error={problemText(form.problems['groupId'])}
        searchable
        nothingFoundMessage={isSearching ? t('common:loading') : t('form.noGroups')}
        data={[...groups.values()].map(({ id, name }) => ({ value: id, label: name }))}
        filter={({ options, search }) =>
          // The field shows the name of the chosen group: that text is not a search.
          search === group?.name
            ? options
            : fittingOptions(
                options.filter((option) => 'value' in option && isFound.has(option.value)),
                search,
                isSearching,
              )
        }
        searchValue={typed}
        onSearchChange={setTyped}
        value={chosen || null}
        onChange={(id) => {
          setKept([...groups.values()])
          form.change({ groupId: id ?? '', responsiblePersons: [] })
        }}
        onBlur={() => form.leave('groupId')}
      />
      <MultiSelect
        size="md"
        data-field="responsiblePersons"
        classNames={{ input: classes.picker ?? '', inputField: classes.pickerField ?? '' }}
        label={t('form.responsible')}
        description={t('form.responsibleHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={problemText(form.problems['responsiblePersons'])}
        disabled={!group}
        searchable
        hidePickedOptions
        nothingFoundMessage={t('form.nobody')}
        data={group?.participants.map(({ userId, fullName }) => ({ value: userId, label: fullName })) ?? []}
        value={form.values['responsiblePersons'] as string[]}
        onChange={(responsiblePersons) => form.set('responsiblePersons', responsiblePersons)}
      />
    </>
  )
}
