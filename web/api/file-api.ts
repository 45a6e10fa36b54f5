/** Calls that upload or download a file; loaded with the first page that needs them. */
import { fillPath, inputHeader, type Access, type Endpoint } from '@kelisim/domain/endpoint.ts'
import type * as z from 'zod/mini'
import { queryString } from './api.ts'
import { readBytes, sendBody } from './transfer.ts'
import { saveBlob } from '../ui/browser/save-blob.ts'

/** All input but the file goes into the query. */
export async function sendFile<A extends Access, I extends z.ZodMiniType, R extends z.ZodMiniType>(
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
  const saved = await sendBody(e.method, isPrivate ? path : path + queryString(rest), file, {
    headers: {
      'content-type': 'application/octet-stream',
      ...(isPrivate && { [inputHeader]: inBase64(rest) }),
    },
    signal,
    onProgress: (sent) => onProgress(sent),
  })
  return saved as z.output<R>
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
  return readBytes(body ? path : path + queryString(rest), { ...body, ...(signal && { signal }) })
}

/** Downloads before saving, so that a refusal is shown by the page and not in the browser's list of downloads. */
export function saveBytes(bytes: ArrayBuffer, name: string, mediaType: string): void {
  saveBlob(new Blob([bytes], { type: mediaType }), name)
}
