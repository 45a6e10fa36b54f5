/** One exchange with a service: one connection, to an address that was judged, with every limit on it. */
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
import { brokenConnection, OutsideFailure } from './failure.ts'
import { isPublicAddress } from './public-address.ts'
import type { ResolveName } from './resolve-name.ts'
import { literalOf, type Target } from './target.ts'

export type Question = {
  method: 'GET' | 'POST'
  body?: Uint8Array
  contentType?: string
  /** The one media type the answer may have; left out, any will do. */
  accept?: string
  maxBytes: number
}

export type Body = AsyncIterable<Uint8Array>

// No connection is used twice: what an answer left in it would be taken for the next. Nor is a proxy of the
// environment used: it would look names up itself, behind our back.
const perService = { keepAlive: false, maxSockets: 16 }
const agents = { http: new HttpAgent(perService), https: new HttpsAgent(perService) }

/** Hands the body of the answer to `take`. `signal` ends everything, with its reason as the error. */
export async function attempt<T>(
  target: Target,
  question: Question,
  take: (body: Body) => Promise<T>,
  limits: { connectMs: number; signal: AbortSignal; resolve: ResolveName },
): Promise<T> {
  const abort = new AbortController()
  const signal = AbortSignal.any([limits.signal, abort.signal])
  const isLate = setTimeout(
    () => abort.abort(new OutsideFailure('timeout', target.service, 'no connection in time')),
    limits.connectMs,
  )
  let request: ClientRequest | undefined
  try {
    const addresses = await judgedAddresses(target, limits.resolve, signal)
    request = open(target, question, addresses, signal)
    request.on('socket', (socket) => onceConnected(target, socket, () => clearTimeout(isLate)))
    const response = await answerTo(request, target, signal)
    refuseUnfit(response, question, target.service)
    return await take(limitedBody(response, question.maxBytes, target.service, signal))
  } finally {
    clearTimeout(isLate)
    request?.destroy()
  }
}

/** The addresses that will be connected to, and no others: looked up once, judged, then given to the socket. */
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
  if (addresses.length === 0) throw new OutsideFailure('unreachable', service, 'the name has no address')
  // A public name with one address inside is a trap, whatever its other addresses are.
  if (!mayBePrivate && !addresses.every(isPublicAddress)) {
    throw new OutsideFailure('refused-address', service, 'the name leads to an address that is not public')
  }
  return addresses
}

function open(
  { url }: Target,
  { method, body, contentType, accept }: Question,
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
      // An answer that unpacks to a thousand times its size is no answer to measure.
      'accept-encoding': 'identity',
      'user-agent': 'Kelisim',
      connection: 'close',
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
  }
  const request =
    url.protocol === 'https:'
      ? httpsRequest(url, { ...options, agent: agents.https, rejectUnauthorized: true })
      : httpRequest(url, { ...options, agent: agents.http })
  return request.end(body)
}

/** In place of a look-up: a second one could answer otherwise than the one that was judged. */
function alwaysTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, options, callback) => {
    if (options.all) callback(null, found)
    else callback(null, found[0]!.address, found[0]!.family)
  }
}

/** Over https the greeting of the two sides is part of connecting. */
function onceConnected({ url }: Target, socket: Socket, then: () => void): void {
  socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', then)
}

async function answerTo(
  request: ClientRequest,
  { service }: Target,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // Errors may come at any time until the socket is gone, also when nobody waits for them any more.
  request.on('error', () => {})
  // Without a listener for it, a change of protocol would close the connection and say nothing.
  const upgraded = new Promise<never>((_resolve, reject) => {
    request.once('upgrade', (_response, socket: Socket) => {
      socket.destroy()
      reject(new OutsideFailure('bad-answer', service, 'wants another protocol'))
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

function refuseUnfit(response: IncomingMessage, { accept, maxBytes }: Question, service: string): void {
  const { statusCode = 0, headers } = response
  const unfit = (detail: string) => new OutsideFailure('bad-answer', service, detail)
  if (statusCode >= 500 || statusCode === 429) {
    throw new OutsideFailure('unreachable', service, `status ${statusCode}`)
  }
  // Redirects too: where they lead was neither configured nor signed by anyone.
  if (statusCode !== 200) throw unfit(`status ${statusCode}`)
  const encodings = [headers['content-encoding'], headers['transfer-encoding']]
  if (encodings.some((value) => value !== undefined && !/^(identity|chunked)$/i.test(value.trim()))) {
    throw unfit('compressed')
  }
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (accept !== undefined && mediaType !== accept) throw unfit('another media type')
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new OutsideFailure('too-big', service)
}

/** Counted as it comes, for the stated length may be a lie. */
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
      if (length > maxBytes) throw new OutsideFailure('too-big', service)
      yield chunk
    }
  } catch (error) {
    throw ended(error, service, signal)
  }
}

/** When we hung up ourselves, the reason is ours and not the torn connection that followed. */
function ended(error: unknown, service: string, signal: AbortSignal): OutsideFailure {
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
