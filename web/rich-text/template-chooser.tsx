/** Chooses the template with which a document begins; asks first if text was already typed. */
import { useState } from 'react'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { fittingOptions } from '../ui/form/searched-options.ts'
import { Card } from '../ui/page/page.tsx'
import { templateChoicesQuery, templateQuery } from './queries.ts'

const delay = 250

export function TemplateChooser({ templateId }: { templateId: string | null }) {
  const { t } = useTexts('rich-text')
  const { organization } = useWorkplace()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { data: chosen } = useQuery({
    ...templateQuery(organization.Id, templateId ?? ''),
    enabled: templateId !== null,
  })
  const wanted = typed === chosen?.name ? '' : typed.trim()
  const [asked] = useDebouncedValue(wanted, delay)
  const { data, isPlaceholderData } = useQuery({
    ...templateChoicesQuery(organization.Id, asked),
    placeholderData: keepPreviousData,
  })
  const isSearching = data === undefined || isPlaceholderData || asked !== wanted
  const found = data?.items ?? []
  const offered = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found
  return (
    <Card>
      <Select
        size="md"
        label={t('write.template')}
        description={t('write.templateHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={t('write.templatePlaceholder')}
        nothingFoundMessage={isSearching ? t('common:loading') : t('write.templateNone')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('common:draft.clear') }}
        data={offered.map(({ id, name }) => ({ value: id, label: name }))}
        filter={({ options }) => fittingOptions(options, wanted, isSearching)}
        searchValue={typed}
        onSearchChange={setTyped}
        value={templateId}
        onChange={(id) =>
          void navigate(
            id === null
              ? { to: '/documents/write/{-$id}', params: { id: undefined } }
              : { to: '/documents/write/{-$id}', params: { id } },
          )
        }
      />
    </Card>
  )
}
