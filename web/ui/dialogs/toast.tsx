/** A short message that something was done; read out by screen readers, hidden after a few seconds. */
import { useEffect, useSyncExternalStore } from 'react'
import { CheckIcon } from '../look/icons.tsx'
import classes from './toast.module.css'

let current: { text: string } | null = null
const listeners = new Set<() => void>()

export function toast(text: string): void {
  current = { text }
  tell()
}

function hide(): void {
  current = null
  tell()
}

function tell(): void {
  for (const listener of listeners) listener()
}

const life = 4000

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
    const timer = setTimeout(hide, life)
    return () => clearTimeout(timer)
  }, [shown])
  return (
    <div role="status" aria-live="polite" className={classes.place}>
      {shown && (
        <div className={classes.toast}>
          <CheckIcon />
          {shown.text}
        </div>
      )}
    </div>
  )
}
