import type { ErrorComponentProps } from '@tanstack/react-router'
import { ApiError } from '../api.ts'
import { OneError } from './error-modal.tsx'
import { ErrorPage, PageNotFound } from '../ui/states.tsx'

/** A page that could not be loaded: what the error body says, in its way. */
export function RouteFailure({ error, reset }: ErrorComponentProps) {
  if (!(error instanceof ApiError)) return <ErrorPage />
  if (error.className === 'HttpException' && error.status === 404) return <PageNotFound />
  return (
    <>
      <ErrorPage onRetry={reset} />
      <OneError error={error} onClose={reset} />
    </>
  )
}
