import type { ReactNode } from 'react'
import classes from './fields.module.css'

/** Puts space between fields, because neither a card nor a form adds any. */
export function Fields({ children }: { children: ReactNode }) {
  return <div className={classes.fields}>{children}</div>
}
