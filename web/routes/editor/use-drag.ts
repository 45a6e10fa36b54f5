/**
 * Drags a point by its handle with a mouse, a pen or a finger. The place depends on the height of the pointer only
 * (see placeAt); near the edges of the window the page scrolls. Escape cancels.
 */
import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'
import { placeAt, type StepPlace } from './steps.ts'

export type Drag = { pointId: string; x: number; y: number; place: StepPlace }

/** Smaller movements are a click, not a drag. */
const threshold = 5
const scrollZone = 96
const scrollSpeed = 14

export function useDrag(
  /** The element around the steps, which are marked by `data-step`. */
  list: RefObject<HTMLElement | null>,
  onDrop: (pointId: string, place: StepPlace) => void,
) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const held = useRef<{ pointId: string; x: number; pageY: number } | null>(null)
  const pointer = useRef({ x: 0, y: 0 })

  function follow(): void {
    const from = held.current
    if (!from) return
    const { x, y } = pointer.current
    const dy = y + window.scrollY - from.pageY
    setDrag((before) =>
      before || Math.hypot(x - from.x, dy) > threshold
        ? { pointId: from.pointId, x: x - from.x, y: dy, place: placeAt(bandsOf(list.current), y) }
        : null,
    )
  }

  function letGo(): void {
    held.current = null
    setDrag(null)
  }

  const isDragging = drag !== null
  useEffect(() => {
    if (!isDragging) return undefined
    let frame = requestAnimationFrame(function scroll() {
      const { y } = pointer.current
      const step = y < scrollZone ? -scrollSpeed : y > window.innerHeight - scrollZone ? scrollSpeed : 0
      if (step !== 0) {
        window.scrollBy(0, step)
        follow()
      }
      frame = requestAnimationFrame(scroll)
    })
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') letGo()
    }
    window.addEventListener('keydown', onKey)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('keydown', onKey)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the functions only read refs: one loop for each drag
  }, [isDragging])

  const handle = (pointId: string) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      held.current = { pointId, x: event.clientX, pageY: event.clientY + window.scrollY }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      pointer.current = { x: event.clientX, y: event.clientY }
      follow()
    },
    onPointerUp() {
      if (drag) onDrop(drag.pointId, drag.place)
      letGo()
    },
    onPointerCancel: letGo,
  })
  return { drag, handle }
}

function bandsOf(list: HTMLElement | null): { top: number; bottom: number }[] {
  return [...(list?.querySelectorAll('[data-step]') ?? [])].map((step) => step.getBoundingClientRect())
}
