/** The calls of signing: load the bytes to sign, and submit the signature. */
import { fillPath } from '@kelisim/domain/endpoint.ts'
import { actAtPoint, getRequest, lockRequest, unlockRequest } from '@kelisim/domain/requests/contract.ts'
import {
  downloadPrepared,
  downloadRequestFile,
  getPreparation,
} from '@kelisim/domain/requests/files-contract.ts'
import { actOnPackage } from '@kelisim/domain/requests/packages/contract.ts'
import { pointStatusOf } from '@kelisim/domain/requests/point-status-word.ts'
import { ApiError, call } from '../../api/api.ts'
import { readBytes, sendBody } from '../../api/transfer.ts'
import {
  currentPoints,
  isSignedInside,
  isSignedInXml,
  kindOfPoint,
  processOfRequest,
  type PointView,
  type RequestView,
} from '../shared/request-view.ts'
import type { LoadedContent, SignedContent, SignedTask, SigningResult, SigningTask } from './run-signing.ts'

export class DamagedFileError extends Error {}

/** The exact bytes as base64, after comparing their hash with that of the request. */
export async function loadContent(
  organizationId: string,
  { request, point }: SigningTask,
  onBytes: (count: number) => void,
  signal: AbortSignal,
): Promise<LoadedContent> {
  const ofRequest = { organizationId, signingRequestId: request.id }
  const isTermination = processOfRequest(request) === 'terminating'
  if (isSignedInside({ request, point })) {
    const { pointId } = point
    const { at } = await call(getPreparation, { ...ofRequest, pointId })
    const { path } = fillPath(downloadPrepared.path, { ...ofRequest, pointId, at })
    const bytes = await fetchBytes(path, onBytes, signal)
    // The beginning must be the document that the page shows; what others appended to it is checked by the server.
    const { size, sha256: known } = request.document
    if ((await sha256(bytes.slice(0, size))) !== known) throw new DamagedFileError()
    return { base64: base64Of(bytes), prepared: { at, sha256: await sha256(bytes) } }
  }
  const file = isTermination ? 'terminating' : 'original'
  const { path } = fillPath(downloadRequestFile.path, { ...ofRequest, file })
  const bytes = await fetchBytes(path, onBytes, signal)
  if (!isTermination && (await sha256(bytes)) !== request.document.sha256) throw new DamagedFileError()
  // TextDecoder drops the byte order mark, which the signing program would take for text before the document.
  if (isSignedInXml({ request, point })) return { xml: new TextDecoder().decode(bytes) }
  return { base64: base64Of(bytes) }
}

async function fetchBytes(
  path: string,
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readBytes(path, { signal, onProgress }))
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Encodes in pieces, because a document has too many bytes for the arguments of one call. */
function base64Of(bytes: Uint8Array): string {
  const piece = 0x8000
  let text = ''
  for (let at = 0; at < bytes.length; at += piece) {
    text += String.fromCharCode(...bytes.subarray(at, at + piece))
  }
  return btoa(text)
}

type Sent = {
  organizationId: string
  task: SigningTask
  comment: string
  /** One key for each dialog and request, so that a retry after a lost response signs once. */
  key: string
  signed: SignedContent
  onBytes: (count: number, total: number) => void
}

const mostRepeats = 5
/** The most retries after timeouts: each takes more than a minute, and people wait for their sum. */
const mostRepeatsAfterSilence = 2
const pause = 2000

/** The answer came too late, for this page or for a proxy on the way. */
function isSilence({ alias }: ApiError): boolean {
  return alias === 'request-timeout' || alias === 'gateway-timeout'
}

function isWithoutAnswer(error: ApiError): boolean {
  return error.alias === 'connection-lost' || isSilence(error)
}

/**
 * A signature stays valid when others act meanwhile: it is sent again with the new version as long as it is awaited.
 * It is refused if the author has corrected the document, or if it belongs inside a document to which another
 * signature was added first.
 */
export async function sendSignature({
  organizationId,
  task,
  comment,
  key,
  signed,
  onBytes,
}: Sent): Promise<SigningResult> {
  let { request } = task
  const { pointId } = task.point
  let silences = 0
  for (let i = 0; ; i++) {
    const input = {
      organizationId,
      signingRequestId: request.id,
      pointId,
      comment,
      key,
      ...signed,
      pointTypeName: kindOfPoint(task.point),
      action: 'sign',
      currentVersion: request.currentVersion,
      revision: task.request.revision,
    }
    try {
      return resultOf(await post(input, onBytes), pointId)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (isSilence(error)) silences++
      if (i >= mostRepeats || silences > mostRepeatsAfterSilence) return { kind: 'error', error }
      if (isWithoutAnswer(error)) {
        // The server may have received it; with the same key it is accepted once.
        await new Promise((resolve) => setTimeout(resolve, pause))
        continue
      }
      if (error.alias !== 'request-changed') return { kind: 'error', error }
      try {
        request = await call(getRequest, { organizationId, signingRequestId: request.id })
      } catch (failure) {
        if (failure instanceof ApiError) return { kind: 'error', error: failure }
        throw failure
      }
      const isStillAsked = request.acts.some((one) => one.act === 'sign' && one.pointId === pointId)
      if (!isStillAsked) return { kind: 'error', error }
    }
  }
}

type SentTogether = {
  organizationId: string
  signed: readonly SignedTask[]
  comment: string
  keyOf: (requestId: string) => string
}

/** All or none: a refusal of one signature is the result of every document. */
export async function sendTogether({
  organizationId,
  signed,
  comment,
  keyOf,
}: SentTogether): Promise<SigningResult[]> {
  const packageId = signed[0]!.task.request.package!.id
  const documents = signed.map(
    ({ task: { request, point }, signed: { signature, timestampedSignature } }) => ({
      signingRequestId: request.id,
      pointId: point.pointId,
      revision: request.revision,
      key: keyOf(request.id),
      signature,
      ...(timestampedSignature !== undefined && { timestampedSignature }),
    }),
  )
  let silences = 0
  for (let i = 0; ; i++) {
    try {
      const { requests } = await call(actOnPackage, {
        organizationId,
        packageId,
        action: 'sign',
        comment,
        documents,
      })
      return signed.map(({ task: { request, point } }) =>
        resultOf(
          requests.find(({ id }) => id === request.id)!,
          point.pointId,
        ),
      )
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (isSilence(error)) silences++
      if (!isWithoutAnswer(error) || i >= mostRepeats || silences > mostRepeatsAfterSilence)
        return signed.map(() => ({ kind: 'error', error }))
      // The server may have received them; with the same keys they are accepted once.
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

/** The outcome of the signature at the point. */
export function resultOf(request: RequestView, pointId: string): SigningResult {
  const point = findPoint(request, pointId)
  const last = point?.signatures.at(-1)
  if (last?.state === 'refused' || (point && pointStatusOf(point) === 'ValidationError')) {
    return { kind: 'refused', code: last?.verdict?.code ?? null }
  }
  return { kind: last?.state === 'checking' ? 'checking' : 'accepted' }
}

/** Looks in the process in which the signature was made, which may have ended with this signature. */
function findPoint(request: RequestView, pointId: string): PointView | undefined {
  return currentPoints(request).find((point) => point.pointId === pointId)
}

/** Reports when the upload has finished; from then on the server has the signature. */
async function post(input: Record<string, unknown>, onBytes: Sent['onBytes']): Promise<RequestView> {
  const { path, rest } = fillPath(actAtPoint.path, input)
  const request = await sendBody(actAtPoint.method, path, JSON.stringify(rest), {
    headers: { 'content-type': 'application/json' },
    onProgress: onBytes,
  })
  return request as RequestView
}

/** Locks the request, so that others see who is signing. */
export async function holdRequest(organizationId: string, signingRequestId: string): Promise<void> {
  await call(lockRequest, { organizationId, signingRequestId })
}

/** Releases the lock; `keepalive` sends the call even while the page closes. A lock that is not released expires. */
export function letGo(organizationId: string, signingRequestId: string): void {
  const { path, rest } = fillPath(unlockRequest.path, { organizationId, signingRequestId })
  void fetch(path, {
    method: unlockRequest.method,
    keepalive: true,
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rest),
  }).catch(() => {})
}
