import type { ReactNode } from 'react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { ChevronLeftIcon } from '../look/icons.tsx'
import classes from './page.module.css'

/** A link from a page to its parent page. */
export function BackLink({ to, children }: { to: NonNullable<LinkProps['to']>; children: ReactNode }) {
  return (
    <Link to={to} className={classes.back}>
      <ChevronLeftIcon size={18} />
      {children}
    </Link>
  )
}
