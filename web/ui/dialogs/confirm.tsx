import { lazy } from 'react'
import type { Question } from './confirm-modal.tsx'
import { MountOnOpen } from './mount-on-open.tsx'

const ConfirmModal = lazy(() => import('./confirm-modal.tsx').then((m) => ({ default: m.ConfirmModal })))

/** A question with yes and no; closing it means no. */
export function ConfirmDialog(props: Question) {
  return (
    <MountOnOpen isOpen={props.isOpen}>
      <ConfirmModal {...props} />
    </MountOnOpen>
  )
}
