import { Suspense, useState, type ReactNode } from 'react'

/** Mounts (and so loads) a dialog when it is first opened, and keeps it mounted, so that closing can be animated. */
export function MountOnOpen({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setWasOpened(true)
  return wasOpened ? <Suspense>{children}</Suspense> : null
}
