/**
 * The component of every list: a table that becomes cards on a phone, with search and paging kept in the address, so
 * that a link opens the same list. A loading list keeps its shape, an empty one says how to begin, a failed one what
 * to do.
 */
import type { ReactNode } from 'react'
import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { countLimit } from '@kelisim/domain/fields.ts'
import type { ApiError } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { lazyMenu } from '../browser/lazy-menu.tsx'
import { LostPicture } from '../look/pictures.tsx'
import { LoadFailed } from '../page/load-failed.tsx'
import { State } from '../page/states.tsx'
import { ColumnsButton } from './columns-button.tsx'
import { SortableHead, sortingOf, useDensity, useHiddenColumns, type Column } from './columns.tsx'
import { useListSearch } from './list-search.ts'
import classes from './list.module.css'
import { Paging, useCount } from './paging.tsx'
import { LoadingRows, Row, type RowLink } from './rows.tsx'
import { SearchField } from './search-field.tsx'
import { SelectAll, type Selection } from './selection.tsx'

const ColumnsMenu = lazyMenu(() => import('./columns-menu.tsx').then((m) => m.ColumnsMenu), ColumnsButton)

type ListProps<T> = {
  /** The key in local storage under which the hidden columns are remembered. */
  id: string
  label: string
  columns: Column<T>[]
  rowKey: (item: T) => string
  empty: ReactNode
  linkOf?: (item: T) => RowLink
  onPeek?: (item: T) => void
  actions?: (item: T) => ReactNode
  hasSearch?: boolean
  searchLabel?: string
  /** The server counts rows up to this number; beyond it the list says "more than". */
  countedUpTo?: number
  /** The sorting when the address names none. */
  defaultSort?: string
  /** The list is filtered by more than the name, so an empty one says that nothing was found. */
  isNarrowed?: boolean
  selection?: Selection<T>
}

type Source<T> = UseQueryOptions<{ items: T[]; totalCount: number }, ApiError>

export function List<T>(props: ListProps<T> & { source: Source<T> }) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...props.source,
    placeholderData: (before) => before,
  })
  const { t } = useTexts()
  // Without a connection, which the page reports elsewhere, the loaded rows stay readable.
  if (error && !(data && error.alias === 'connection-lost')) {
    return <LoadFailed error={error} title={t('list.failed')} onRetry={() => void refetch()} />
  }
  return (
    <ListOf {...props} items={data?.items} totalCount={data?.totalCount ?? 0} isStale={isPlaceholderData} />
  )
}

/** A list of given rows; undefined while they are loading. */
export function ListOf<T>(
  props: ListProps<T> & { items: T[] | undefined; totalCount: number; isStale?: boolean },
) {
  const { items, totalCount, columns, id } = props
  const { t } = useTexts()
  const search = useListSearch()
  const countOf = useCount()
  const [hidden, setHidden] = useHiddenColumns(id, columns)
  const [isDense, setDense] = useDensity()
  const shown = columns.filter((column) => column.isFixed || !hidden.includes(column.key))
  const isEmpty = items !== undefined && items.length === 0
  const isNarrowed = search.name !== '' || (props.isNarrowed ?? false)
  const { selection } = props
  return (
    <div
      className={classes.list}
      aria-busy={items === undefined || props.isStale}
      {...(columns.some(({ card }) => card) && { 'data-cards': true })}
    >
      <div className={isEmpty && !isNarrowed ? classes.noTools : classes.tools}>
        {props.hasSearch && (
          <SearchField
            label={props.searchLabel ?? t('list.search')}
            value={search.name}
            onChange={(name) => search.change({ name: name || undefined, page: undefined })}
          />
        )}
        {items !== undefined && (
          <span className={classes.total} role="status">
            {t('list.total', { count: countOf(totalCount, props.countedUpTo ?? countLimit) })}
          </span>
        )}
        {columns.length > 2 && (
          <span className={classes.columns}>
            <ColumnsMenu
              columns={columns.filter((column) => !column.isFixed)}
              hidden={hidden}
              onChange={setHidden}
              isDense={isDense}
              onDense={setDense}
            />
          </span>
        )}
      </div>
      <div className={classes.paper}>
        <table className={classes.table} aria-label={props.label} {...(isDense && { 'data-dense': true })}>
          <thead>
            <tr>
              {selection && (
                <th scope="col" className={classes.selection}>
                  <SelectAll items={items ?? []} rowKey={props.rowKey} selection={selection} />
                </th>
              )}
              {shown.map((column) =>
                column.isSortable ? (
                  <SortableHead
                    key={column.key}
                    column={column}
                    sorting={sortingOf(search.sort ?? props.defaultSort ?? '')}
                    onSort={(sort) => search.change({ sort, page: undefined })}
                  />
                ) : (
                  <th
                    key={column.key}
                    scope="col"
                    style={{ width: column.width }}
                    {...(column.isSpare && { 'data-spare': true })}
                  >
                    {column.title}
                  </th>
                ),
              )}
              {props.actions && (
                <th scope="col">
                  <span className="only-heard">{t('actions.details')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {items === undefined ? (
              <LoadingRows count={5} columns={shown.length + (props.actions ? 1 : 0) + (selection ? 1 : 0)} />
            ) : (
              items.map((item) => <Row key={props.rowKey(item)} item={item} {...props} columns={shown} />)
            )}
          </tbody>
        </table>
        {isEmpty &&
          (!isNarrowed ? (
            props.empty
          ) : (
            <State
              picture={<LostPicture />}
              title={t('list.nothingFound')}
              text={t('list.nothingFoundText')}
            />
          ))}
      </div>
      {totalCount > 0 && <Paging totalCount={totalCount} countedUpTo={props.countedUpTo ?? countLimit} />}
    </div>
  )
}
