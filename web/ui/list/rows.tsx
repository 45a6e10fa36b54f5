import type { ReactNode } from 'react'
import { Skeleton } from '@mantine/core'
import { AfterDelay } from '../page/loading.tsx'
import type { Column } from './columns.tsx'
import classes from './list.module.css'
import { SelectRow, type Selection } from './selection.tsx'

type RowProps<T> = {
  item: T
  columns: Column<T>[]
  rowKey: (item: T) => string
  onOpen?: (item: T) => void
  actions?: (item: T) => ReactNode
  selection?: Selection<T>
}

export function Row<T>({ item, columns, onOpen, actions, selection, rowKey }: RowProps<T>) {
  const id = rowKey(item)
  return (
    <tr
      className={onOpen && classes.open}
      {...(selection?.selected.includes(id) && { 'data-selected': true })}
      onClick={() => onOpen?.(item)}
    >
      {selection && <SelectRow item={item} id={id} selection={selection} />}
      {columns.map((column, i) => (
        <td key={column.key} data-title={column.title} {...(i === 0 && { 'data-names': true })}>
          {i === 0 && onOpen ? (
            <button
              type="button"
              className={classes.name}
              onClick={(event) => {
                // The row would open the item a second time.
                event.stopPropagation()
                onOpen(item)
              }}
            >
              {column.cell(item)}
            </button>
          ) : (
            column.cell(item)
          )}
        </td>
      ))}
      {actions && (
        // A click on an action must not open the row.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
        <td className={classes.actions} onClick={(event) => event.stopPropagation()}>
          {actions(item)}
        </td>
      )}
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
