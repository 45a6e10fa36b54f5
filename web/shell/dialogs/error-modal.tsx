import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { ApiError } from '../../api/api.ts'
import { hideError, onErrorChange, shownError } from '../../ui/dialogs/error-store.ts'

const ErrorDialog = lazy(() => import('./error-dialog.tsx').then((m) => ({ default: m.ErrorDialog })))

/** Mounted once in each layout; shows the error given to `showError`. */
export function ErrorModal() {
  const error = useSyncExternalStore(onErrorChange, shownError)
  return error && <OneError error={error} onClose={hideError} />
}

export function OneError(props: { error: ApiError; onClose: () => void }) {
  return (
    <Suspense>
      <ErrorDialog {...props} />
    </Suspense>
  )
}
