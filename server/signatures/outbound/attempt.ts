/** One exchange with a service: one connection, to a checked address, with all limits applied. */
import { once } from 'node:events'
import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { causeHeaders, inSpan } from '../../tracing/tracing.ts'
import { brokenConnection, OutboundFailure } from './failure.ts'
import { isPublicAddress } from './public-address.ts'
import type { ResolveName } from './resolve-name.ts'
import { literalOf, type Target } from './target.ts'

export type OutboundQuestion = {
  method: 'GET' | 'POST'
  body?: Uint8Array
  contentType?: string
  /** The only media type the response may have; any if left out. */
  accept?: string
  /** Further headers. */
  headers?: Readonly<Record<string, string>>
  /** Accepts any response: the caller looks at its status, and reads as much of its body as it wants. */
  isAnyStatusTaken?: boolean
  maxBytes: number
}

export type Body = AsyncIterable<Uint8Array>

// No connection is reused: leftovers of one response could be taken for the next. No proxy of the environment is used
// either: it would resolve names itself, without the check of addresses.
const perService = { keepAlive: false, maxSockets: 16 }
const agents = { http: new HttpAgent(perService), https: new HttpsAgent(perService) }

/** Passes the response body to `take`. `signal` aborts everything, with its reason as the error. */
export function attempt<T>(
  target: Target,
  question: OutboundQuestion,
  take: (body: Body, statusCode: number) => Promise<T>,
  limits: AttemptLimits,
): Promise<T> {
  const attributes = { 'http.request.method': question.method, 'server.address': target.service }
  return inSpan('client', `${question.method} ${target.service}`, attributes, () =>
    exchange(target, question, take, limits),
  )
}

type AttemptLimits = { connectMs: number; signal: AbortSignal; resolve: ResolveName }

async function exchange<T>(
  target: Target,
  question: OutboundQuestion,
  take: (body: Body, statusCode: number) => Promise<T>,
  limits: AttemptLimits,
): Promise<T> {
  const abort = new AbortController()
  const signal = AbortSignal.any([limits.signal, abort.signal])
  const isLate = setTimeout(
    () => abort.abort(new OutboundFailure('timeout', target.service, 'no connection in time')),
    limits.connectMs,
  )
  let request: ClientRequest | undefined
  try {
    const addresses = await judgedAddresses(target, limits.resolve, signal)
    request = open(target, question, addresses, signal)
    request.on('socket', (socket) => onceConnected(target, socket, () => clearTimeout(isLate)))
    const response = await responseTo(request, target, signal)
    refuseUnfit(response, question, target.service)
    const body = limitedBody(response, question.maxBytes, target.service, signal)
    return await take(body, response.statusCode ?? 0)
  } finally {
    clearTimeout(isLate)
    request?.destroy()
  }
}

/** The only addresses that will be connected to: resolved once, checked, then passed to the socket. */
async function judgedAddresses(
  target: Target,
  resolve: ResolveName,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { url, service, mayBePrivate } = target
  const literal = literalOf(url)
  if (literal !== undefined) return [literal]
  const addresses = await orAborted(resolve(target), signal).catch((error: unknown) => {
    throw brokenConnection(error, service)
  })
  if (addresses.length === 0) throw new OutboundFailure('unreachable', service, 'the name has no address')
  // A public name with one private address is a trap, whatever its other addresses are.
  if (!mayBePrivate && !addresses.every(isPublicAddress)) {
    throw new OutboundFailure('refused-address', service, 'the name leads to an address that is not public')
  }
  return addresses
}

function open(
  { url }: Target,
  { method, body, contentType, accept, headers }: OutboundQuestion,
  addresses: readonly string[],
  signal: AbortSignal,
): ClientRequest {
  const options = {
    method,
    signal,
    lookup: alwaysTo(addresses),
    autoSelectFamilyAttemptTimeout: 1000,
    headers: {
      accept: accept ?? '*/*',
      // A compressed response could unpack to a thousand times its size, past the limit.
      'accept-encoding': 'identity',
      'user-agent': 'Kelisim',
      connection: 'close',
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...headers,
      ...causeHeaders(),
    },
  }
  const request =
    url.protocol === 'https:'
      ? httpsRequest(url, { ...options, agent: agents.https, rejectUnauthorized: true })
      : httpRequest(url, { ...options, agent: agents.http })
  return request.end(body)
}

/** Replaces the DNS lookup: a second one could return other addresses than those that were checked. */
function alwaysTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, options, callback) => {
    if (options.all) callback(null, found)
    else callback(null, found[0]!.address, found[0]!.family)
  }
}

/** Over https the TLS handshake is part of connecting. */
function onceConnected({ url }: Target, socket: Socket, then: () => void): void {
  socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', then)
}

async function responseTo(
  request: ClientRequest,
  { service }: Target,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // Errors may come until the socket is closed, even when nothing waits for them any more.
  request.on('error', () => {})
  // Without a listener, a protocol upgrade would close the connection silently.
  const upgraded = new Promise<never>((_resolve, reject) => {
    request.once('upgrade', (_response, socket: Socket) => {
      socket.destroy()
      reject(new OutboundFailure('bad-answer', service, 'wants another protocol'))
    })
  })
  try {
    const [response] = (await Promise.race([once(request, 'response', { signal }), upgraded])) as [
      IncomingMessage,
    ]
    return response
  } catch (error) {
    throw ended(error, service, signal)
  }
}

function refuseUnfit(
  response: IncomingMessage,
  { accept, maxBytes, isAnyStatusTaken }: OutboundQuestion,
  service: string,
): void {
  if (isAnyStatusTaken) return
  const { statusCode = 0, headers } = response
  const unfit = (detail: string) => new OutboundFailure('bad-answer', service, detail)
  if (statusCode >= 500 || statusCode === 429) {
    throw new OutboundFailure('unreachable', service, `status ${statusCode}`)
  }
  // Includes redirects: their target is neither configured nor signed by anyone.
  if (statusCode !== 200) throw unfit(`status ${statusCode}`)
  const encodings = [headers['content-encoding'], headers['transfer-encoding']]
  if (encodings.some((value) => value !== undefined && !/^(identity|chunked)$/i.test(value.trim()))) {
    throw unfit('compressed')
  }
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (accept !== undefined && mediaType !== accept) throw unfit('another media type')
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new OutboundFailure('too-big', service)
}

/** The length is counted while reading, because the stated one may be false. */
async function* limitedBody(
  response: IncomingMessage,
  maxBytes: number,
  service: string,
  signal: AbortSignal,
): Body {
  let length = 0
  try {
    for await (const chunk of addAbortSignal(signal, response) as AsyncIterable<Uint8Array>) {
      length += chunk.length
      if (length > maxBytes) throw new OutboundFailure('too-big', service)
      yield chunk
    }
  } catch (error) {
    throw ended(error, service, signal)
  }
}

/** If the call was aborted here, the abort reason is the error, not the connection error that followed. */
function ended(error: unknown, service: string, signal: AbortSignal): OutboundFailure {
  return brokenConnection(signal.aborted ? signal.reason : error, service)
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
