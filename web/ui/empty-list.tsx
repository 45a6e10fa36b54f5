/** A list that has its columns and no rows yet: says what would be here, and how to begin. */
import type { ReactNode } from 'react'
import { ListOf } from './list.tsx'
import { NoData } from './states.tsx'

export function EmptyList(props: {
  id: string
  label: string
  /** Titles by key; the first names the rows. */
  columns: Record<string, string>
  text: string
  children?: ReactNode
}) {
  return (
    <ListOf
      id={props.id}
      label={props.label}
      columns={Object.entries(props.columns).map(([key, title], i) => ({
        key,
        title,
        cell: () => null,
        isFixed: i === 0,
      }))}
      items={[]}
      totalCount={0}
      rowKey={String}
      empty={<NoData text={props.text}>{props.children}</NoData>}
    />
  )
}
