import type { ReactNode } from 'react'
import { useTexts } from '../../i18n/use-texts.ts'
import classes from './list.module.css'

export type SmallTableColumn<T> = { title: string; cell: (item: T) => ReactNode }

export type SmallTableProps<T> = {
  label: string
  items: readonly T[]
  rowKey: (item: T) => string
  /** The first one names the row. */
  columns: readonly SmallTableColumn<T>[]
  /** Shown instead of a table without rows. */
  empty?: ReactNode
  action?: (item: T) => ReactNode
}

/** A table of few rows in the style of the lists, without search and paging; cards on a phone. */
export function SmallTable<T>(props: SmallTableProps<T>) {
  const { t } = useTexts()
  const { items, columns, action } = props
  return (
    <div className={classes.list}>
      <div className={classes.paper}>
        {items.length === 0 && props.empty ? (
          props.empty
        ) : (
          <table className={classes.table} aria-label={props.label}>
            <thead>
              <tr>
                {columns.map(({ title }, i) => (
                  <th key={i} scope="col">
                    {title}
                  </th>
                ))}
                {action && (
                  <th scope="col">
                    <span className="only-heard">{t('actions.details')}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <tr key={props.rowKey(item)}>
                  {columns.map(({ title, cell }, i) => (
                    <td key={i} data-title={title} {...(i === 0 && { 'data-names': true })}>
                      {cell(item)}
                    </td>
                  ))}
                  {action && <td className={classes.actions}>{action(item)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </div>
  )
}
