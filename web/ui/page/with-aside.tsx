import type { ReactNode } from 'react'
import classes from './with-aside.module.css'

/** A form or a view with something beside it that stays in sight; on narrow screens it follows below. */
export function WithAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div>{children}</div>
      <aside className={classes.aside}>{aside}</aside>
    </div>
  )
}
