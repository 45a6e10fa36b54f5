import type { ReactNode } from 'react'
import classes from './badge.module.css'

/** gold: something is to be done; off: nothing is to be done. */
export type Tone = 'prim' | 'gold' | 'ok' | 'bad' | 'off'

/** A word or two in a coloured pill, with an icon or without: a status, a role, a state. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  )
}
