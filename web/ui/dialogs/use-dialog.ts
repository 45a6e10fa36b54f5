import { useState } from 'react'

/** A dialog about something: what it was about stays while the dialog fades away, so that its words do not vanish first. */
export function useDialog<T>() {
  const [{ isOpen, subject }, setState] = useState<{ isOpen: boolean; subject: T | null }>({
    isOpen: false,
    subject: null,
  })
  return {
    isOpen,
    subject,
    open: (about: T) => setState({ isOpen: true, subject: about }),
    close: () => setState((before) => ({ ...before, isOpen: false })),
  }
}
