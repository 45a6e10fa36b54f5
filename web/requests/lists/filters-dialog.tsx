/** The dialog with all filters of a list of requests; they are put into the address when applied. */
import { useId, useState, type FormEvent } from 'react'
import { Button, Group, Modal, NativeSelect, Select, TextInput } from '@mantine/core'
import { isTwelveDigits } from '@kelisim/domain/numbers.ts'
import { listOwners, signedStatuses, type RequestPath } from '@kelisim/domain/requests/list-contract.ts'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { Fields } from '../../ui/form/fields.tsx'
import { dateOf, formatDate, maskDate } from '../../ui/format/dates.ts'
import { useClassifierSearch } from '../shared/classifier-picker.tsx'
import type { Filters } from './list-filters.ts'
import classes from './lists.module.css'

export function FiltersDialog(props: {
  isOpen: boolean
  path: RequestPath
  filters: Filters
  onApply: (filters: Filters) => void
  onClose: () => void
}) {
  const { t } = useTexts('requests-lists')
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={t('requests.filters.title')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      size={560}
    >
      {/* Mounted again at each opening, with the filters of the address. */}
      <FiltersForm {...props} key={String(props.isOpen)} />
    </Modal>
  )
}

function FiltersForm(props: {
  path: RequestPath
  filters: Filters
  onApply: (filters: Filters) => void
  onClose: () => void
}) {
  const { t } = useTexts('requests-lists')
  const { role } = useWorkplace()
  const { filters } = props
  const [status, setStatus] = useState(filters.status ?? 0)
  const [signedStatus, setSignedStatus] = useState(filters.signedStatus ?? 0)
  const [ownScope, setOwnScope] = useState(filters.ownScope ?? listOwners.of('My'))
  const [author, setAuthor] = useState(filters.author ?? '')
  const [bin, setBin] = useState(filters.bin ?? '')
  const [classificatorId, setClassificatorId] = useState(filters.classificatorId ?? null)
  const [from, setFrom] = useState(filters.from ? formatDate(filters.from) : '')
  const [to, setTo] = useState(filters.to ? formatDate(filters.to) : '')
  const [isTold, setTold] = useState(false)
  const problems = problemsOf({ from, to, bin })

  function apply(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    setTold(true)
    const wrong = (['from', 'to', 'bin'] as const).find((name) => problems[name])
    if (wrong) return event.currentTarget.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus()
    const isOutgoing = props.path === 'outgoings'
    props.onApply({
      status: status || undefined,
      signedStatus: isOutgoing ? undefined : signedStatus || undefined,
      ownScope: isOutgoing && ownScope !== listOwners.of('My') ? ownScope : undefined,
      author: author.trim() || undefined,
      bin: bin || undefined,
      classificatorId: classificatorId ?? undefined,
      from: dateOf(from) ?? undefined,
      to: dateOf(to) ?? undefined,
    })
    props.onClose()
  }

  const told = (name: 'from' | 'to' | 'bin') => {
    const problem = problems[name]
    if (!isTold || !problem) return undefined
    return problem === 'twelveDigits' ? t('common:field.twelve-digits') : t(`requests.filters.${problem}`)
  }
  const day = (name: 'from' | 'to', value: string, set: (typed: string) => void) => (
    <TextInput
      name={name}
      label={t(`requests.filters.${name}`)}
      placeholder={t('requests.filters.date')}
      inputMode="numeric"
      autoComplete="off"
      value={value}
      error={told(name)}
      onBlur={() => value !== '' && setTold(true)}
      onChange={(event) => set(maskDate(event.currentTarget.value))}
    />
  )
  return (
    <form onSubmit={apply} noValidate>
      <Fields>
        <Statuses value={status} onChange={setStatus} />
        {props.path === 'incomings' && (
          <NativeSelect
            size="md"
            label={t('requests.filters.signedStatus')}
            value={signedStatus}
            onChange={(event) => setSignedStatus(Number(event.currentTarget.value))}
          >
            <option value={0}>{t('requests.filters.signed.all')}</option>
            {signedStatuses.names.map((name) => (
              <option key={name} value={signedStatuses.of(name)}>
                {t(`requests.filters.signed.${name}`)}
              </option>
            ))}
          </NativeSelect>
        )}
        {props.path === 'outgoings' && role === 'Owner' && (
          <NativeSelect
            size="md"
            label={t('requests.filters.owner')}
            value={ownScope}
            onChange={(event) => setOwnScope(Number(event.currentTarget.value))}
          >
            {listOwners.names.map((name) => (
              <option key={name} value={listOwners.of(name)}>
                {t(`requests.filters.owners.${name}`)}
              </option>
            ))}
            <option value={listOwners.all}>{t('requests.filters.owners.All')}</option>
          </NativeSelect>
        )}
        <div className={classes.pair}>
          {day('from', from, setFrom)}
          {day('to', to, setTo)}
        </div>
        <TextInput
          label={t('requests.filters.author')}
          maxLength={250}
          value={author}
          onChange={(event) => setAuthor(event.currentTarget.value.trimStart())}
        />
        <TextInput
          name="bin"
          label={t('requests.filters.bin')}
          inputMode="numeric"
          autoComplete="off"
          value={bin}
          error={told('bin')}
          onChange={(event) => setBin(event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 12))}
        />
        <Classifier value={classificatorId} onChange={setClassificatorId} />
      </Fields>
      <Group mt={24} justify="flex-end">
        <Button
          variant="default"
          onClick={() => {
            props.onApply({})
            props.onClose()
          }}
        >
          {t('requests.filters.reset')}
        </Button>
        <Button type="submit">{t('requests.filters.apply')}</Button>
      </Group>
    </form>
  )
}

type Wrong = 'wrongDate' | 'endBeforeStart' | 'twelveDigits'

function problemsOf({ from, to, bin }: { from: string; to: string; bin: string }) {
  const [start, end] = [dateOf(from), dateOf(to)]
  const isBackwards = start !== null && end !== null && end < start
  const found: Partial<Record<'from' | 'to' | 'bin', Wrong>> = {
    ...(from !== '' && start === null && { from: 'wrongDate' }),
    ...(isBackwards && { to: 'endBeforeStart' }),
    ...(to !== '' && end === null && { to: 'wrongDate' }),
    ...(bin !== '' && !isTwelveDigits(bin) && { bin: 'twelveDigits' }),
  }
  return found
}

function Statuses({ value, onChange }: { value: number; onChange: (mask: number) => void }) {
  const { t } = useTexts('requests-lists')
  const id = useId()
  return (
    <div role="group" aria-labelledby={id}>
      <span id={id} className={classes.label}>
        {t('requests.filters.status')}
      </span>
      <div className={classes.statuses}>
        {requestStatuses.names.map((name) => (
          <button
            key={name}
            type="button"
            className={classes.view}
            aria-pressed={requestStatuses.has(value, name)}
            onClick={() => onChange(value ^ requestStatuses.of(name))}
          >
            {t(`status.${name}`)}
          </button>
        ))}
      </div>
    </div>
  )
}

function Classifier({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { t } = useTexts('requests-lists')
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
      clearable
      data={data}
      filter={({ options, search }) =>
        // The name of the chosen one in the field is not a search.
        search === chosen?.label ? options : offer(options)
      }
      searchValue={typed}
      onSearchChange={setTyped}
      value={value}
      onChange={(id) => {
        keep()
        onChange(id)
      }}
    />
  )
}
