/** The columns of a list: which are shown, and by which the list is sorted. */
import { useState, type ReactNode } from 'react'
import { ArrowDownIcon, ArrowUpIcon } from '../look/icons.tsx'
import classes from './list.module.css'

export type Column<T> = {
  key: string
  title: string
  cell: (item: T) => ReactNode
  width?: number | string
  /** Lines that do not fit are cut off, so that rows keep their height; needs a width. */
  isClipped?: boolean
  /**
   * The place of the column on the card of three lines that shows a row on a phone; columns without a place are left
   * out there. If no column has a place, the cards have a labelled line for each column.
   */
  card?: 'title' | 'status' | 'date' | 'fact' | 'progress'
  /** Hidden where there is little room, because other columns tell the same or more. */
  isSpare?: boolean
  /** The first column names the row and cannot be hidden. */
  isFixed?: boolean
  /** The list can be sorted by this column; the server knows it by the column's key. */
  isSortable?: boolean
  /** Hidden until the user chooses to show it. */
  isHiddenAtFirst?: boolean
}

/** The column by which a list is sorted, and the direction. */
export type Sorting = { key: string; isDescending: boolean }

export function sortingOf(sort: string): Sorting {
  const isDescending = sort.startsWith('-')
  return { key: isDescending ? sort.slice(1) : sort, isDescending }
}

/** The hidden columns are remembered in local storage under the id of the list. */
export function useHiddenColumns<T>(
  id: string,
  columns: Column<T>[],
): [string[], (hidden: string[]) => void] {
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

/** The density is remembered in local storage for all lists together. */
export function useDensity(): [isDense: boolean, change: (isDense: boolean) => void] {
  const key = 'dense-lists'
  const [isDense, setDense] = useState(() => localStorage.getItem(key) === 'true')
  return [
    isDense,
    (next) => {
      localStorage.setItem(key, String(next))
      setDense(next)
    },
  ]
}

export function SortableHead<T>(props: {
  column: Column<T>
  sorting: Sorting
  onSort: (sort: string) => void
}) {
  const { key, title, width, isSpare } = props.column
  const isChosen = props.sorting.key === key
  const { isDescending } = props.sorting
  return (
    <th
      scope="col"
      style={{ width }}
      {...(isSpare && { 'data-spare': true })}
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
