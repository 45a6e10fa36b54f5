/** Whether the page holds something unsaved; the guard, the menu and the organisation picker ask here. */
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

/** A page says so while it is edited. */
export function useDirty(value: boolean): void {
  useEffect(() => {
    setDirty(value)
    return () => setDirty(false)
  }, [value])
}
