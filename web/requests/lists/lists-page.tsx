/**
 * Incoming and outgoing signing requests. This is the first page that people see, so parts that are not needed at
 * once are loaded later.
 */
import { lazy, Suspense, useState, type CSSProperties } from 'react'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { foundCountLimit } from '@kelisim/domain/fields.ts'
import {
  defaultRequestSort,
  requestPaths,
  signedStatuses,
  type RequestPath,
} from '@kelisim/domain/requests/list-contract.ts'
import {
  fullySignedStatuses,
  requestStatuses,
  withdrawableStatuses,
} from '@kelisim/domain/requests/status.ts'
import { loadTexts } from '../../i18n/language.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { useAddress } from '../../ui/browser/address.ts'
import { formatDate } from '../../ui/format/dates.ts'
import type { Column } from '../../ui/list/columns.tsx'
import { useListSearch } from '../../ui/list/list-search.ts'
import { List } from '../../ui/list/list.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageNotFound } from '../../ui/page/states.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.ts'
import { MountOnOpen } from '../../ui/dialogs/mount-on-open.tsx'
import { FilterChips } from './filter-chips.tsx'
import { filtersOf, isNarrowed, shownFilters, type Filters } from './list-filters.ts'
import classes from './lists.module.css'
import { requestsQuery, waitingCountQuery } from './queries.ts'
import { Overdue } from '../shared/overdue.tsx'
import { RequestStatusMark } from '../shared/request-status.tsx'
import { type Line, counted, awaitedInLine } from './list-line.ts'

const BulkBar = lazy(() => import('./bulk-acts.tsx').then((m) => ({ default: m.BulkBar })))
const Peek = lazy(async () => {
  const [{ Peek: peek }] = await Promise.all([import('./peek.tsx'), loadTexts('requests', 'documents')])
  return { default: peek }
})
const Nothing = lazy(() => import('./empty-list.tsx').then((m) => ({ default: m.NoRequests })))

export function RequestsPage() {
  const { route } = useAddress().params
  const path = requestPaths.find((one) => one === route?.toLowerCase())
  if (!path) return <PageNotFound />
  // The key resets the selection when another list is shown.
  return <Requests key={path} path={path} />
}

function Requests({ path }: { path: RequestPath }) {
  const { t } = useTexts('requests-lists')
  const { organization, role } = useWorkplace()
  const { search } = useAddress()
  const navigate = useNavigate()
  const position = useListSearch()
  const { data: waiting, isPending: isCounting } = useQuery(waitingCountQuery(organization.Id))
  const filters = shownFilters(filtersOf(search, path, role === 'Owner'), {
    path,
    search,
    waiting: waiting?.count ?? 0,
  })
  // The list waits for the count of waiting requests: otherwise all requests would flash up first.
  const isViewKnown = !isCounting || path === 'outgoings'
  const source = { ...requestsQuery(organization.Id, path, filters, position), enabled: isViewKnown }
  const change = (next: Filters) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...next, page: undefined }),
      replace: true,
    })
  const title = t(`requests.${path === 'incomings' ? 'incoming' : 'outgoing'}.title`)
  const selection = useSelection(source)
  const peek = useDialog<Line>()
  return (
    <Page title={title} action={path === 'incomings' && (waiting?.count ?? 0) > 1 && <QueueLink />}>
      <div className={classes.filters}>
        <Views path={path} filters={filters} onChange={change} />
        <FilterChips
          path={path}
          filters={filters}
          except={viewOf(path, filters) ? viewed[path] : null}
          onChange={change}
        />
      </div>
      <List
        id={`requests-${path}`}
        label={title}
        source={source}
        columns={useColumns(path)}
        rowKey={({ id }) => id}
        hasSearch
        searchLabel={t('requests.search')}
        defaultSort={defaultRequestSort}
        countedUpTo={foundCountLimit}
        isNarrowed={isNarrowed(filters)}
        linkOf={({ id }) => ({ to: '/signingRequests/$route/$id', params: { route: path, id } })}
        onPeek={peek.open}
        selection={{
          selected: selection.selected,
          onChange: selection.select,
          labelOf: (item) => t('requests.choose', { name: item.name }),
        }}
        empty={
          <Suspense>
            <Nothing path={path} />
          </Suspense>
        }
      />
      <MountOnOpen isOpen={peek.isOpen}>
        <Peek line={peek.subject!} path={path} isOpen={peek.isOpen} onClose={peek.close} />
      </MountOnOpen>
      <MountOnOpen isOpen={selection.lines.length > 0}>
        <BulkBar lines={selection.lines} onClear={() => selection.select([])} />
      </MountOnOpen>
    </Page>
  )
}

/** The link to the queue, which shows the waiting documents one after another. */
function QueueLink() {
  const { t } = useTexts('requests-lists')
  return (
    <Button variant="default" renderRoot={(rest) => <Link to="/signingRequests/queue" {...rest} />}>
      {t('queue.open')}
    </Button>
  )
}

/** Only rows that are shown count as selected, so that nothing is acted on unseen. */
function useSelection(source: ReturnType<typeof requestsQuery> & { enabled: boolean }) {
  const { data } = useQuery({ ...source, placeholderData: (before) => before })
  const [selected, select] = useState<string[]>([])
  const lines = data?.items.filter(({ id }) => selected.includes(id)) ?? []
  return { selected: lines.map(({ id }) => id), select, lines }
}

/**
 * The filter that the views of each list set, and below it the value of each view. An address without filters opens
 * the incoming list at the requests that wait, if there are any, so the view of all requests needs a value of its
 * own.
 */
const viewed = { incomings: 'signedStatus', outgoings: 'status' } as const
const views = {
  incomings: {
    waiting: signedStatuses.of('UnSigned'),
    all: signedStatuses.all,
    done: signedStatuses.of('Signed'),
  },
  outgoings: {
    all: undefined,
    inProgress: requestStatuses.of(...withdrawableStatuses),
    completed: requestStatuses.of(...fullySignedStatuses),
  },
} as const
type View = 'waiting' | 'all' | 'done' | 'inProgress' | 'completed'

function viewsOf(path: RequestPath): [View, number | undefined][] {
  return Object.entries(views[path]) as [View, number | undefined][]
}

/** Undefined: the chosen statuses match no view. */
function viewOf(path: RequestPath, filters: Filters): View | undefined {
  const mask = filters[viewed[path]]
  return mask === undefined ? 'all' : viewsOf(path).find(([, of]) => of === mask)?.[0]
}

function Views(props: { path: RequestPath; filters: Filters; onChange: (next: Filters) => void }) {
  const { t } = useTexts('requests-lists')
  const { organization } = useWorkplace()
  const { path, filters, onChange } = props
  const { data } = useQuery(waitingCountQuery(organization.Id))
  const count = data?.count ?? 0
  const shown = viewOf(path, filters)
  const labelOf = (view: View) =>
    view === 'waiting' && count > 0
      ? t('requests.views.waitingCount', { count: counted(count) })
      : t(`requests.views.${view}`)
  return (
    <div role="group" aria-label={t('requests.views.label')} className={classes.views}>
      {viewsOf(path).map(([view, mask]) => (
        <button
          key={view}
          type="button"
          className={classes.view}
          aria-pressed={view === shown}
          {...(view === 'waiting' && count > 0 && { 'data-asks': true })}
          onClick={() => onChange({ [viewed[path]]: mask })}
        >
          {labelOf(view)}
        </button>
      ))}
    </div>
  )
}

function useColumns(path: RequestPath): Column<Line>[] {
  const { t } = useTexts('requests-lists')
  const title = (
    key:
      | 'name'
      | 'number'
      | 'from'
      | 'to'
      | 'route'
      | 'status'
      | 'date'
      | 'tags'
      | 'author'
      | 'created'
      | 'arrived'
      | 'changed',
  ) => t(`requests.columns.${key}`)
  const from: Column<Line> = {
    key: 'from',
    title: title('from'),
    width: '24%',
    isClipped: true,
    card: 'fact',
    cell: ({ organization, author }) => <Lines first={organization.shortName} second={author.fullName} />,
  }
  const to: Column<Line> = {
    key: 'to',
    title: title('to'),
    width: '24%',
    isClipped: true,
    card: 'fact',
    cell: ({ counterparty }) =>
      counterparty ? (
        <Lines
          first={counterparty.name || counterparty.bin}
          second={counterparty.others > 0 ? t('requests.others', { count: counterparty.others }) : ''}
        />
      ) : (
        <span className={classes.quiet}>{t('requests.inside')}</span>
      ),
  }
  const author: Column<Line> = {
    key: 'author',
    title: title('author'),
    isHiddenAtFirst: true,
    cell: (line) => line.author.fullName,
  }
  return [
    {
      key: 'name',
      title: title('name'),
      isFixed: true,
      isSortable: true,
      width: '38%',
      isClipped: true,
      card: 'title',
      cell: ({ name, description, ownNumber, registration, package: sentIn }) => {
        const number = ownNumber ?? registration?.number
        const numbered = number === undefined ? '' : t('requests.numbered', { number })
        const inPackage = sentIn === null ? '' : t('requests.inPackage', { name: sentIn.name })
        return <Lines first={name} second={[numbered, inPackage, description].filter(Boolean).join(' · ')} />
      },
    },
    {
      key: 'number',
      title: title('number'),
      isHiddenAtFirst: true,
      width: 160,
      cell: ({ ownNumber, registration }) => ownNumber ?? registration?.number ?? '',
    },
    ...(path === 'incomings' ? [from] : [to, author]),
    {
      key: 'route',
      title: title('route'),
      width: 96,
      card: 'progress',
      isSpare: true,
      cell: (line) => <Progress line={line} />,
    },
    {
      key: 'status',
      title: title('status'),
      width: 208,
      card: 'status',
      cell: (line) => (
        <span className={classes.status}>
          <RequestStatusMark status={line.status} awaited={awaitedInLine(line)} />
          <Overdue dueOn={line.dueOn} />
          {line.actsInsteadOf && <small>{t('requests.instead', { name: line.actsInsteadOf })}</small>}
        </span>
      ),
    },
    {
      key: 'date',
      title: title('date'),
      isHiddenAtFirst: true,
      width: 116,
      cell: ({ signingDate }) => formatDate(signingDate),
    },
    {
      key: 'created',
      title: title(path === 'incomings' ? 'arrived' : 'created'),
      isSortable: true,
      width: 132,
      card: 'date',
      cell: ({ arrivedAt, createdAt, signingDate }) => {
        const [came, dated] = [formatDate(arrivedAt ?? createdAt), formatDate(signingDate)]
        return <Lines first={came} second={dated === came ? '' : t('requests.dated', { date: dated })} />
      },
    },
    {
      key: 'changed',
      title: title('changed'),
      isHiddenAtFirst: true,
      width: 116,
      cell: ({ changedAt }) => formatDate(changedAt),
    },
    {
      key: 'tags',
      title: title('tags'),
      isHiddenAtFirst: true,
      cell: ({ classificators }) => classificators.map((one) => one.name).join(', '),
    },
  ]
}

function Lines({ first, second }: { first: string; second: string }) {
  return (
    <span className={classes.lines}>
      <span className={classes.first}>{first}</span>
      {second && <small>{second}</small>}
    </span>
  )
}

function Progress({ line: { progress, status } }: { line: Line }) {
  const { t } = useTexts('requests-lists')
  const { done, total } = progress
  const isBad = requestStatuses.has(status, 'Rejected')
  return (
    <span className={classes.progress} data-tone={isBad ? 'bad' : done === total ? 'ok' : 'prim'}>
      {t('requests.progress', { done, total })}
      <i style={{ '--part': total === 0 ? 0 : done / total } as CSSProperties} />
    </span>
  )
}
