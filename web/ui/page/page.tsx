/** A page of the application: its title in the window and as a heading, one primary action, then the content. */
import type { ReactNode } from 'react'
import { useTexts } from '../../i18n/use-texts.ts'
import classes from './page.module.css'

export function Page(props: {
  title: string
  /** Beside the title: a count, a status. */
  note?: ReactNode
  lead?: string
  action?: ReactNode
  children: ReactNode
  /** A narrow column, for forms. */
  isNarrow?: boolean
}) {
  return (
    <section className={props.isNarrow ? classes.narrow : classes.page}>
      <WindowTitle title={props.title} />
      <header className={classes.head}>
        <h1>{props.title}</h1>
        {props.note !== undefined && <span className={classes.note}>{props.note}</span>}
        <span className={classes.action}>{props.action}</span>
      </header>
      {props.lead && <p className={classes.lead}>{props.lead}</p>}
      {props.children}
    </section>
  )
}

export function WindowTitle({ title }: { title: string }) {
  const { t } = useTexts()
  return <title>{`${title} — ${t('product')}`}</title>
}

export function Card({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className={classes.card}>
      {title && <h2>{title}</h2>}
      {children}
    </section>
  )
}
