import type { ReactNode } from 'react'
import { ActionIcon, Tooltip } from '@mantine/core'
import classes from './list.module.css'

/** An action on one row of a list: an icon with an accessible name. */
export function RowAction(props: {
  label: string
  onClick: () => void
  isDangerous?: boolean
  isBusy?: boolean
  children: ReactNode
}) {
  return (
    <Tooltip label={props.label}>
      <ActionIcon
        variant="subtle"
        size={40}
        color="var(--ink-2)"
        {...(props.isDangerous && { className: classes.dangerous })}
        aria-label={props.label}
        loading={props.isBusy ?? false}
        onClick={props.onClick}
      >
        {props.children}
      </ActionIcon>
    </Tooltip>
  )
}
