/** Offers to reload when the server serves a newer version, once for each version. */
import { lazy, useSyncExternalStore } from 'react'
import { MountOnOpen } from '../../ui/dialogs/mount-on-open.tsx'

const UpdateModal = lazy(() => import('./update-modal.tsx').then((m) => ({ default: m.UpdateModal })))

let state: 'current' | 'outdated' | 'later' = 'current'
const listeners = new Set<() => void>()

function become(next: typeof state): void {
  state = next
  for (const listener of listeners) listener()
}

export function noticeNewBuild(): void {
  if (state === 'current') become('outdated')
}

export function UpdateDialog() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
  const isOpen = shown === 'outdated'
  return (
    <MountOnOpen isOpen={isOpen}>
      <UpdateModal isOpen={isOpen} onLater={() => become('later')} />
    </MountOnOpen>
  )
}
