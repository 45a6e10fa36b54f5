/**
 * Every list of the product: a table that becomes cards on a phone, with search and paging kept in the address, so
 * that a list is a link. Loading keeps the shape, empty says how to begin, failed says what to do.
 */
import { useEffect, useState, type ReactNode } from 'react'
import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../../i18n/use-texts.ts'
import { countLimit, defaultPageSize, pageSizes } from '@kelisim/domain/fields.ts'
import type { ApiError } from '../../api/api.ts'
import { ArrowDownIcon, ArrowUpIcon, ChevronLeftIcon, ChevronRightIcon, SearchIcon } from '../look/icons.tsx'
import { ColumnsButton } from './columns-button.tsx'
import { later } from '../browser/later.tsx'
import classes from './list.module.css'
import { AfterDelay } from '../page/loading.tsx'
import { FailurePicture, LostPicture } from '../look/pictures.tsx'
import { State } from '../page/states.tsx'
import { useAddress } from '../browser/address.ts'

export type Column<T> = {
  key: string
  title: string
  cell: (item: T) => ReactNode
  width?: number | string
  /** The first column names the row and cannot be hidden. */
  isFixed?: boolean
  /** The list can be sorted by it: the server knows it by the column's key. */
  isSortable?: boolean
  /** There for those who ask for it. */
  isHiddenAtFirst?: boolean
}

/** Several rows chosen at once, to do something with all of them. */
export type Choice<T> = {
  /** Keys of rows. */
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  /** Says aloud which row is chosen. */
  labelOf: (item: T) => string
}

/** undefined: not in the address any more. */
export type ListSearch = {
  page?: number | undefined
  take?: number | undefined
  name?: string | undefined
  sort?: string | undefined
}

const ColumnsMenu = later(() => import('./columns-menu.tsx').then((m) => m.ColumnsMenu), ColumnsButton)

/** Where in the list we are, from the address. */
export function useListSearch() {
  const { search } = useAddress()
  const navigate = useNavigate()
  const take = search.take ?? defaultPageSize
  const page = search.page ?? 1
  return {
    page,
    take,
    skip: (page - 1) * take,
    name: search.name ?? '',
    sort: search.sort,
    change: (next: ListSearch) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...next }), replace: true }),
  }
}

/** By which column a list is sorted, and from which end. */
export type Sorting = { key: string; isDescending: boolean }

export function sortingOf(sort: string): Sorting {
  const isDescending = sort.startsWith('-')
  return { key: isDescending ? sort.slice(1) : sort, isDescending }
}

type ListProps<T> = {
  /** Names the list in storage, where the chosen columns are remembered. */
  id: string
  label: string
  columns: Column<T>[]
  rowKey: (item: T) => string
  empty: ReactNode
  onOpen?: (item: T) => void
  actions?: (item: T) => ReactNode
  hasSearch?: boolean
  searchLabel?: string
  /** Rows are counted up to here: beyond it the list says "more than". */
  countedUpTo?: number
  /** How it is sorted until somebody sorts it otherwise, as the address says it. */
  defaultSort?: string
  /** Filtered by more than the name: an empty list is then no beginning. */
  isNarrowed?: boolean
  choice?: Choice<T>
}

type Source<T> = UseQueryOptions<{ items: T[]; totalCount: number }, ApiError>

export function List<T>(props: ListProps<T> & { source: Source<T> }) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...props.source,
    placeholderData: (before) => before,
  })
  const { t, find } = useTexts()
  if (error) {
    return (
      <State
        picture={<FailurePicture />}
        title={t('list.failed')}
        text={find(`errors:${error.alias}.text`, { ...error.parameters }) ?? error.message}
      >
        <Button onClick={() => void refetch()}>{t('actions.retry')}</Button>
      </State>
    )
  }
  return (
    <ListOf {...props} items={data?.items} totalCount={data?.totalCount ?? 0} isStale={isPlaceholderData} />
  )
}

/** A list whose rows are at hand; undefined items: they are on their way. */
export function ListOf<T>(
  props: ListProps<T> & { items: T[] | undefined; totalCount: number; isStale?: boolean },
) {
  const { items, totalCount, columns, id } = props
  const { t } = useTexts()
  const search = useListSearch()
  const [hidden, setHidden] = useHiddenColumns(id, columns)
  const shown = columns.filter((column) => column.isFixed || !hidden.includes(column.key))
  const isEmpty = items !== undefined && items.length === 0
  const isNarrowed = search.name !== '' || (props.isNarrowed ?? false)
  const { choice } = props
  return (
    <div className={classes.list} aria-busy={items === undefined || props.isStale}>
      <div className={isEmpty && !isNarrowed ? classes.noTools : classes.tools}>
        {props.hasSearch && (
          <SearchField
            label={props.searchLabel ?? t('list.search')}
            value={search.name}
            onChange={(name) => search.change({ name: name || undefined, page: undefined })}
          />
        )}
        {columns.length > 2 && (
          <ColumnsMenu
            columns={columns.filter((column) => !column.isFixed)}
            hidden={hidden}
            onChange={setHidden}
          />
        )}
      </div>
      <div className={classes.paper}>
        <table className={classes.table} aria-label={props.label}>
          <thead>
            <tr>
              {choice && (
                <th scope="col" className={classes.choice}>
                  <ChoiceOfAll items={items ?? []} rowKey={props.rowKey} choice={choice} />
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
                  <th key={column.key} scope="col" style={{ width: column.width }}>
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
              <WaitingRows count={5} columns={shown.length + (props.actions ? 1 : 0) + (choice ? 1 : 0)} />
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

function SortableHead<T>(props: { column: Column<T>; sorting: Sorting; onSort: (sort: string) => void }) {
  const { key, title, width } = props.column
  const isChosen = props.sorting.key === key
  const { isDescending } = props.sorting
  return (
    <th
      scope="col"
      style={{ width }}
      {...(isChosen && { 'aria-sort': isDescending ? 'descending' : 'ascending' })}
    >
      <button
        type="button"
        className={classes.sort}
        onClick={() => props.onSort(isChosen && !isDescending ? `-${key}` : key)}
      >
        {title}
        {isChosen && (isDescending ? <ArrowDownIcon size={14} /> : <ArrowUpIcon size={14} />)}
      </button>
    </th>
  )
}

/** All rows of this page; those of other pages stay as they are. */
function ChoiceOfAll<T>(props: { items: T[]; rowKey: (item: T) => string; choice: Choice<T> }) {
  const { t } = useTexts()
  const { chosen, onChange } = props.choice
  const keys = props.items.map(props.rowKey)
  const count = keys.filter((key) => chosen.includes(key)).length
  const others = chosen.filter((key) => !keys.includes(key))
  const isAll = count > 0 && count === keys.length
  return (
    <input
      type="checkbox"
      aria-label={t('list.chooseAll')}
      checked={isAll}
      disabled={keys.length === 0}
      ref={(input) => {
        if (input) input.indeterminate = count > 0 && !isAll
      }}
      onChange={() => onChange(isAll ? others : [...others, ...keys])}
    />
  )
}

function ChoiceOfRow<T>({ item, id, choice }: { item: T; id: string; choice: Choice<T> }) {
  const { chosen, onChange, labelOf } = choice
  const isChosen = chosen.includes(id)
  return (
    // The whole cell chooses: a box of 18 px is too small for a finger.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <td className={classes.choice} onClick={(event) => event.stopPropagation()}>
      <label>
        <input
          type="checkbox"
          aria-label={labelOf(item)}
          checked={isChosen}
          onChange={() => onChange(isChosen ? chosen.filter((key) => key !== id) : [...chosen, id])}
        />
      </label>
    </td>
  )
}

function Row<T>({ item, columns, onOpen, actions, choice, rowKey }: ListProps<T> & { item: T }) {
  const id = rowKey(item)
  return (
    <tr
      className={onOpen && classes.open}
      {...(choice?.chosen.includes(id) && { 'data-chosen': true })}
      onClick={() => onOpen?.(item)}
    >
      {choice && <ChoiceOfRow item={item} id={id} choice={choice} />}
      {columns.map((column, i) => (
        <td key={column.key} data-title={column.title} {...(i === 0 && { 'data-names': true })}>
          {i === 0 && onOpen ? (
            <button type="button" className={classes.name} onClick={() => onOpen(item)}>
              {column.cell(item)}
            </button>
          ) : (
            column.cell(item)
          )}
        </td>
      ))}
      {actions && (
        // A press on an action is not a press on the row.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
        <td className={classes.actions} onClick={(event) => event.stopPropagation()}>
          {actions(item)}
        </td>
      )}
    </tr>
  )
}

function WaitingRows({ count, columns }: { count: number; columns: number }) {
  return Array.from({ length: count }, (_, row) => (
    <tr key={row}>
      {Array.from({ length: columns }, (_cell, column) => (
        <td key={column}>
          <AfterDelay>
            <Skeleton height={16} width={`${80 - ((row * 13 + column * 29) % 40)}%`} />
          </AfterDelay>
        </td>
      ))}
    </tr>
  ))
}

/** Typing waits a moment before it asks the server. */
const searchDelay = 300

export function SearchField(props: { label: string; value: string; onChange: (value: string) => void }) {
  const { value, onChange } = props
  const [typed, setTyped] = useState(value)
  // Changed from elsewhere (a link, the back button): the address wins over what stands in the field.
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setTyped(value)
  }
  useEffect(() => {
    if (typed === value) return undefined
    const timer = setTimeout(() => onChange(typed.trim()), searchDelay)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <label className={classes.search}>
      <SearchIcon size={18} />
      <input
        type="search"
        aria-label={props.label}
        placeholder={props.label}
        value={typed}
        maxLength={250}
        onChange={(event) => setTyped(event.currentTarget.value.trimStart())}
      />
    </label>
  )
}

function useHiddenColumns<T>(id: string, columns: Column<T>[]): [string[], (hidden: string[]) => void] {
  const key = `columns:${id}`
  const [hidden, setHidden] = useState<string[]>(() => {
    const stored = localStorage.getItem(key)
    if (stored !== null) return JSON.parse(stored) as string[]
    return columns.filter((column) => column.isHiddenAtFirst).map((column) => column.key)
  })
  return [
    hidden,
    (next) => {
      localStorage.setItem(key, JSON.stringify(next))
      setHidden(next)
    },
  ]
}

export function Paging({
  totalCount,
  countedUpTo = countLimit,
}: {
  totalCount: number
  countedUpTo?: number
}) {
  const { t } = useTexts()
  const { page: asked, take, change } = useListSearch()
  // More than is counted: what lies beyond is found by searching, not by leafing.
  const isUncounted = totalCount > countedUpTo
  const last = Math.max(1, Math.ceil(Math.min(totalCount, countedUpTo) / take))
  const page = Math.min(asked, last)
  const skip = (page - 1) * take
  // A page beyond the last one (rows were removed, or the address was typed): go to the last there is.
  useEffect(() => {
    if (asked > last) change({ page: last })
  }, [asked, last, change])
  if (totalCount <= pageSizes[0] && asked === 1) return null
  return (
    <nav className={classes.paging} aria-label={t('paging.size')}>
      <span>
        {t('paging.shown', {
          from: skip + 1,
          to: Math.min(skip + take, totalCount),
          total: isUncounted
            ? t('paging.moreThan', { count: countedUpTo.toLocaleString('ru-RU') })
            : totalCount,
        })}
      </span>
      <select
        className={classes.size}
        aria-label={t('paging.size')}
        value={take}
        onChange={(event) => change({ take: Number(event.currentTarget.value), page: 1 })}
      >
        {pageSizes.map((size) => (
          <option key={size}>{size}</option>
        ))}
      </select>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('paging.previous')}
        disabled={page <= 1}
        onClick={() => change({ page: page - 1 })}
      >
        <ChevronLeftIcon />
      </ActionIcon>
      <span>
        {page} / {last}
      </span>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('paging.next')}
        disabled={page >= last}
        onClick={() => change({ page: page + 1 })}
      >
        <ChevronRightIcon />
      </ActionIcon>
    </nav>
  )
}
