/** Keeps the caret behind the same character where a field changes what was typed (digits only, grouped). */
import { useLayoutEffect, useRef, type RefObject } from 'react'

export function useKeptCaret(): { input: RefObject<HTMLInputElement | null>; keep: (place: number) => void } {
  const input = useRef<HTMLInputElement>(null)
  const place = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (place.current === null) return
    input.current?.setSelectionRange(place.current, place.current)
    place.current = null
  })
  return {
    input,
    keep: (next) => {
      place.current = next
    },
  }
}

/** The text before the caret. */
export function beforeCaret({ value, selectionStart }: HTMLInputElement): string {
  return value.slice(0, selectionStart ?? undefined)
}
