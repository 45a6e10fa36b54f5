/** Shared parts of the operator's sections. */
import type { ReactNode } from 'react'
import { useTexts, type Text } from '../i18n/use-texts.ts'
import { SmallTable, type SmallTableProps } from '../ui/list/small-table.tsx'
import classes from './operator.module.css'

/** A line with a smaller explanation below it. */
export function More({ children, small }: { children: ReactNode; small: string | null }) {
  return (
    <span className={classes.more}>
      <span>{children}</span>
      {small && <small>{small}</small>}
    </span>
  )
}

export function Section(props: { title: string; lead?: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={props.title}>
      <header>
        <h2>{props.title}</h2>
        {props.action}
      </header>
      {props.lead && <p>{props.lead}</p>}
      {props.children}
    </section>
  )
}

/** A table of one section, or a line that says that it has no rows. */
export function Rows<T>({ none, ...table }: Omit<SmallTableProps<T>, 'empty'> & { none: string }) {
  return <SmallTable {...table} empty={<p className={classes.none}>{none}</p>} />
}

/** The name of a kind of work; an unknown one is shown as the server calls it. */
export function useWorkName(): (name: string) => string {
  const { find } = useTexts('operator')
  return (name) => find(`operator:work.${name}`) ?? name
}

const units = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
] as const

/** A duration in one unit. */
export function useDuration(): (seconds: number) => string {
  const { t } = useTexts('operator')
  return (seconds) => {
    const [unit, size] = units.find(([, one]) => seconds >= one) ?? (['seconds', 1] as const)
    return t(`age.${unit}`, { count: Math.round(seconds / size) })
  }
}

/** Details that are stored as JSON, as readable names and values. */
export function readable(json: string): string {
  const entries = Object.entries(JSON.parse(json) as Record<string, unknown>)
  return entries
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}

const sizes = ['B', 'KB', 'MB', 'GB', 'TB'] as const

export function formatBytes(bytes: number, t: Text<'operator'>): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), sizes.length - 1)
  const value = bytes / 1024 ** step
  const size = value.toLocaleString('ru-RU', { maximumFractionDigits: value < 10 && step > 0 ? 1 : 0 })
  return t(`sizes.${sizes[step] ?? 'B'}`, { size })
}
