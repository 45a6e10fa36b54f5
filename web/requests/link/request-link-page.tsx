/**
 * The page that links in e-mails and printed codes open. With a code it shows what its holder may see. A person who
 * may see the request gets it, for the organisation it is addressed to or for their own numbers. Everybody else is
 * told how to sign in, and by the link of an e-mail also who asks for what.
 */
import { useState } from 'react'
import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { emptyId } from '@kelisim/domain/fields.ts'
import { getOrganizations, getProfile } from '@kelisim/domain/identity/contract.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { getRequest } from '@kelisim/domain/requests/contract.ts'
import { ApiError, call } from '../../api/api.ts'
import { hereAsReturnApp, signInAddress } from '../../api/sign-in-address.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import type { SignedIn } from '../../identity/queries.ts'
import { useWhoIsSignedIn } from '../../identity/who-is-signed-in.ts'
import { rememberedOrganization } from '../../shell/session/session.ts'
import { leave } from '../../shell/session/sign-out.ts'
import { useAddress } from '../../ui/browser/address.ts'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Loading } from '../../ui/page/loading.tsx'
import { HeldRequest } from './code-entry.tsx'
import { codeInAddress } from './code-in-address.ts'
import { openHeldRequest, type OpenedRequest } from './open-by-code.ts'
import classes from '../shared/request-page.module.css'
import { RequestScreen } from '../page/request-screen.tsx'
import { RequestEntry } from './request-entry.tsx'
import type { RequestView } from '../shared/request-view.ts'
import { useRequest } from '../shared/use-request.ts'

export function RequestLinkPage() {
  const { id } = useAddress().params
  const signedIn = useWhoIsSignedIn()
  const signingRequestId = (id ?? '').toLowerCase()
  const isId = getRequest.input.safeParse({ organizationId: emptyId, signingRequestId }).success
  const isSomebody = signedIn !== undefined && signedIn !== null
  const {
    data: place,
    error,
    refetch,
  } = useQuery<RequestPlace, ApiError>({
    queryKey: ['door', signingRequestId, signedIn],
    queryFn: () => placeFor(signingRequestId, signedIn?.isOutsider ?? true),
    enabled: isSomebody && isId,
    staleTime: 0,
    gcTime: 0,
  })
  const [given] = useState(codeInAddress)
  const [typed, setTyped] = useState<OpenedRequest | null>(null)
  // A person who may see the request needs no code.
  const isCodeNeeded = isId && (signedIn === null || place === 'nowhere')
  const held = useQuery<OpenedRequest, ApiError>({
    queryKey: ['held', signingRequestId, given],
    queryFn: () => openHeldRequest(signingRequestId, given!),
    enabled: isCodeNeeded && given !== null,
    staleTime: Infinity,
    retry: false,
  })
  const opened = typed ?? held.data
  const entry = isId ? { signingRequestId, error: held.error, onOpened: setTyped } : null
  if (signedIn === undefined) return <Loading />
  if (isCodeNeeded && opened) return <HeldRequest opened={opened} />
  if (isCodeNeeded && given !== null && held.isPending) return <Loading />
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!isSomebody || !isId)
    return (
      <RequestEntry
        signingRequestId={signingRequestId}
        name={signedIn?.fullName ?? null}
        isRefused={isSomebody && id !== undefined}
        entry={entry}
      />
    )
  if (place === undefined) return <Loading />
  if (place === 'nowhere') {
    return (
      <RequestEntry signingRequestId={signingRequestId} name={signedIn.fullName} isRefused entry={entry} />
    )
  }
  if (place === 'here') return <OwnRequest id={signingRequestId} person={signedIn} />
  return (
    <Navigate
      replace
      to="/signingRequests/$route/$id"
      params={{ route: place.route, id: signingRequestId }}
      search={{ organizationId: place.organizationId }}
    />
  )
}

/** Where the person may see the request: in an organisation; on this page, by their own numbers; or nowhere. */
type RequestPlace = { organizationId: string; route: 'incomings' | 'outgoings' } | 'here' | 'nowhere'

/** How many organisations are tried concurrently, so that a member of many organisations waits for few rounds. */
const triedAtOnce = 8

async function placeFor(signingRequestId: string, isOutsider: boolean): Promise<RequestPlace> {
  const organizationIds = isOutsider ? [] : await ownOrganizations()
  for (let i = 0; i < organizationIds.length; i += triedAtOnce) {
    const tried = organizationIds.slice(i, i + triedAtOnce)
    const found = await Promise.all(tried.map((id) => requestIn(id, signingRequestId)))
    const at = found.findIndex((request) => request !== null)
    if (at === -1) continue
    const isMine = found[at]!.points.some((point) => point.isMine)
    return { organizationId: tried[at]!, route: isMine ? 'incomings' : 'outgoings' }
  }
  return (await requestIn(emptyId, signingRequestId)) ? 'here' : 'nowhere'
}

async function requestIn(organizationId: string, signingRequestId: string): Promise<RequestView | null> {
  try {
    return await call(getRequest, { organizationId, signingRequestId })
  } catch (error) {
    const isNotTheirs = error instanceof ApiError && (error.status === 404 || error.status === 403)
    if (isNotTheirs) return null
    throw error
  }
}

/** The ids of the person's organisations, the last used one first. */
async function ownOrganizations(): Promise<string[]> {
  const [{ Login }, { Organizations }] = await Promise.all([call(getProfile, {}), call(getOrganizations, {})])
  const first = rememberedOrganization(Login)
  const ids = Organizations.map(({ Id }) => Id)
  return ids.toSorted((one, other) => Number(other === first) - Number(one === first))
}

/** The request for the person's own numbers, with an account or as an outsider. */
function OwnRequest({ id, person }: { id: string; person: NonNullable<SignedIn> }) {
  const { t } = useTexts('requests')
  const requestKey = { organizationId: emptyId, signingRequestId: id }
  const [isActing, setActing] = useState(false)
  const { request, error, refetch, mark, keep } = useRequest(requestKey, { isActing })
  if (!request && error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!request) return <Loading />
  return (
    <RequestScreen
      request={request}
      requestKey={requestKey}
      mark={mark}
      onKept={keep}
      onRefresh={refetch}
      onActing={setActing}
      top={
        <div className={classes.person}>
          <span>{t('outsider.signedInAs', { name: person.fullName })}</span>
          {person.isOutsider && <Anchor href={pages.numberInbox}>{t('outsider.inbox')}</Anchor>}
          <Anchor href={signInAddress(hereAsReturnApp(), true)}>{t('outsider.otherKey')}</Anchor>
          <Button variant="subtle" size="compact-md" onClick={() => void leave()}>
            {t('outsider.leave')}
          </Button>
        </div>
      }
    />
  )
}
