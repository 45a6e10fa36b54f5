/** A scripted service that requests signatures: both of its addresses, and everything it was sent. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import { settingIn, signedOn, type Nation } from '@kelisim/signature/testing/nation.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import type { App } from './app/app.ts'

export const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')

export const names = { nameRu: 'Договор', nameKz: 'Шарт', nameEn: 'Contract' }

export const text = 'Келісімшарт № 1'

/** A document of one line, to be signed as a file. */
export const fileOf = (mime = 'text/plain', data = base64(text)) => ({ document: { file: { mime, data } } })

export const cmsRequest = {
  signMethod: 'CMS_SIGN_ONLY',
  version: 1,
  documentsToSign: [{ id: 1, ...names, ...fileOf() }],
}

export type Received = {
  method: string
  path: string
  language: string | undefined
  authorization: string | undefined
  type: string | undefined
  body: string
}

export type Service = {
  origin: string
  /** The text of the QR code that the service shows. */
  code: string
  /** API 1, and API 2 for reading and for writing. */
  introduction: unknown
  documents: unknown
  verdict: { status: number; body: unknown }
  token: string
  /** Replaces every response. */
  everything: { status: number; body: string } | null
  received: Received[]
  /** The documents of the last PUT. */
  sent: () => SentDocuments
}

export type SentDocuments = {
  status?: string
  documentsToSign: { id: number; documentXml?: string; document?: { file: { mime: string; data: string } } }[]
}

export async function serving<T>(use: (service: Service) => Promise<T>): Promise<T> {
  const server = createServer((request, response) => {
    void answer(service, request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const service = scripted(origin)
  try {
    return await use(service)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

function scripted(origin: string): Service {
  const received: Received[] = []
  return {
    origin,
    code: `mobileSign:${origin}/e/s1/mgovSign`,
    introduction: introductionAt(origin),
    documents: cmsRequest,
    verdict: { status: 200, body: { status: 'success', message: 'success' } },
    token: '2dffe45dssvg',
    everything: null,
    received,
    sent: () => JSON.parse(received.findLast(({ method }) => method === 'PUT')!.body) as SentDocuments,
  }
}

export const introductionAt = (origin: string) => ({
  description: 'Подписание документов',
  expiry_date: '2026-06-01T15:30:00.000+0500',
  organisation: { nameRu: 'АО «НИТ»', nameKz: '«ҰАТ» АҚ', nameEn: 'NITEC', bin: '000740000728' },
  document: { uri: `${origin}/e/s1/documents`, auth_type: 'Token', auth_token: '2dffe45dssvg' },
})

async function answer(service: Service, request: IncomingMessage): Promise<{ status: number; body: string }> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  const { method = '', url: path = '', headers } = request
  service.received.push({
    method,
    path,
    language: headers['accept-language'],
    authorization: headers.authorization,
    type: headers['content-type'],
    body: Buffer.concat(pieces).toString('utf8'),
  })
  const said = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) })
  if (service.everything) return service.everything
  if (path === '/e/s1/mgovSign') return said(200, service.introduction)
  if (path !== '/e/s1/documents') return said(404, { message: 'Нет такого запроса' })
  const isToken = JSON.stringify(service.introduction).includes('"Token"')
  if (isToken && headers.authorization !== `Bearer ${service.token}`) {
    return said(401, { message: 'Токен не подошёл' })
  }
  return method === 'PUT' ? said(service.verdict.status, service.verdict.body) : said(200, service.documents)
}

/** The app in tests, at the time of signing. */
export function appFor(service: Service, parts: Partial<App> = {}): App {
  return {
    origins: [service.origin],
    isHttpsOnly: false,
    language: 'ru',
    tspUrl: null,
    faults: new Set(),
    now: () => signedOn,
    ...parts,
  }
}

/** The engine's findings about a signature; a detached one is checked over this content. */
export async function findingsOn(
  value: string,
  nation: Nation,
  content: string | null,
  timestamp: 'required' | 'optional' = 'required',
): Promise<string[]> {
  const document = content === null ? null : [Buffer.from(content)]
  const setting = settingIn(nation, { timestamp })
  const { findings, signers } = await examineSignature(bytesOf(value), document, setting)
  return [...findings, ...signers.flatMap((signer) => signer.findings)]
}

export const contentIn = (value: string) => {
  const { content } = readSignedData(bytesOf(value))
  return content && Buffer.concat(content).toString('utf8')
}

const bytesOf = (value: string) => new Uint8Array(Buffer.from(value, 'base64'))
