import type { KeyboardEvent, ReactNode } from 'react'
import { Skeleton } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { AfterDelay } from '../page/loading.tsx'
import type { Column } from './columns.tsx'
import classes from './list.module.css'
import { SelectRow, type Selection } from './selection.tsx'

/** The page that a row leads to. */
export type RowLink = Pick<LinkProps, 'to' | 'params' | 'search'>

type RowProps<T> = {
  item: T
  columns: Column<T>[]
  rowKey: (item: T) => string
  linkOf?: (item: T) => RowLink
  /** Shows the item beside the list, without opening its page. */
  onPeek?: (item: T) => void
  actions?: (item: T) => ReactNode
  selection?: Selection<T>
}

export function Row<T>({ item, columns, linkOf, onPeek, actions, selection, rowKey }: RowProps<T>) {
  const id = rowKey(item)
  const peekOnSpace = (event: KeyboardEvent) => {
    if (event.key !== ' ') return
    event.preventDefault()
    onPeek?.(item)
  }
  return (
    <tr
      className={linkOf && classes.open}
      {...(selection?.selected.includes(id) && { 'data-selected': true })}
    >
      {selection && <SelectRow item={item} id={id} selection={selection} />}
      {columns.map((column, i) => (
        <td
          key={column.key}
          data-title={column.title}
          {...(i === 0 && { 'data-names': true })}
          {...(column.isClipped && { 'data-clipped': true })}
          {...(typeof column.width === 'number' && { 'data-short': true })}
          {...(column.card && { 'data-card': column.card })}
          {...(column.isSpare && { 'data-spare': true })}
        >
          {i === 0 && linkOf ? (
            // The link covers the row, so that a click anywhere opens it and the browser can open it in another tab.
            <Link
              {...linkOf(item)}
              className={classes.name}
              {...(onPeek && { onKeyDown: peekOnSpace, 'aria-keyshortcuts': 'Space' })}
            >
              {column.cell(item)}
            </Link>
          ) : (
            column.cell(item)
          )}
        </td>
      ))}
      {actions && <td className={classes.actions}>{actions(item)}</td>}
    </tr>
  )
}

/** Placeholders in the shape of rows while the list is loading. */
export function LoadingRows({ count, columns }: { count: number; columns: number }) {
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
