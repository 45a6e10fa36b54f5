import type { ReactNode } from 'react'
import { Card } from '../../ui/page/page.tsx'
import classes from './options.module.css'

/** The last part of the address of an option, in lower case. */
export type SectionName = string

export function headingOf(name: SectionName): string {
  return `option-${name}`
}

/** One option of the page; its address leads to its heading. */
export function OptionSection(props: {
  name: SectionName
  title: string
  lead?: string
  action?: ReactNode
  /** The content is a card or a table itself, so it is not put into a card. */
  hasOwnFrame?: boolean
  children: ReactNode
}) {
  const { name, title, lead } = props
  return (
    <section className={classes.section} aria-labelledby={headingOf(name)}>
      <header>
        <h3 id={headingOf(name)} tabIndex={-1}>
          {title}
        </h3>
        {props.action}
      </header>
      {lead && <p className={classes.text}>{lead}</p>}
      {props.hasOwnFrame ? props.children : <Card>{props.children}</Card>}
    </section>
  )
}
