import { useState } from 'react'

/**
 * The state of a dialog with its subject. The subject is kept while the dialog closes, so that its texts do not
 * vanish before it.
 */
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
