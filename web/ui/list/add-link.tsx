import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { PlusIcon } from '../look/icons.tsx'
import type { RowLink } from './rows.tsx'

/** A link from a list to the page that creates a new item. */
export function AddLink({ link, children }: { link: RowLink; children: ReactNode }) {
  return (
    <Button leftSection={<PlusIcon size={18} />} renderRoot={(props) => <Link {...link} {...props} />}>
      {children}
    </Button>
  )
}
