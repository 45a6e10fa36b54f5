import type { ReactNode } from 'react'
import classes from './with-aside.module.css'

/** A form or view with a sticky column beside it; on narrow screens the column follows below. */
export function WithAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div>{children}</div>
      <aside className={classes.aside}>{aside}</aside>
    </div>
  )
}
