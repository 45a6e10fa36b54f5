/**
 * Moves files to and from the server. Large files on slow connections take long, so a transfer times out only when no
 * bytes have moved for the timeout of a call.
 */
import {
  connectionLost,
  failureOf,
  leavesForSignIn,
  noticeBuild,
  timedOut,
  timeout,
  type ApiError,
} from './api.ts'

/** Uses XMLHttpRequest because fetch does not report upload progress. */
export function sendBody(
  method: string,
  path: string,
  body: XMLHttpRequestBodyInit,
  {
    headers,
    signal,
    onProgress,
  }: {
    headers: Record<string, string>
    signal?: AbortSignal
    onProgress: (sent: number, total: number) => void
  },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stall = watchForStall(() => {
      reject(timedOut())
      request.abort()
    })
    request.open(method, path)
    request.responseType = 'text'
    request.setRequestHeader('accept', 'application/json, text/plain')
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    const onSent = ({ loaded, total }: ProgressEvent) => {
      stall.moved()
      onProgress(loaded, total)
    }
    request.upload.addEventListener('progress', onSent)
    request.upload.addEventListener('load', onSent)
    request.addEventListener('progress', stall.moved)
    request.addEventListener('loadend', stall.end)
    request.addEventListener('error', () => reject(connectionLost()))
    request.addEventListener('abort', () => reject(signal?.reason as Error))
    request.addEventListener('load', () => {
      noticeBuild(request.getResponseHeader('x-app-build'))
      const { status, responseText } = request
      if (status !== 200) {
        const failure = failureOf(status, responseText)
        if (!leavesForSignIn(failure)) reject(failure)
        return
      }
      try {
        resolve(JSON.parse(responseText))
      } catch {
        reject(connectionLost())
      }
    })
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}

/** The bytes at an address of this site. */
export async function readBytes(
  address: string,
  {
    signal,
    onProgress,
    ...init
  }: Omit<RequestInit, 'signal'> & { signal?: AbortSignal; onProgress?: (received: number) => void },
): Promise<ArrayBuffer> {
  const stalled = new AbortController()
  const stall = watchForStall(() => stalled.abort())
  let failure: ApiError
  try {
    const response = await fetch(address, {
      credentials: 'same-origin',
      ...init,
      signal: signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal,
    })
    if (response.ok) {
      return await bytesOf(response, (received) => {
        stall.moved()
        onProgress?.(received)
      })
    }
    failure = failureOf(response.status, await response.text())
  } catch (error) {
    if (signal?.aborted) throw error
    throw stalled.signal.aborted ? timedOut() : connectionLost()
  } finally {
    stall.end()
  }
  if (leavesForSignIn(failure)) return new Promise(() => {})
  throw failure
}

async function bytesOf(response: Response, onProgress: (received: number) => void): Promise<ArrayBuffer> {
  if (!response.body) return new ArrayBuffer(0)
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let received = 0
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read()
    if (done) break
    pieces.push(value)
    received += value.length
    onProgress(received)
  }
  return new Blob(pieces).arrayBuffer()
}

function watchForStall(onStall: () => void) {
  let timer = setTimeout(onStall, timeout)
  const end = () => clearTimeout(timer)
  return {
    end,
    moved: () => {
      end()
      timer = setTimeout(onStall, timeout)
    },
  }
}
