/** Chooses the kind of a document when it is sent, and says which number it will get. */
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { useFormContext, useProblemText } from '../ui/form/form.tsx'
import { kindsQuery } from './queries.ts'

/** Shown where the organisation has kinds; the form holds `kindId`, empty for none. */
export function KindField() {
  const { t } = useTexts('registers')
  const { organization } = useWorkplace()
  const form = useFormContext()
  const problem = useProblemText()(form.problems['kindId'])
  const { data } = useQuery(kindsQuery(organization.Id))
  const offered = data?.items.filter(({ isActive }) => isActive) ?? []
  if (offered.length === 0) return null
  const value = form.values['kindId'] as string
  const chosen = offered.find(({ id }) => id === value)
  const { journal = null, registersAtSending = false } = chosen ?? {}
  const isClosed = registersAtSending && journal?.isActive === false
  const help = journal
    ? t(isClosed ? 'sending.closed' : registersAtSending ? 'sending.numberAtSending' : 'sending.byHand', {
        journal: journal.name,
      })
    : t('sending.kindHelp')
  return (
    <Select
      size="md"
      data-field="kindId"
      label={t('sending.kind')}
      description={help}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={problem}
      searchable
      clearable
      data={offered.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen ? value : null}
      onChange={(id) => form.set('kindId', id ?? '')}
    />
  )
}
