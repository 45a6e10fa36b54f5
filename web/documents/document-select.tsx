/** Chooses one of the documents that were uploaded earlier, by a part of its name. */
import { useState, type ReactNode } from 'react'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { fittingOptions } from '../ui/form/searched-options.ts'
import { documentChoicesQuery } from './queries.ts'
import type { DocumentView } from './shared/document-acts.ts'

const delay = 250

export function DocumentSelect(props: {
  label: string
  field?: string
  error?: ReactNode
  /** False: enough documents are chosen already. */
  isRequired?: boolean
  onChosen: (document: DocumentView) => void
}) {
  const { t } = useTexts('documents')
  const { organization } = useWorkplace()
  const [typed, setTyped] = useState('')
  const [name] = useDebouncedValue(typed.trim(), delay)
  const found = (path: 'my' | 'public') => ({
    ...documentChoicesQuery(organization.Id, path, name),
    placeholderData: keepPreviousData,
  })
  const [own, shared] = [useQuery(found('my')), useQuery(found('public'))]
  const isSearching = name !== typed.trim() || [own, shared].some((one) => !one.data || one.isPlaceholderData)
  const mine = own.data?.items ?? []
  const known = new Set(mine.map(({ id }) => id))
  const common = (shared.data?.items ?? []).filter(({ id }) => !known.has(id))
  const optionsOf = (documents: DocumentView[]) =>
    documents.map(({ id, name: label }) => ({ value: id, label }))
  return (
    <Select
      size="md"
      data-field={props.field}
      label={props.label}
      placeholder={t('choice.placeholder')}
      nothingFoundMessage={isSearching ? t('common:loading') : t('choice.none')}
      withAsterisk={props.isRequired ?? true}
      error={props.error}
      searchable
      data={[
        { group: t('choice.mine'), items: optionsOf(mine) },
        { group: t('choice.common'), items: optionsOf(common) },
      ]}
      filter={({ options }) => fittingOptions(options, typed, isSearching)}
      searchValue={typed}
      onSearchChange={setTyped}
      value={null}
      onChange={(id) => {
        const chosen = [...mine, ...common].find((document) => document.id === id)
        if (chosen) props.onChosen(chosen)
      }}
    />
  )
}
