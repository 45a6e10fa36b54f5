/** The member in whose name a program acts: found by typing, among the people of the organisation. */
import { useState } from 'react'
import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import { useFormContext, useProblemText } from '../ui/form/form.tsx'
import { fittingOptions } from '../ui/form/searched-options.ts'
import { membersNamed } from './queries.ts'

const mostFound = 20

export function MemberField({ help }: { help: string }) {
  const { t } = useTexts('integration')
  const { organization, session } = usePortalOrganization()
  const form = useFormContext()
  const problem = useProblemText()(form.problems['actsAs'])
  const { UserId: myId, FullName: myName } = session.profile
  const value = String(form.values['actsAs'])
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(value === myId ? myName : '')
  const wanted = typed === chosen ? '' : typed.trim()
  const { data, isPlaceholderData } = useQuery({
    ...membersNamed(organization.Id, wanted, mostFound),
    placeholderData: keepPreviousData,
  })
  const offered = new Map(data?.items.map(({ userId, fullName }) => [userId, fullName]))
  if (value !== '' && chosen !== '') offered.set(value, chosen)
  return (
    <Select
      size="md"
      data-field="actsAs"
      label={t('member')}
      description={help}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={problem}
      required
      searchable
      nothingFoundMessage={t('nobodyFound')}
      data={[...offered].map(([id, label]) => ({ value: id, label }))}
      filter={({ options }) => fittingOptions(options, wanted, isPlaceholderData)}
      searchValue={typed}
      onSearchChange={setTyped}
      value={value || null}
      onChange={(id) => {
        setChosen(id === null ? '' : (offered.get(id) ?? ''))
        form.set('actsAs', id ?? '')
      }}
    />
  )
}
