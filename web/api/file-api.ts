/** Calls that upload or download a file; loaded with the first page that needs them. */
import { fillPath, inputHeader, type Access, type Endpoint } from '@kelisim/domain/endpoint.ts'
import type * as z from 'zod/mini'
import { failureOf, leavesForSignIn, noticeBuild, queryString, transportError, type ApiError } from './api.ts'
import { saveBlob } from '../ui/browser/save-blob.ts'

/** Uses XMLHttpRequest because fetch does not report upload progress. All input but the file goes into the query. */
export function sendFile<A extends Access, I extends z.ZodMiniType, R extends z.ZodMiniType>(
  e: Endpoint<A, I, R>,
  input: z.input<I>,
  file: Blob,
  {
    signal,
    onProgress,
    isPrivate = false,
  }: {
    signal: AbortSignal
    onProgress: (sent: number) => void
    /** Sends the input in a header, because it must not appear in the address. */
    isPrivate?: boolean
  },
): Promise<z.output<R>> {
  const { path, rest } = fillPath(e.path, input as Record<string, unknown>)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const refuseOrLeave = (error: ApiError) => {
      if (!leavesForSignIn(error)) reject(error)
    }
    request.open(e.method, isPrivate ? path : path + queryString(rest))
    request.responseType = 'text'
    request.setRequestHeader('accept', 'application/json, text/plain')
    request.setRequestHeader('content-type', 'application/octet-stream')
    if (isPrivate) request.setRequestHeader(inputHeader, inBase64(rest))
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('error', () =>
      reject(transportError('connection-lost', 'TemporaryUnavailableException')),
    )
    request.addEventListener('abort', () => reject(signal.reason as Error))
    request.addEventListener('load', () => {
      noticeBuild(request.getResponseHeader('x-app-build'))
      const { status, responseText } = request
      if (status === 200) resolve(JSON.parse(responseText) as z.output<R>)
      else void failureOf(new Response(responseText, { status })).then(refuseOrLeave)
    })
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

function inBase64(input: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(input))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** The bytes of a file that an endpoint returns. */
export function fetchFile<A extends Access, I extends z.ZodMiniType>(
  e: Endpoint<A, I>,
  input: z.input<I>,
  signal?: AbortSignal,
): Promise<ArrayBuffer> {
  const { path, rest } = fillPath(e.path, input as Record<string, unknown>)
  const body = e.method !== 'GET' && {
    method: e.method,
    body: JSON.stringify(rest),
    headers: { 'content-type': 'application/json' },
  }
  return fetchBytes(body ? path : path + queryString(rest), signal, body || {})
}

/** The bytes at an address of this site. */
export async function fetchBytes(
  address: string,
  signal?: AbortSignal,
  more: RequestInit = {},
): Promise<ArrayBuffer> {
  let response: Response
  try {
    response = await fetch(address, { credentials: 'same-origin', signal: signal ?? null, ...more })
    if (response.ok) return await response.arrayBuffer()
  } catch (error) {
    if (signal?.aborted) throw error
    throw transportError('connection-lost', 'TemporaryUnavailableException')
  }
  const error = await failureOf(response)
  if (leavesForSignIn(error)) return new Promise(() => {})
  throw error
}

/** Downloads before saving, so that a refusal is shown by the page and not in the browser's list of downloads. */
export function saveBytes(bytes: ArrayBuffer, name: string, mediaType: string): void {
  saveBlob(new Blob([bytes], { type: mediaType }), name)
}
