/** Chooses who is told when the term of a point is over, and whether they may answer there. */
import { useState } from 'react'
import { Checkbox, Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getGroups, getMembers } from '@kelisim/domain/portal/contract.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { fittingOptions } from '../../ui/form/searched-options.ts'
import type { EditorEscalation } from './use-escalation-text.ts'

const mostFound = 20

export function EscalationField(props: {
  value: EditorEscalation | null
  onChange: (escalation: EditorEscalation | null) => void
}) {
  const { t } = useTexts('routes')
  const { organization } = useWorkplace()
  const { value, onChange } = props
  const [typed, setTyped] = useState(value?.name ?? '')
  // The field shows the name of the chosen person or group: that text is not a search.
  const name = typed === value?.name ? '' : typed.trim()
  const asked = { organizationId: organization.Id, skip: 0, take: mostFound, ...(name && { name }) }
  const people = useQuery({ ...query(getMembers, asked), placeholderData: keepPreviousData })
  const groups = useQuery({ ...query(getGroups, asked), placeholderData: keepPreviousData })
  const found: EditorEscalation[] = [
    ...(people.data?.items ?? []).map(({ userId, fullName }) => option('person', userId, fullName)),
    ...(groups.data?.items ?? []).map((group) => option('group', group.id, group.name)),
  ]
  const isKept = value !== null && value.name !== null && !found.some(({ id }) => id === value.id)
  const all = isKept ? [value, ...found] : found
  const isSearching = [people, groups].some(({ data, isPlaceholderData }) => !data || isPlaceholderData)
  const ofKind = (kind: EditorEscalation['kind']) =>
    all.filter((one) => one.kind === kind).map((one) => ({ value: one.id, label: one.name ?? '' }))
  return (
    <>
      <Select
        size="md"
        mt={16}
        label={t('term.tell')}
        placeholder={t('term.nobody')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('term.nobody') }}
        nothingFoundMessage={isSearching ? t('common:loading') : t('term.notFound')}
        data={[
          { group: t('term.people'), items: ofKind('person') },
          { group: t('term.groups'), items: ofKind('group') },
        ]}
        filter={({ options }) => fittingOptions(options, name, isSearching)}
        searchValue={typed}
        onSearchChange={setTyped}
        value={value?.id ?? null}
        onChange={(id) => {
          const chosen = all.find((one) => one.id === id)
          onChange(chosen ? { ...chosen, mayAct: value?.mayAct ?? false } : null)
        }}
      />
      {value && (
        <Checkbox
          mt={16}
          label={t('term.mayAct')}
          description={t('term.mayActNote')}
          checked={value.mayAct}
          onChange={(event) => onChange({ ...value, mayAct: event.currentTarget.checked })}
        />
      )}
    </>
  )
}

function option(kind: EditorEscalation['kind'], id: string, name: string): EditorEscalation {
  return { kind, id, name, mayAct: false }
}
