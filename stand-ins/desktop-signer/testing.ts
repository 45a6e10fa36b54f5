/** For tests of the desktop signer: a small PKI with keys in files, the real client library, and a plain socket. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import { foundNation, signedOn, type Nation } from '@kelisim/signature/testing/nation.ts'
import type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { extendedKeyUsage, keyUsage, makeName } from '@kelisim/signature/signer/extensions.ts'
import type { CertificateParts } from '@kelisim/signature/signer/issue.ts'
import type { KeyKind } from '@kelisim/signature/signer/keys.ts'
import { writePkcs12 } from '@kelisim/signature/signer/pkcs12.ts'
import {
  readTimestampRequest,
  stamp,
  timestampResponse,
} from '@kelisim/signature/signer/timestamp-authority.ts'
import { startDesktopSigner, type DesktopSigner, type DesktopSignerOptions } from './desktop-signer.ts'

export const password = 'Qwerty12'

export const oids = {
  emailProtection: '1.3.6.1.5.5.7.3.4',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  individual: '1.2.398.3.3.4.1.1',
  legalEntity: '1.2.398.3.3.4.1.2',
  head: '1.2.398.3.3.4.1.2.1',
}

export type Owner = { p12: Uint8Array; password: string; certificate: Certificate }

/** A key as the national centre would have issued it. */
export async function keyOf(
  nation: Nation,
  commonName: string,
  parts: Partial<CertificateParts> = {},
): Promise<Owner> {
  const { key, certificate } = await nation.issue(commonName, {
    subject: makeName({
      commonName,
      surname: commonName.split(' ')[0]!,
      serialNumber: 'IIN900101300123',
      country: 'KZ',
      givenName: 'ТЕСТОВИЧ',
    }),
    extensions: [
      keyUsage('digitalSignature', 'nonRepudiation'),
      extendedKeyUsage([oids.emailProtection, oids.individual]),
    ],
    ...parts,
  })
  const p12 = writePkcs12({ key, certificates: [certificate.der], friendlyName: 'ab12cd34' }, password)
  return { p12, password, certificate }
}

export async function signerNation(kind: KeyKind, name: string) {
  const nation = await foundNation(kind, name)
  const person = await keyOf(nation, 'ТЕСТОВ ТЕСТ')
  return { nation, person, roots: [nation.root.der, nation.centre.der] }
}

/** Runs the desktop signer during the test, without output. */
export async function running<T>(
  options: Partial<DesktopSignerOptions>,
  use: (signer: DesktopSigner, log: string[]) => Promise<T>,
): Promise<T> {
  const log: string[] = []
  const signer = await startDesktopSigner({
    port: 0,
    now: () => signedOn,
    log: (line) => log.push(line),
    ...options,
  })
  try {
    return await use(signer, log)
  } finally {
    await signer.close()
  }
}

/** The timestamp service of the test PKI over HTTP. */
export async function timestamping<T>(
  nation: Nation,
  use: (service: { url: string; asked: string[]; isBroken: boolean }) => Promise<T>,
): Promise<T> {
  const service = { url: '', asked: [] as string[], isBroken: false }
  let serial = 0
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      void (async () => {
        const question = readTimestampRequest(Buffer.concat(pieces))
        service.asked.push(`${question.policy} ${question.hash}`)
        const token = await stamp({
          authority: nation.clock,
          request: question,
          policy: question.policy!,
          serial: Uint8Array.of(++serial),
          genTime: signedOn,
        })
        response.writeHead(200, { 'content-type': 'application/timestamp-reply' })
        response.end(service.isBroken ? 'garbage' : timestampResponse(token))
      })()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  try {
    return await use(service)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** The parts of the library that tests use; the library has no types. */
export type Client = {
  connect: () => Promise<string>
  wsConnection: WebSocket
  onRequestReady: ((text: string) => void) | null
  onResponseReady: ((text: string) => void) | null
} & Record<string, (...args: unknown[]) => Promise<unknown>>

type ClientClass = (new (url: string, allowKmdHttpApi?: boolean) => Client) & Record<string, unknown>

const libraryPath = createRequire(import.meta.url).resolve('ncalayer-js-client')

/** The library from its own file, unchanged, as a browser loads it. */
export const NCALayerClient: ClientClass = (() => {
  const exports: { NCALayerClient?: ClientClass } = {}
  // the library also tries another program's port, where tests must not connect
  const nobody = () => Promise.reject(new TypeError('Failed to fetch'))
  const library = compileFunction(readFileSync(libraryPath, 'utf8'), [
    'exports',
    'WebSocket',
    'window',
    'fetch',
  ])
  library(exports, WebSocket, { btoa }, nobody)
  return exports.NCALayerClient!
})()

/** Parameter presets of the library. */
export const preset = (name: string): unknown => NCALayerClient[name]

/** Calls a method by its name, because the library has no types. */
export const call = (client: Client, method: string, ...args: unknown[]): Promise<unknown> =>
  client[method]!(...args)

/** Recordings of the real program by the library's authors. */
export type Recorded = { task: string; initMessage?: string; request: string; response: string }

export function recordedPairs(): Recorded[] {
  const path = new URL('test/test-data.json', new URL(libraryPath, 'file:'))
  return JSON.parse(readFileSync(path, 'utf8')) as Recorded[]
}

export async function connected(url: string): Promise<Client> {
  const client = new NCALayerClient(url)
  await client.connect()
  return client
}

/** A socket without the library: sends anything, and returns messages in order. */
export async function bareSocket(url: string, options: { origin?: string } = {}) {
  const { WebSocket: NodeSocket } = await import('ws')
  const socket = new NodeSocket(url, options)
  const come: string[] = []
  const waiting: ((text: string) => void)[] = []
  socket.on('message', (data) => {
    const text = (data as Buffer).toString('utf8')
    const next = waiting.shift()
    if (next) next(text)
    else come.push(text)
  })
  const closed = new Promise<number>((resolve) => socket.once('close', (code) => resolve(code)))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const next = () =>
    new Promise<string>((resolve) => {
      const text = come.shift()
      if (text === undefined) waiting.push(resolve)
      else resolve(text)
    })
  return {
    socket,
    closed,
    next,
    send: (value: unknown) => socket.send(typeof value === 'string' ? value : JSON.stringify(value)),
    async ask(value: unknown): Promise<unknown> {
      socket.send(typeof value === 'string' ? value : JSON.stringify(value))
      return JSON.parse(await next()) as unknown
    },
  }
}
