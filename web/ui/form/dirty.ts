/** Whether the page has unsaved changes; read by the guard, the menu and the organisation menu. */
import { useEffect, useSyncExternalStore } from 'react'

let dirty = false
const listeners = new Set<() => void>()

export function isDirty(): boolean {
  return dirty
}

export function setDirty(value: boolean): void {
  if (dirty === value) return
  dirty = value
  for (const listener of listeners) listener()
}

export function useIsDirty(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, isDirty)
}

/** Marks the page as having unsaved changes while `value` is true. */
export function useDirty(value: boolean): void {
  useEffect(() => {
    setDirty(value)
    return () => setDirty(false)
  }, [value])
}
