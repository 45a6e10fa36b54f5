/**
 * A button whose menu comes after the page: when the browser has nothing to do, or with the first touch. Pressed before it is
 * there, it opens as soon as it is; whoever stood on the button still stands on it.
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

/** What the whole is told: the button was pressed before it came. */
export type Opened = { isOpenAtFirst?: boolean }
type Pressed = {
  onClick?: MouseEventHandler<HTMLButtonElement>
  'aria-haspopup'?: 'menu' | 'dialog'
  'aria-expanded'?: boolean
}

export function later<P extends object>(
  load: () => Promise<ComponentType<P & Opened>>,
  Look: ComponentType<P & Pressed>,
  opens: 'menu' | 'dialog' = 'menu',
): ComponentType<P> {
  return function Later(props: P) {
    const [loaded, setLoaded] = useState<{ Whole: ComponentType<P & Opened>; hadFocus: boolean } | null>(null)
    const [wasPressed, setPressed] = useState(false)
    const place = useRef<HTMLSpanElement>(null)
    const fetch = () =>
      void load().then((Whole) =>
        setLoaded({ Whole, hadFocus: place.current?.contains(document.activeElement) ?? false }),
      )
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
    useEffect(() => whenIdle(fetch), [])
    useLayoutEffect(() => {
      if (loaded?.hadFocus) place.current?.querySelector('button')?.focus()
    }, [loaded])
    return (
      <span ref={place} style={{ display: 'contents' }}>
        {loaded ? (
          <loaded.Whole {...props} isOpenAtFirst={wasPressed} />
        ) : (
          <Look
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
