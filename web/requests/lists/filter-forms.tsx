/** What can be chosen under each chip of the filters. */
import { useState, type FormEvent, type ReactNode } from 'react'
import { Button, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { day } from '@kelisim/domain/durations.ts'
import { isTwelveDigits, typedNumber } from '@kelisim/domain/numbers.ts'
import { listOwners } from '@kelisim/domain/bits.ts'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { journalsQuery } from '../../registers/queries.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { CheckboxOption, RadioOption } from '../../ui/form/choices.tsx'
import { DateInput } from '../../ui/form/date-input.tsx'
import { Fields } from '../../ui/form/fields.tsx'
import { typedText } from '../../ui/form/typed-text.ts'
import { dateOf, formatDate } from '../../ui/format/dates.ts'
import { useClassifierSearch } from '../shared/classifier-picker.tsx'
import { RequestStatusMark } from '../shared/request-status.tsx'
import type { Filters } from './list-filters.ts'
import classes from './lists.module.css'

export type FormProps = {
  filters: Filters
  onChange: (next: Filters) => void
  /** Called when the choice is complete and the popover should close. */
  onDone: () => void
}

export function StatusesForm({ filters, onChange }: Omit<FormProps, 'onDone'>) {
  const { t } = useTexts('requests-lists')
  const mask = filters.status ?? 0
  return (
    <div role="group" aria-label={t('requests.filters.status')} className={classes.statuses}>
      {requestStatuses.names.map((name) => (
        <CheckboxOption
          key={name}
          label={<RequestStatusMark status={requestStatuses.of(name)} />}
          checked={requestStatuses.has(mask, name)}
          onChange={() => onChange({ status: mask ^ requestStatuses.of(name) || undefined })}
        />
      ))}
    </div>
  )
}

export function OwnersForm({ filters, onChange }: Omit<FormProps, 'onDone'>) {
  const { t } = useTexts('requests-lists')
  const own = listOwners.of('My')
  const choices = [
    ...listOwners.names.map((name) => [name, listOwners.of(name)] as const),
    ['All', listOwners.all] as const,
  ]
  return (
    <Radio.Group
      aria-label={t('requests.filters.owner')}
      value={String(filters.ownScope ?? own)}
      onChange={(value) => onChange({ ownScope: Number(value) === own ? undefined : Number(value) })}
    >
      <Stack gap={10}>
        {choices.map(([name, scope]) => (
          <RadioOption key={name} value={String(scope)} label={t(`requests.filters.owners.${name}`)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

/** For each period, how many days before today it begins. */
const periods = { today: 0, week: 6, month: 29, year: 364 } as const

export function PeriodForm({ filters, onChange, onDone }: FormProps) {
  const { t } = useTexts('requests-lists')
  const [from, setFrom] = useState(filters.from ? formatDate(filters.from) : '')
  const [to, setTo] = useState(filters.to ? formatDate(filters.to) : '')
  const [isTried, setTried] = useState(false)
  const [start, end] = [dateOf(from), dateOf(to)]
  const problems = {
    from: from !== '' && start === null && t('requests.filters.wrongDate'),
    to:
      (to !== '' && end === null && t('requests.filters.wrongDate')) ||
      (start !== null && end !== null && end < start && t('requests.filters.endBeforeStart')),
  }
  function apply(): boolean {
    setTried(true)
    if (problems.from || problems.to) return false
    onChange({ from: start ?? undefined, to: end ?? undefined })
    return true
  }
  return (
    <ChipForm onApply={apply} onDone={onDone}>
      <div className={classes.periods}>
        {Object.entries(periods).map(([name, days]) => (
          <button
            key={name}
            type="button"
            className={classes.view}
            onClick={() => {
              const today = new Date()
              onChange({
                from: dateInAlmaty(new Date(today.getTime() - days * day)),
                to: dateInAlmaty(today),
              })
              onDone()
            }}
          >
            {t(`requests.filters.periods.${name as keyof typeof periods}`)}
          </button>
        ))}
      </div>
      <DateInput
        label={t('requests.filters.from')}
        value={from}
        error={isTried && problems.from}
        onChange={setFrom}
      />
      <DateInput
        label={t('requests.filters.to')}
        value={to}
        error={isTried && problems.to}
        onChange={setTo}
      />
    </ChipForm>
  )
}

export function NumberForm({ filters, onChange, onDone }: FormProps) {
  const { t } = useTexts('requests-lists')
  const [bin, setBin] = useState(filters.bin ?? '')
  const [isTried, setTried] = useState(false)
  const isWrong = bin !== '' && !isTwelveDigits(bin)
  function apply(): boolean {
    setTried(true)
    if (!isWrong) onChange({ bin: bin || undefined })
    return !isWrong
  }
  return (
    <ChipForm onApply={apply} onDone={onDone}>
      <TextInput
        label={t('requests.filters.bin')}
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        value={bin}
        error={isTried && isWrong && t('common:field.twelve-digits')}
        onChange={(event) => setBin(typedNumber(event.currentTarget.value))}
      />
    </ChipForm>
  )
}

export function AuthorForm({ filters, onChange, onDone }: FormProps) {
  const { t } = useTexts('requests-lists')
  const [author, setAuthor] = useState(filters.author ?? '')
  function apply(): boolean {
    onChange({ author: author.trim() || undefined })
    return true
  }
  return (
    <ChipForm onApply={apply} onDone={onDone}>
      <TextInput
        label={t('requests.filters.author')}
        maxLength={250}
        data-autofocus
        value={author}
        onChange={(event) => setAuthor(typedText(event))}
      />
    </ChipForm>
  )
}

export function ClassifierForm({ filters, onChange, onDone }: FormProps) {
  const { t } = useTexts('requests-lists')
  const value = filters.classificatorId ?? null
  const { typed, setTyped, data, keep, isSearching, offer } = useClassifierSearch(
    value === null ? [] : [value],
  )
  const chosen = data.find((option) => option.value === value)
  return (
    <Select
      label={t('requests.filters.classificator')}
      placeholder={t('requests.filters.anyClassificator')}
      nothingFoundMessage={isSearching ? t('common:loading') : t('requests.filters.noClassificators')}
      searchable
      data-autofocus
      comboboxProps={{ withinPortal: false }}
      data={data}
      filter={({ options, search }) =>
        // The field shows the name of the chosen option: that text is not a search.
        search === chosen?.label ? options : offer(options)
      }
      searchValue={typed}
      onSearchChange={setTyped}
      value={value}
      onChange={(id) => {
        keep()
        onChange({ classificatorId: id ?? undefined })
        onDone()
      }}
    />
  )
}

/** The journal of the organisation, and the registration number or its beginning. */
export function RegisteredForm({ filters, onChange, onDone }: FormProps) {
  const { t } = useTexts('requests-lists')
  const { organization } = useWorkplace()
  const { data } = useQuery(journalsQuery(organization.Id))
  const [number, setNumber] = useState(filters.number ?? '')
  const [journalId, setJournalId] = useState(filters.journalId ?? null)
  function apply(): boolean {
    onChange({ number: number.trim() || undefined, journalId: journalId ?? undefined })
    return true
  }
  return (
    <ChipForm onApply={apply} onDone={onDone}>
      <TextInput
        label={t('requests.filters.number')}
        maxLength={60}
        autoComplete="off"
        data-autofocus
        value={number}
        onChange={(event) => setNumber(typedText(event))}
      />
      <Select
        label={t('requests.filters.journal')}
        placeholder={t('requests.filters.anyJournal')}
        clearable
        comboboxProps={{ withinPortal: false }}
        data={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={journalId}
        onChange={setJournalId}
      />
    </ChipForm>
  )
}

/** `onApply` returns whether the typed values could be applied. */
function ChipForm(props: { onApply: () => boolean; onDone: () => void; children: ReactNode }) {
  const { t } = useTexts('requests-lists')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (props.onApply()) props.onDone()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Fields>{props.children}</Fields>
      <Button type="submit" fullWidth mt={16}>
        {t('requests.filters.apply')}
      </Button>
    </form>
  )
}
