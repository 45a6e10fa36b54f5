/**
 * A button whose menu is loaded when the browser is idle or at the first click. If it is clicked before that, the
 * menu opens once it is loaded; a focused button stays focused.
 */
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentType,
  type MouseEventHandler,
} from 'react'
import { whenIdle } from './when-idle.ts'

/** `isOpenAtFirst`: the button was clicked before its menu was loaded, so the menu opens at once. */
export type LazyMenuProps = { isOpenAtFirst?: boolean }
type ButtonProps = {
  onClick?: MouseEventHandler<HTMLButtonElement>
  'aria-haspopup'?: 'menu' | 'dialog'
  'aria-expanded'?: boolean
}

export function lazyMenu<P extends object>(
  load: () => Promise<ComponentType<P & LazyMenuProps>>,
  Button: ComponentType<P & ButtonProps>,
  opens: 'menu' | 'dialog' = 'menu',
): ComponentType<P> {
  return function LazyMenu(props: P) {
    const [loaded, setLoaded] = useState<{
      Menu: ComponentType<P & LazyMenuProps>
      hadFocus: boolean
    } | null>(null)
    const [wasPressed, setPressed] = useState(false)
    const place = useRef<HTMLSpanElement>(null)
    const isHeld = useRef(false)
    // A menu that could not be loaded is loaded by the next click.
    const fetch = () =>
      void load().then(
        async (Menu) => {
          if (isHeld.current) await released()
          setLoaded({ Menu, hadFocus: place.current?.contains(document.activeElement) ?? false })
        },
        () => {},
      )
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
    useEffect(() => whenIdle(fetch), [])
    useLayoutEffect(() => {
      if (loaded?.hadFocus) place.current?.querySelector('button')?.focus()
    }, [loaded])
    return (
      <span
        ref={place}
        style={{ display: 'contents' }}
        onPointerDown={() => {
          isHeld.current = true
          void released().then(() => (isHeld.current = false))
        }}
      >
        {loaded ? (
          <loaded.Menu {...props} isOpenAtFirst={wasPressed} />
        ) : (
          <Button
            {...props}
            aria-haspopup={opens}
            aria-expanded={false}
            onClick={() => {
              setPressed(true)
              fetch()
            }}
          />
        )}
      </span>
    )
  }
}

/** Resolves after the click: a button that is replaced while it is held down never gets its click. */
function released(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => setTimeout(resolve, 0)
    window.addEventListener('pointerup', end, { once: true })
    window.addEventListener('pointercancel', end, { once: true })
  })
}
