/** The page of one request for a member of an organisation. */
import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { idOf, useAddress } from '../../ui/browser/address.ts'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { PageNotFound } from '../../ui/page/states.tsx'
import classes from '../shared/request-page.module.css'
import { RequestScreen } from './request-screen.tsx'
import type { RequestView } from '../shared/request-view.ts'
import { useRequest } from '../shared/use-request.ts'

/** The address may hold the id alone, without the list from which the request was opened. */
export function RequestPage() {
  const { organization } = useWorkplace()
  const { route, id } = useAddress().params
  const requestId = idOf(id ?? route)
  const isEnabled = requestId !== undefined
  const requestKey = { organizationId: organization.Id, signingRequestId: requestId ?? '' }
  const [isActing, setActing] = useState(false)
  const { request, error, refetch, mark, keep } = useRequest(requestKey, { isEnabled, isActing })
  if (!isEnabled || error?.status === 404) return <PageNotFound />
  if (!request && error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!request) return <LoadingLines />
  return (
    <RequestScreen
      // The key resets the page when another request is shown.
      key={request.id}
      request={request}
      requestKey={requestKey}
      mark={mark}
      onKept={keep}
      onRefresh={refetch}
      onActing={setActing}
      top={<Way request={request} list={listOf(route, request, organization.Id)} />}
    />
  )
}

type List = 'incomings' | 'outgoings'

function listOf(route: string | undefined, { organization }: RequestView, ownId: string): List {
  const named = route?.toLowerCase()
  if (named === 'incomings' || named === 'outgoings') return named
  return organization.id === ownId ? 'outgoings' : 'incomings'
}

function Way({ request, list }: { request: RequestView; list: List }) {
  const { t } = useTexts('requests')
  return (
    <nav className={classes.way} aria-label={t('page.way')}>
      <Link to="/signingRequests/$route" params={{ route: list }}>
        {t(`page.${list}`)}
      </Link>
      <span aria-hidden="true">›</span>
      <span>{request.organization.shortName}</span>
    </nav>
  )
}
