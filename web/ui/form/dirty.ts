/** Whether the page has unsaved changes; read by the guard, the menu and the organisation menu. */
import { useEffect, useSyncExternalStore } from 'react'

/**
 * One mark for each form with unsaved changes, so that a form in a dialog does not clear the mark of the page's form.
 */
const marks = new Set<symbol>()
const listeners = new Set<() => void>()

export function isDirty(): boolean {
  return marks.size > 0
}

/** Called when there is nothing left to lose, or when the person has agreed to lose it. */
export function clearDirty(): void {
  marks.clear()
  notifyListeners()
}

function notifyListeners(): void {
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
    if (!value) return
    const mark = Symbol()
    marks.add(mark)
    notifyListeners()
    return () => {
      marks.delete(mark)
      notifyListeners()
    }
  }, [value])
}
