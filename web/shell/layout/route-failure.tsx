import { useNavigate, useRouter, useRouterState, type ErrorComponentProps } from '@tanstack/react-router'
import { ApiError } from '../../api/api.ts'
import { OneError } from '../dialogs/error-modal.tsx'
import { useSkeletonEnd } from './skeleton-end.ts'
import { ErrorPage, PageNotFound } from '../../ui/page/states.tsx'

/** A page that could not be loaded: shows the error of the error body. */
export function RouteFailure({ error, reset }: ErrorComponentProps) {
  useSkeletonEnd()
  if (!(error instanceof ApiError)) return <ErrorPage />
  if (error.className === 'HttpException' && error.status === 404) return <PageNotFound />
  return <FailedPage error={error} onRetry={reset} />
}

function FailedPage({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const navigate = useNavigate()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const router = useRouter()
  const retry = () => {
    onRetry()
    void router.invalidate()
  }
  // Closing the dialog leaves the failed page for the list of classifiers or the incoming requests.
  const leave = () =>
    /^\/classificators\/./i.test(path)
      ? navigate({ to: '/classificators' })
      : navigate({ to: '/signingRequests/$route', params: { route: 'incomings' } })
  const isHere = /^\/(classificators|signingRequests\/incomings)$/i.test(path)
  const isTemporary = error.className === 'TemporaryUnavailableException'
  const close = () => (isTemporary || isHere ? retry() : void leave().then(onRetry))
  return (
    <>
      <ErrorPage onRetry={retry} />
      <OneError error={error} onClose={close} />
    </>
  )
}
