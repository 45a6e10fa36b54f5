import { lazy } from 'react'
import type { Question } from './confirm-modal.tsx'
import { WhenOpened } from './when-opened.tsx'

const ConfirmModal = lazy(() => import('./confirm-modal.tsx').then((m) => ({ default: m.ConfirmModal })))

/** A question with yes and no; closing it means no. */
export function ConfirmDialog(props: Question) {
  return (
    <WhenOpened isOpen={props.isOpen}>
      <ConfirmModal {...props} />
    </WhenOpened>
  )
}
