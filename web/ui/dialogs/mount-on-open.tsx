import { Suspense, useEffect, useState, type ReactNode } from 'react'

/** Mounts (and so loads) a dialog when it is first opened, and keeps it mounted, so that closing can be animated. */
export function MountOnOpen({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setWasOpened(true)
  useFocusReturn(isOpen)
  return wasOpened ? <Suspense>{children}</Suspense> : null
}

/**
 * Returns the focus to the opener, because a dialog that is mounted already open does not know it. If the focus has
 * moved elsewhere by then, it stays there.
 */
function useFocusReturn(isOpen: boolean): void {
  useEffect(() => {
    const opener = document.activeElement
    if (!isOpen || !(opener instanceof HTMLElement)) return undefined
    return () => {
      const { activeElement } = document
      if (activeElement === document.body || activeElement?.closest('[role="dialog"]')) opener.focus()
    }
  }, [isOpen])
}
