import type { ReactNode } from 'react'
import classes from './facts.module.css'

export type Fact = readonly [name: string, value: ReactNode]

/** Names with their values, in two columns or stacked; on a phone always stacked. */
export function Facts({
  rows,
  layout = 'columns',
}: {
  rows: readonly Fact[]
  layout?: 'columns' | 'stacked'
}) {
  return (
    <dl className={classes.facts} data-layout={layout}>
      {rows.map(([name, value], i) => (
        <div key={`${name} ${i}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
