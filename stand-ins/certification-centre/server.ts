/**
 * The services of the centre over HTTP, at the addresses in its certificates:
 *
 *   POST /ocsp   GET /ocsp/<request>   POST /tsp   GET /crl/<name>.crl   GET /cert/<name>.cer
 *   GET, POST /faults                  the simulated faults, for tests and demonstrations; from this machine only
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { refuseOcsp } from '@kelisim/signature/signer/ocsp-responder.ts'
import { refuseTimestamp } from '@kelisim/signature/signer/timestamp-authority.ts'
import { openCentre, type Centre, type Distortion } from './centre.ts'
import { ocspPath, tspPath } from './families.ts'
import { createFaults, readFaults, type Faults, type Service } from './faults.ts'

export type CertificationCentre = {
  url: string
  centre: Centre
  faults: Faults
  close: () => Promise<void>
}

export type ServerOptions = {
  /** 0: any free port. */
  port: number
  /** By default only this machine can connect. */
  host?: string
  folder: string
  /** The address in certificates, if it differs from the one this process listens on. */
  address?: string | undefined
  clock?: () => Date
}

/** Real requests have some hundred bytes. */
const maxBody = 64 * 1024

export async function startCertificationCentre(options: ServerOptions): Promise<CertificationCentre> {
  const { port, host = '127.0.0.1', folder, clock } = options
  const faults = createFaults()
  const opened = Promise.withResolvers<Centre>()
  // a failure is thrown to the caller below; pending requests end with it
  opened.promise.catch(() => {})

  const server = createServer((request, response) => {
    opened.promise
      .then((centre) => respond({ centre, faults, request, response }))
      .catch((error: unknown) => fail(response, error))
  })
  server.requestTimeout = 30_000
  server.headersTimeout = 10_000
  // the bytes are not HTTP at all
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const name = host.includes(':') ? `[${host}]` : host
  const url = `http://${name}:${(server.address() as AddressInfo).port}`

  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  try {
    const address = (options.address ?? url).replace(/\/+$/, '')
    const centre = await openCentre({ folder, address, ...(clock && { clock }) })
    opened.resolve(centre)
    return { url, centre, faults, close }
  } catch (error) {
    opened.reject(error)
    await close()
    throw error
  }
}

type Exchange = { centre: Centre; faults: Faults; request: IncomingMessage; response: ServerResponse }

/** Thrown with the status of the response if a request cannot be served. */
class HttpError extends Error {
  readonly status: number
  constructor(status: number) {
    super(`HTTP ${status}`)
    this.status = status
  }
}

function fail(response: ServerResponse, error: unknown): void {
  const status = error instanceof HttpError ? error.status : 500
  // the client has disconnected, or the response has begun already
  if (response.headersSent || response.destroyed || response.socket?.destroyed) return void response.destroy()
  if (status === 500) console.error(error)
  // the rest of the body is not read
  response.writeHead(status, { connection: 'close' }).end()
}

async function respond(exchange: Exchange): Promise<void> {
  const { request, centre } = exchange
  const url = URL.parse(request.url ?? '/', 'http://centre')
  if (!url) throw new HttpError(400)
  const { pathname } = url
  if (pathname === ocspPath || pathname === `${ocspPath}/`) {
    const body = await bodyOf(request, 'application/ocsp-request')
    return serveOcsp(exchange, body)
  }
  if (pathname.startsWith(`${ocspPath}/`)) {
    onlyBy(request, 'GET')
    return serveOcsp(exchange, fromPath(pathname.slice(ocspPath.length + 1)))
  }
  if (pathname === tspPath || pathname === `${tspPath}/`) {
    return serveTimestamp(exchange, await bodyOf(request, 'application/timestamp-query'))
  }
  if (pathname === '/faults') return serveFaults(exchange)
  onlyBy(request, 'GET')
  const [, folder, name = ''] = /^\/(crl|cert)\/([\w-]+)\.(?:crl|cer)$/.exec(pathname) ?? []
  if (folder === 'crl') return serveList(exchange, name)
  const certificate = folder === 'cert' && centre.certificates.get(name)
  if (!certificate) throw new HttpError(404)
  send(exchange.response, 'application/pkix-cert', certificate.der)
}

function onlyBy(request: IncomingMessage, method: string): void {
  if (request.method !== method) throw new HttpError(405)
}

async function bodyOf(request: IncomingMessage, type: string): Promise<Uint8Array> {
  onlyBy(request, 'POST')
  if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== type) throw new HttpError(415)
  const pieces: Uint8Array[] = []
  let length = 0
  // ending early must not close the connection, or the client would not see the reason
  const incoming: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false })
  for await (const piece of incoming) {
    length += piece.length
    if (length > maxBody) throw new HttpError(413)
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}

/** Decodes base64 of either alphabet, percent-encoded or not (RFC 6960, A.1). */
function fromPath(path: string): Uint8Array {
  try {
    return new Uint8Array(Buffer.from(decodeURIComponent(path), 'base64'))
  } catch (error) {
    if (error instanceof URIError) throw new HttpError(400)
    throw error
  }
}

async function serveOcsp(exchange: Exchange, body: Uint8Array): Promise<void> {
  await serve(exchange, 'ocsp', {
    type: 'application/ocsp-response',
    answer: (distortion) => exchange.centre.ocsp(body, distortion),
    tryLater: () => refuseOcsp('tryLater'),
  })
}

async function serveTimestamp(exchange: Exchange, body: Uint8Array): Promise<void> {
  await serve(exchange, 'tsp', {
    type: 'application/timestamp-reply',
    answer: (distortion) => exchange.centre.timestamp(body, distortion),
    tryLater: () => refuseTimestamp('timeNotAvailable', 'Try again later'),
  })
}

async function serveList(exchange: Exchange, name: string): Promise<void> {
  await serve(exchange, 'crl', {
    type: 'application/pkix-crl',
    answer: (distortion) => exchange.centre.listNamed(name, distortion),
    tryLater: () => {
      throw new HttpError(503)
    },
  })
}

type Served = {
  type: string
  answer: (distortion: Distortion) => Promise<Uint8Array | null>
  tryLater: () => Uint8Array
}

async function serve({ faults, response }: Exchange, service: Service, served: Served): Promise<void> {
  const fault = await faults.pass(service)
  switch (fault) {
    case 'ok':
    case 'old':
    case 'wrong-signer': {
      const bytes = await served.answer(fault === 'ok' ? null : fault)
      if (!bytes) throw new HttpError(404)
      return send(response, served.type, bytes)
    }
    case 'down':
      response.socket?.resetAndDestroy()
      return
    case 'garbage':
      return send(response, served.type, new TextEncoder().encode('<html>502 Bad Gateway</html>'))
    case 'try-later':
      return send(response, served.type, served.tryLater())
  }
}

function send(response: ServerResponse, type: string, bytes: Uint8Array): void {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes)
}

/** A page of another site cannot send this content type without a preflight. */
async function serveFaults({ faults, request, response }: Exchange): Promise<void> {
  if (!isFromHere(request)) throw new HttpError(403)
  if (request.method === 'POST') {
    const body = await bodyOf(request, 'application/json')
    const changes = readFaults(parsed(new TextDecoder().decode(body)))
    if (!changes) throw new HttpError(400)
    faults.set(changes)
  } else onlyBy(request, 'GET')
  send(response, 'application/json', new TextEncoder().encode(JSON.stringify(faults.current())))
}

/** Whether the peer is this machine and used a name of this machine, not a name that a stranger's page has set up. */
function isFromHere({ socket, headers }: IncomingMessage): boolean {
  const isLoopback = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(socket.remoteAddress ?? '')
  return isLoopback && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(headers.host ?? '')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
