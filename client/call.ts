/** Makes one call of the contract, with retries where they are safe. Needs only `fetch`: works in Node and browsers. */
import { fillPath, type Endpoint } from '@kelisim/domain/endpoint.ts'
import type * as z from 'zod/mini'
import { failureOf, KelisimError } from './errors.ts'

export type Connection = {
  /** The address of the installation: `https://kelisim.example`. */
  address: string
  /** Made by an owner of the organisation in the Administrative Portal. */
  token: string
  /** The language of messages. */
  language?: 'ru' | 'kk' | 'en'
  /** How often a call is retried after a network failure or a request to wait; 4 by default. */
  retries?: number
  /** The timeout of one attempt, in milliseconds. */
  timeout?: number
  fetch?: typeof fetch
  /** Waits between attempts; tests replace it to avoid waiting. */
  pause?: (milliseconds: number) => Promise<void>
}

export type CallOptions = {
  /**
   * The idempotency key: calls with the same key and input take effect once, even from different processes. A random
   * key is used for each call where none is given.
   */
  key?: string
  /** The file of a call that takes one. */
  file?: Blob | Uint8Array<ArrayBuffer> | string
  signal?: AbortSignal
}

type ProgramEndpoint<I extends z.ZodMiniType, R extends z.ZodMiniType> = Endpoint<'program', I, R>

export async function callFor<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  connection: Connection,
  e: ProgramEndpoint<I, R>,
  input: z.input<I>,
  options: CallOptions = {},
): Promise<z.output<R>> {
  const response = await responseFor(connection, e, input, options)
  return (await response.json()) as z.output<R>
}

/** Makes a call that returns a file: its bytes, and the name that the server suggests. */
export async function fileFor<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  connection: Connection,
  e: ProgramEndpoint<I, R>,
  input: z.input<I>,
  options: CallOptions = {},
): Promise<{ name: string | null; bytes: Uint8Array<ArrayBuffer> }> {
  const response = await responseFor(connection, e, input, options)
  const name = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { name: name === undefined ? null : decodeURIComponent(name), bytes }
}

/** The same key for every attempt, so that nothing is done twice. */
async function responseFor<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  connection: Connection,
  e: ProgramEndpoint<I, R>,
  input: z.input<I>,
  { key = crypto.randomUUID(), file, signal }: CallOptions,
): Promise<Response> {
  const { retries = 4, pause = wait } = connection
  const request = requestFor(connection, e, input, { key, file })
  for (let attempt = 0; ; attempt++) {
    const outcome = await attempted(connection, request, signal)
    if (outcome instanceof Response) return outcome
    if (!outcome.isTemporary || attempt >= retries) throw outcome
    await pause(outcome.retryAfter ?? pauseBefore(attempt))
    signal?.throwIfAborted()
  }
}

type PreparedRequest = { url: string; init: RequestInit }

function requestFor<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  { address, token, language = 'ru' }: Connection,
  e: ProgramEndpoint<I, R>,
  input: z.input<I>,
  { key, file }: { key: string; file: CallOptions['file'] },
): PreparedRequest {
  const { path, rest } = fillPath(e.path, input as Record<string, unknown>)
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  const isInQuery = e.method === 'GET' || e.takesFile === true
  const url = new URL(path, address)
  if (isInQuery) for (const [name, value] of given) url.searchParams.set(name, String(value))
  const body = e.takesFile ? file : isInQuery ? undefined : JSON.stringify(Object.fromEntries(given))
  return {
    url: url.href,
    init: {
      method: e.method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, */*',
        'accept-language': language,
        ...(body !== undefined && {
          'content-type': e.takesFile ? 'application/octet-stream' : 'application/json',
        }),
        ...(e.method !== 'GET' && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body }),
      // A redirect must not take the token to another address.
      redirect: 'error',
    },
  }
}

async function attempted(
  { fetch: send = fetch, timeout = 100_000 }: Connection,
  { url, init }: PreparedRequest,
  signal: AbortSignal | undefined,
): Promise<Response | KelisimError> {
  const limit = AbortSignal.timeout(timeout)
  try {
    const response = await send(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit })
    return response.ok ? response : await failureOf(response)
  } catch (error) {
    if (signal?.aborted) throw error
    return limit.aborted
      ? new KelisimError(0, 'timed-out', 'No response in time', { cause: error })
      : new KelisimError(0, 'connection-lost', 'No connection', { cause: error })
  }
}

/**
 * Half a second, doubled each time, up to half a minute; with jitter, so that clients do not retry at the same time.
 */
function pauseBefore(attempt: number): number {
  const longest = Math.min(500 * 2 ** attempt, 30_000)
  return longest / 2 + (Math.random() * longest) / 2
}

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
