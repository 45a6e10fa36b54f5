/** Signing by phone: the calls of the page. The calls of the app are in app-routes.ts. */
import { encode } from 'uqr'
import type { Db } from '@kelisim/db/db.ts'
import { sizeLimits } from '@kelisim/domain/documents/formats.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { requestPage } from '@kelisim/domain/pages.ts'
import { processOf } from '@kelisim/domain/requests/life-cycle/request.ts'
import { createCrosslinks, getCrosslinks } from '@kelisim/domain/requests/phone-contract.ts'
import { processKinds } from '@kelisim/domain/requests/status.ts'
import { launchLink, phoneCode } from '@kelisim/domain/signatures/phone-protocol.ts'
import { ownPath } from '../../http/own-path.ts'
import type { Serve } from '../../http/serve.ts'
import { isOutsider } from '../../http/session.ts'
import { addMobileSigning, isAnswered, isOver } from './phone-signings.ts'
import { findMobileSigning, getSignatureState, type MobileSigning } from './queries.ts'
import { partyOf, visibleRequest, type Party } from '../core/party.ts'
import { isInside } from '../signed-pdf/handlers.ts'
import { refuseUnless } from '../core/perform.ts'
import type { LoadedRequest } from '../core/loaded.ts'

type MobileDependencies = {
  publicUrl: URL
  /** Whether signatures can be checked here; otherwise nothing is signed. */
  isChecked: boolean
  /** The page of the demo that stands in for the phone. */
  phoneUrl: URL | null
}

export function mobileHandlers(serve: Serve, { publicUrl, isChecked, phoneUrl }: MobileDependencies): void {
  serve(createCrosslinks, async ({ input, who, db, write, now }) => {
    const { deviceType, comment, signingRequestId, pointId } = input
    if (!isChecked) refuse('signature-not-checked', { code: '' })
    const party = await partyOf(db, who, now)
    const asked = [{ signingRequestId, pointId }, ...input.also]
    const signable: LoadedRequest[] = []
    // One after the other, so that the first refusal is the one that is given.
    for (const one of asked) {
      const loaded = await visibleRequest(db, one.signingRequestId, party)
      refuseUnsignable(loaded, one.pointId, input.signingRequestsAssociationType, party, now)
      signable.push(loaded)
    }
    refuseMixed(signable)
    const [first, ...also] = signable.map(({ row, request }, i) => ({
      requestId: row.id,
      pointId: asked[i]!.pointId,
      attempt: processOf(request) === 'terminating' ? row.attempt : 0,
      signatureId: null,
    }))
    const signed = {
      ...first!,
      also: also.length > 0 ? also : null,
      comment,
      backTo:
        deviceType === 'Desktop' ? null : backTo(input.callbackURI ?? null, signingRequestId, publicUrl),
      organizationId: party.viewer.organizationId,
    }
    const whose = isOutsider(who) ? { outsiderId: who.outsiderId } : { userId: who.userId }
    const signing = await write((tx) => addMobileSigning(tx, { ...signed, ...whose }, now))
    const entry = entryOf(signing, publicUrl)
    const code = phoneCode(entry)
    return {
      id: signing.id,
      expiresAt: signing.expiresAt.toISOString(),
      code,
      qr: qrPath(code),
      links: {
        eGovMobile: launchLink('mobileSign', entry),
        eGovBusiness: launchLink('businessSign', entry),
      },
      standInUrl: phoneUrl && withCode(phoneUrl, code),
    }
  })

  serve(getCrosslinks, async ({ input, who, db, now }) => {
    const { viewer } = await partyOf(db, who, now)
    const signing = await findMobileSigning(db, input.crosslinkId)
    const isTheirs =
      (signing?.userId ?? signing?.outsiderId) === viewer.id &&
      signing?.organizationId === viewer.organizationId
    if (!signing || !isTheirs) refuse('mobile-signing-not-found')
    const { id, requestId: signingRequestId, pointId, state, expiresAt, refusal } = signing
    return {
      id,
      signingRequestId,
      pointId,
      refusal,
      expiresAt: expiresAt.toISOString(),
      state: !isAnswered(signing) && isOver(signing, now) ? ('expired' as const) : state,
      signature: await signatureOf(db, signing),
      also: await Promise.all(
        (signing.also ?? []).map(async (one) => ({
          signingRequestId: one.requestId,
          signature: await signatureOf(db, one),
        })),
      ),
    }
  })
}

function refuseUnsignable(
  loaded: LoadedRequest,
  pointId: string,
  wanted: 0 | (typeof processKinds)[keyof typeof processKinds],
  { viewer }: Party,
  now: Date,
): void {
  const { status } = loaded.request
  if (wanted !== 0 && wanted !== processKinds[processOf(loaded.request)])
    refuse('wrong-request-status', { status })
  refuseUnless(loaded, { type: 'sign', pointId, by: viewer, signatureId: '' }, now)
  if (!isShownByPhone(loaded)) refuse('mobile-pdf-only')
  if (isInside(loaded, pointId)) refuse('mobile-not-inside')
}

/**
 * Refuses documents of several senders, because the app names only one, and too large ones, because it holds all at
 * once.
 */
function refuseMixed(signable: readonly LoadedRequest[]): void {
  if (new Set(signable.map(({ row }) => row.organizationId)).size > 1) refuse('mobile-one-sender')
  const size = signable.reduce((sum, { row }) => sum + row.size, 0)
  if (signable.length > 1 && size > sizeLimits.pdf) refuse('mobile-too-large')
}

/** The app can show only PDF, and nobody should sign what they cannot see. */
export function isShownByPhone({ row, request }: LoadedRequest): boolean {
  return processOf(request) === 'terminating' || row.format === 'pdf'
}

/** The first address that the app calls; it looks for `mgovSign` in the path. */
function entryOf({ id }: MobileSigning, publicUrl: URL): string {
  return new URL(`/api/e/${id}/mgovSign`, publicUrl).href
}

function backTo(callbackUri: string | null, requestId: string, publicUrl: URL): string {
  if (callbackUri === null) return requestPage(requestId)
  return (
    ownPath(callbackUri, publicUrl) ??
    refuse('validation-failure', { fields: [{ path: 'callbackURI', code: 'incorrect' }] })
  )
}

/** The QR code as one SVG path of horizontal runs, with a margin of two modules. */
export function qrPath(code: string): { size: number; path: string } {
  const { size, data } = encode(code, { ecc: 'L', border: 2 })
  const strokes = data.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`),
  )
  return { size, path: strokes.join('') }
}

export function withCode(phoneUrl: URL, code: string): string {
  const url = new URL(phoneUrl)
  url.searchParams.set('code', code)
  return url.href
}

export async function signatureOf(db: Db, { signatureId }: Pick<MobileSigning, 'signatureId'>) {
  if (signatureId === null) return null
  const { id, state, verdict } = await getSignatureState(db, signatureId)
  const code = verdict && 'code' in verdict && typeof verdict.code === 'string' ? verdict.code : null
  return { id, state, code }
}
