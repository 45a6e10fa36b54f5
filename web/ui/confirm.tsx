import { lazy } from 'react'
import { WhenOpened } from './when-opened.tsx'

const ConfirmModal = lazy(() => import('./confirm-modal.tsx').then((m) => ({ default: m.ConfirmModal })))

export type Question = {
  isOpen: boolean
  title: string
  text: string
  yes: string
  isDangerous?: boolean
  isBusy?: boolean
  onYes: () => void
  onNo: () => void
}

/** A question with one yes and one no; closing it means no. */
export function ConfirmDialog(props: Question) {
  return (
    <WhenOpened isOpen={props.isOpen}>
      <ConfirmModal {...props} />
    </WhenOpened>
  )
}
