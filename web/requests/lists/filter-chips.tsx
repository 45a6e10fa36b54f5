/**
 * The filters of a list of requests in one row: each is a chip that opens its choices, shows what is chosen, and can
 * be taken away. A choice applies at once, because it is part of the address.
 */
import { useQuery } from '@tanstack/react-query'
import { getClassifiersByIds } from '@kelisim/domain/classifiers/contract.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { listOwners } from '@kelisim/domain/bits.ts'
import type { RequestPath } from '@kelisim/domain/requests/list-contract.ts'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { journalsQuery } from '../../registers/queries.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { lazyMenu } from '../../ui/browser/lazy-menu.tsx'
import { formatDate } from '../../ui/format/dates.ts'
import { CloseIcon } from '../../ui/look/icons.tsx'
import { ChipButton, type Chip, type ChipName } from './filter-chip.tsx'
import { noFilters, type Filters } from './list-filters.ts'
import classes from './lists.module.css'

const FilterChoices = lazyMenu(
  () => import('./filter-choices.tsx').then((m) => m.FilterChoices),
  ChipButton,
  'dialog',
)

/** The filter values that are cleared when a chip is taken away. */
const cleared: Record<ChipName, Filters> = {
  status: { status: undefined },
  owner: { ownScope: undefined },
  period: { from: undefined, to: undefined },
  counterparty: { bin: undefined },
  author: { author: undefined },
  classificator: { classificatorId: undefined },
  registered: { number: undefined, journalId: undefined },
}

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
  const worded = Object.values(words).filter((text) => text !== null).length
  const count = worded + (filters.isOverdue ? 1 : 0)
  const chipOf = (name: ChipName) => (
    <FilterChip
      name={name}
      label={t(`requests.filters.${name}`)}
      words={words[name]}
      filters={filters}
      onChange={onChange}
    />
  )
  return (
    <div role="group" aria-label={t('requests.filters.title')} className={classes.chips}>
      {chipOf('status')}
      <OverdueChip isChosen={filters.isOverdue === true} onChange={onChange} />
      {path === 'outgoings' && role === 'Owner' && chipOf('owner')}
      {chipOf('period')}
      {chipOf('counterparty')}
      {chipOf('author')}
      {chipOf('classificator')}
      {chipOf('registered')}
      {count > 1 && (
        <button type="button" className={classes.reset} onClick={() => onChange(noFilters)}>
          {t('requests.filters.resetAll')}
        </button>
      )}
    </div>
  )
}

/** A chip that opens no choices: it is either on or off. */
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

function FilterChip(chip: Chip) {
  const { t } = useTexts('requests-lists')
  const { name, words, onChange } = chip
  return (
    <span className={classes.chip} {...(words !== null && { 'data-chosen': true })}>
      <FilterChoices {...chip} />
      {words !== null && (
        <button
          type="button"
          aria-label={t('requests.filters.remove', { filter: words })}
          onClick={() => onChange(cleared[name])}
        >
          <CloseIcon size={14} />
        </button>
      )}
    </span>
  )
}

function useWords(filters: Filters, except: keyof Filters | null): Record<ChipName, string | null> {
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
    counterparty: said(bin, 'bin', (number) => t('requests.filters.binIs', { number: inGroups(number) })),
    author: said(author, 'author', (name) => t('requests.filters.authorIs', { name })),
    classificator: said(filters.classificatorId, 'classificatorId', () =>
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
