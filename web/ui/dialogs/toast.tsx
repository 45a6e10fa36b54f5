/** A short message that something was done; announced by screen readers, hidden after a few seconds. */
import { useEffect, useSyncExternalStore } from 'react'
import { CheckIcon } from '../look/icons.tsx'
import classes from './toast.module.css'

/** The action that undoes what the toast reports. */
export type ToastAction = { label: string; onClick: () => void }

let current: { text: string; action?: ToastAction | undefined } | null = null
const listeners = new Set<() => void>()

export function toast(text: string, action?: ToastAction): void {
  current = { text, action }
  notifyListeners()
}

function hide(): void {
  current = null
  notifyListeners()
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

const life = 4000
/** A toast with a button stays long enough to read it, decide and reach the button. */
const lifeWithAction = 10_000

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
  useEffect(() => {
    if (!shown) return undefined
    const timer = setTimeout(hide, shown.action ? lifeWithAction : life)
    return () => clearTimeout(timer)
  }, [shown])
  return (
    <div role="status" aria-live="polite" className={classes.place}>
      {shown && (
        <div className={classes.toast}>
          <CheckIcon />
          {shown.text}
          {shown.action && (
            <button
              type="button"
              className={classes.action}
              onClick={() => {
                hide()
                shown.action?.onClick()
              }}
            >
              {shown.action.label}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
