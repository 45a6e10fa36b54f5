/**
 * The filters of a list of requests in one row: each is a chip that opens its choices, shows what is chosen, and can be
 * taken away. A choice applies at once, because it is part of the address.
 */
import { useState, type ReactNode } from 'react'
import { Popover } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getClassifiersByIds } from '@kelisim/domain/classifiers/contract.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { listOwners, type RequestPath } from '@kelisim/domain/requests/list-contract.ts'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { journalsQuery } from '../../registers/queries.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { formatDate } from '../../ui/format/dates.ts'
import { ChevronDownIcon, CloseIcon } from '../../ui/look/icons.tsx'
import {
  AuthorForm,
  ClassifierForm,
  NumberForm,
  OwnersForm,
  PeriodForm,
  RegisteredForm,
  StatusesForm,
} from './filter-forms.tsx'
import { noFilters, type Filters } from './list-filters.ts'
import classes from './lists.module.css'

export function FilterChips(props: {
  path: RequestPath
  filters: Filters
  /** The filter that is shown as a view instead of a chip. */
  except: keyof Filters | null
  onChange: (next: Filters) => void
}) {
  const { t } = useTexts('requests-lists')
  const { role } = useWorkplace()
  const { path, filters, onChange } = props
  const words = useWords(filters, props.except)
  const shared = { filters, onChange }
  const worded = Object.values(words).filter((text) => text !== null).length
  const count = worded + (filters.isOverdue ? 1 : 0)
  return (
    <div role="group" aria-label={t('requests.filters.title')} className={classes.chips}>
      <Chip
        label={t('requests.filters.status')}
        words={words.status}
        onClear={() => onChange({ status: undefined })}
      >
        {() => <StatusesForm {...shared} />}
      </Chip>
      <OverdueChip isChosen={filters.isOverdue === true} onChange={onChange} />
      {path === 'outgoings' && role === 'Owner' && (
        <Chip
          label={t('requests.filters.owner')}
          words={words.owner}
          onClear={() => onChange({ ownScope: undefined })}
        >
          {() => <OwnersForm {...shared} />}
        </Chip>
      )}
      <Chip
        label={t('requests.filters.period')}
        words={words.period}
        onClear={() => onChange({ from: undefined, to: undefined })}
      >
        {(close) => <PeriodForm {...shared} onDone={close} />}
      </Chip>
      <Chip
        label={t('requests.filters.counterparty')}
        words={words.bin}
        onClear={() => onChange({ bin: undefined })}
      >
        {(close) => <NumberForm {...shared} onDone={close} />}
      </Chip>
      <Chip
        label={t('requests.filters.author')}
        words={words.author}
        onClear={() => onChange({ author: undefined })}
      >
        {(close) => <AuthorForm {...shared} onDone={close} />}
      </Chip>
      <Chip
        label={t('requests.filters.classificator')}
        words={words.classifier}
        onClear={() => onChange({ classificatorId: undefined })}
      >
        {(close) => <ClassifierForm {...shared} onDone={close} />}
      </Chip>
      <Chip
        label={t('requests.filters.registered')}
        words={words.registered}
        onClear={() => onChange({ number: undefined, journalId: undefined })}
      >
        {(close) => <RegisteredForm {...shared} onDone={close} />}
      </Chip>
      {count > 1 && (
        <button type="button" className={classes.reset} onClick={() => onChange(noFilters)}>
          {t('requests.filters.resetAll')}
        </button>
      )}
    </div>
  )
}

/** Has nothing to choose: it is pressed, or it is not. */
function OverdueChip(props: { isChosen: boolean; onChange: (next: Filters) => void }) {
  const { t } = useTexts('requests-lists')
  const { isChosen, onChange } = props
  return (
    <span className={classes.chip} {...(isChosen && { 'data-chosen': true })}>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={() => onChange({ isOverdue: isChosen ? undefined : true })}
      >
        {t('requests.filters.overdue')}
        {isChosen && <CloseIcon size={14} />}
      </button>
    </span>
  )
}

/** `words` says what is chosen; null: nothing is. */
function Chip(props: {
  label: string
  words: string | null
  onClear: () => void
  children: (close: () => void) => ReactNode
}) {
  const { t } = useTexts('requests-lists')
  const [isOpen, setOpen] = useState(false)
  const { label, words } = props
  return (
    <span className={classes.chip} {...(words !== null && { 'data-chosen': true })}>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="bottom-start"
        width={320}
        trapFocus
        returnFocus
        withRoles={false}
      >
        <Popover.Target>
          <button
            type="button"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {words ?? label}
            {words === null && <ChevronDownIcon size={10} />}
          </button>
        </Popover.Target>
        <Popover.Dropdown role="dialog" aria-label={label}>
          {props.children(() => setOpen(false))}
        </Popover.Dropdown>
      </Popover>
      {words !== null && (
        <button
          type="button"
          aria-label={t('requests.filters.remove', { filter: words })}
          onClick={props.onClear}
        >
          <CloseIcon size={14} />
        </button>
      )}
    </span>
  )
}

type Words = Record<
  'status' | 'owner' | 'period' | 'bin' | 'author' | 'classifier' | 'registered',
  string | null
>

function useWords(filters: Filters, except: keyof Filters | null): Words {
  const { t } = useTexts('requests-lists')
  const classifier = useClassifierName(filters.classificatorId)
  const journal = useJournalName(filters.journalId)
  const { status, ownScope, author, bin, from, to, number: wanted, journalId } = filters
  const said = <T,>(value: T | undefined, name: keyof Filters, words: (value: T) => string) =>
    value === undefined || name === except ? null : words(value)
  const since = from === undefined ? [] : [t('requests.filters.since', { date: formatDate(from) })]
  const until = to === undefined ? [] : [t('requests.filters.until', { date: formatDate(to) })]
  return {
    status: said(status, 'status', (mask) => {
      const names = requestStatuses.list(mask).map((name) => t(`status.${name}`))
      return t('requests.filters.statuses', { names: names.join(', ') })
    }),
    owner: said(ownScope, 'ownScope', (scope) => {
      const name = scope === listOwners.all ? 'All' : listOwners.list(scope)[0]!
      return t('requests.filters.ownerIs', { name: t(`requests.filters.owners.${name}`) })
    }),
    period: [...since, ...until].join(' ') || null,
    bin: said(bin, 'bin', (number) => t('requests.filters.binIs', { number: inGroups(number) })),
    author: said(author, 'author', (name) => t('requests.filters.authorIs', { name })),
    classifier: said(filters.classificatorId, 'classificatorId', () =>
      t('requests.filters.classificatorIs', { name: classifier }),
    ),
    registered:
      [
        wanted === undefined ? [] : [t('requests.filters.numberIs', { number: wanted })],
        journalId === undefined ? [] : [t('requests.filters.journalIs', { name: journal })],
      ]
        .flat()
        .join(', ') || null,
  }
}

function useJournalName(id: string | undefined): string {
  const { organization } = useWorkplace()
  const { data } = useQuery({ ...journalsQuery(organization.Id), enabled: id !== undefined })
  return data?.items.find((one) => one.id === id)?.name ?? '…'
}

function useClassifierName(id: string | undefined): string {
  const { organization } = useWorkplace()
  const { data } = useQuery({
    ...query(getClassifiersByIds, { organizationId: organization.Id, classificatorsId: id ?? '' }),
    enabled: id !== undefined,
  })
  return data?.items[0]?.name ?? '…'
}
