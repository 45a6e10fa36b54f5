/**
 * Replaces the national mobile app (eGov Mobile, eGov Business), without its screen:
 *
 *   code ──openCode──▶ address ──GET API 1──▶ introduction ──GET API 2──▶ documents
 *                                                │ Eds: POST, signed by the key for signing in
 *   documents ──sign───▶ PUT API 2, the same with signatures in it ──▶ message, return link
 *            └─refuse──▶ PUT API 2, the same, CANCELED
 */
import type { Language } from '@kelisim/texts/languages.ts'
import { demandAllowed, openCode, type AllowedHosts } from './code.ts'
import { withFaults, type Fault } from './faults.ts'
import { openKey, type KeyInFile } from './own-key.ts'
import { PhoneError } from './phone-error.ts'
import {
  readDocuments,
  readIntroduction,
  type Documents,
  type Introduction,
  type PhoneDocument,
  type ReceivedDocuments,
} from './protocol.ts'
import { signedValue, signedXml } from './sign-document.ts'

export type App = AllowedHosts & {
  language: Language
  /** The address of the timestamp service. */
  tspUrl: string | null
  faults: ReadonlySet<Fault>
  now: () => Date
}

/** The final message of the other side. */
export type Reply = { message: string | null; backUrl: URL | null }

const timeout = 30_000

type Call = { method: string; headers?: Record<string, string>; body?: string }

export async function fetchIntroduction(address: URL, app: App): Promise<Introduction> {
  const introduction = readIntroduction(await ask(address, { method: 'GET' }, app), app.now())
  demandAllowed(introduction.documentsAt, app)
  return introduction
}

/** `loginKey` is the key for signing in; needed if the service wants to know who opens its documents. */
export async function fetchDocuments(
  introduction: Introduction,
  app: App,
  loginKey?: KeyInFile,
): Promise<Documents> {
  const { documentsAt, auth } = introduction
  if (auth.type !== 'Eds') {
    return readDocuments(await ask(documentsAt, { method: 'GET', headers: bearer(auth) }, app))
  }
  if (!loginKey) throw new PhoneError('key-needed')
  const isAnyTaken = app.faults.has('unfit-key')
  const signer = await openKey(loginKey, { use: 'authentication', isAnyTaken, at: app.now() })
  const xml = await signedXml(loginXml(documentsAt, app.now()), signer)
  return readDocuments(await ask(documentsAt, { method: 'POST', ...json({ xml }) }, app))
}

function loginXml(url: URL, now: Date): string {
  const address = url.href.replaceAll('&', '&amp;')
  return `<?xml version="1.0" encoding="UTF-8"?><login><url>${address}</url><timeStamp>${now.toISOString()}</timeStamp></login>`
}

export async function sign(
  introduction: Introduction,
  { received, documents }: Documents,
  key: KeyInFile,
  app: App,
): Promise<Reply> {
  const { faults, tspUrl } = app
  const isAnyTaken = faults.has('unfit-key')
  const signer = await openKey(key, { use: 'signature', isAnyTaken, at: app.now() })
  const body = structuredClone(received)
  for (const [i, document] of documents.entries()) {
    const value = await signedValue(document, signer, { tspUrl, signingTime: app.now(), faults })
    replace(body.documentsToSign[i]!, document, value)
  }
  return put(introduction, withFaults(body, faults), app)
}

function replace(
  sent: ReceivedDocuments['documentsToSign'][number],
  { method }: PhoneDocument,
  value: string,
): void {
  if (method === 'XML') sent.documentXml = value
  else if (sent.document) sent.document.file.data = value
}

export function refuse(introduction: Introduction, { received }: Documents, app: App): Promise<Reply> {
  return put(introduction, { ...received, status: 'CANCELED' }, app)
}

/** The whole flow, for tests: signs with this key, or refuses. */
export async function answerCode(
  code: string,
  decision: KeyInFile | 'cancel',
  app: App,
  loginKey?: KeyInFile,
): Promise<Reply> {
  const introduction = await fetchIntroduction(openCode(code, app), app)
  const documents = await fetchDocuments(introduction, app, loginKey)
  return decision === 'cancel'
    ? refuse(introduction, documents, app)
    : sign(introduction, documents, decision, app)
}

async function put({ documentsAt, auth }: Introduction, body: object, app: App): Promise<Reply> {
  const { headers, ...content } = json(body)
  const request = { method: 'PUT', headers: { ...headers, ...bearer(auth) }, ...content }
  // the response is lost on the way, whatever it is
  if (app.faults.has('lost-answer')) await send(documentsAt, request, app)
  const { response, text } = await send(documentsAt, request, app)
  const answer = parsed(text)
  if (!response.ok) throw new PhoneError('refused', textIn(answer, 'message'))
  const back = URL.parse(textIn(answer, 'backUrl') ?? '')
  return {
    message: textIn(answer, 'message'),
    backUrl: back && /^https?:$/.test(back.protocol) ? back : null,
  }
}

async function ask(url: URL, request: Call, app: App): Promise<unknown> {
  const { response, text } = await send(url, request, app)
  const answer = parsed(text)
  if (!response.ok) throw new PhoneError('refused', textIn(answer, 'message'))
  if (answer === undefined) throw new PhoneError('not-json')
  return answer
}

async function send(url: URL, request: Call, { language }: App) {
  try {
    const response = await fetch(url, {
      ...request,
      headers: { ...request.headers, 'accept-language': language },
      // the redirect target has not been checked
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    return { response, text: await response.text() }
  } catch {
    throw new PhoneError('unreachable', url.host)
  }
}

const json = (body: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

function bearer(auth: Introduction['auth']): Record<string, string> {
  return auth.type === 'Token' ? { authorization: `Bearer ${auth.token}` } : {}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textIn(answer: unknown, name: string): string | null {
  if (typeof answer !== 'object' || answer === null) return null
  const value: unknown = Object.entries(answer).find(([key]) => key === name)?.[1]
  return typeof value === 'string' && value !== '' ? value : null
}
