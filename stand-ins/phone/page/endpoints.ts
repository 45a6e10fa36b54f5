/**
 * The phone's page.
 *
 *   GET  /?code=                      opens a code: redirects to a new request
 *   GET  /requests/{id}               the requester and the documents, or the result
 *   GET  /requests/{id}/documents/{n} a PDF among them
 *   GET  /requests/{id}/key           the key to sign with
 *   POST /requests/{id}/login         the key to sign in with, where the site requires that
 *   POST /requests/{id}/sign
 *   POST /requests/{id}/refuse
 */
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { defaultLanguage, type Language } from '@kelisim/texts/languages.ts'
import type { KeyFolder } from '../../shared/key-folder.ts'
import {
  chosenLanguage,
  forbidden,
  formOf,
  nothingHere,
  pageToken,
  type PageResponse,
} from '../../shared/local-page.ts'
import { fetchDocuments, fetchIntroduction, refuse, sign, type App } from '../app/app.ts'
import { openCode } from '../app/code.ts'
import { isFault, type Fault } from '../app/faults.ts'
import type { KeyInFile } from '../app/own-key.ts'
import { PhoneError } from '../app/phone-error.ts'
import { screenPage, type Screen } from './screens.ts'
import { keepVisits, type Visit } from './visits.ts'

export type PageParts = {
  app: Omit<App, 'language' | 'faults'>
  keys: KeyFolder
  /** The password of all keys in the folder. */
  sharedPassword: string
}

const assets: Record<string, PageResponse> = {
  '/look.css': { status: 200, type: 'text/css', body: asset('../../shared/look.css') },
  '/phone.css': { status: 200, type: 'text/css', body: asset('phone.css') },
}

function asset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}

/** The browser's own viewer needs its own styles and scripts. */
const pdfPolicy = "frame-ancestors 'none'"

const noFaults: ReadonlySet<Fault> = new Set()

/** What the person entered, to be shown again with an error. */
type Filled = { chosen: string | undefined; faults: ReadonlySet<Fault> }

export function pageEndpoints({ app, keys, sharedPassword }: PageParts) {
  const { token, isToken } = pageToken()
  const visits = keepVisits()

  async function answer(request: IncomingMessage): Promise<PageResponse> {
    const url = new URL(request.url ?? '/', 'http://phone')
    const language = chosenLanguage(request, url) ?? defaultLanguage
    if (request.method === 'GET' && url.pathname === '/') return open(url.searchParams.get('code'), language)
    const found = assets[url.pathname]
    if (request.method === 'GET' && found) return found
    const [, id, act = ''] = /^\/requests\/([0-9a-f-]+)(?:\/(.+))?$/.exec(url.pathname) ?? []
    if (id === undefined) return nothingHere
    const visit = visits.find(id)
    if (!visit) return shown({ step: 'gone' }, language, { status: 404 })
    if (request.method === 'GET') return show(visit, act, language)
    return request.method === 'POST' ? take(request, visit, act, language) : nothingHere
  }

  async function open(code: string | null, language: Language): Promise<PageResponse> {
    if (code === null) return shown({ step: 'home', code: '' }, language)
    try {
      const phone = { ...app, language, faults: noFaults }
      const introduction = await fetchIntroduction(openCode(code, phone), phone)
      const isOpen = introduction.auth.type !== 'Eds'
      const documents = isOpen ? await fetchDocuments(introduction, phone) : null
      return to(visits.begin(introduction, documents), language)
    } catch (error) {
      return shown({ step: 'home', code }, language, { problem: problemIn(error) })
    }
  }

  async function show(visit: Visit, act: string, language: Language): Promise<PageResponse> {
    const { documents, ending } = visit
    const number = /^documents\/(\d+)$/.exec(act)?.[1]
    if (number !== undefined) {
      const document = documents?.documents[Number(number)]
      if (document?.shownAs !== 'pdf') return nothingHere
      return { status: 200, type: 'application/pdf', body: document.content, policy: pdfPolicy }
    }
    if (act !== '' && act !== 'key') return nothingHere
    if (ending) return shown({ step: 'end', visit, ending }, language)
    if (act === 'key' || !documents) return askForKey(visit, language)
    return shown({ step: 'request', visit, documents }, language)
  }

  async function take(
    request: IncomingMessage,
    visit: Visit,
    act: string,
    language: Language,
  ): Promise<PageResponse> {
    const form = await formOf(request)
    if (!form || !isToken(form.get('token'))) return forbidden
    if (act !== 'login' && act !== 'sign' && act !== 'refuse') return nothingHere
    if (visit.ending || visit.isBusy) return to(visit, language)
    visit.isBusy = true
    const faults = new Set(form.getAll('fault').filter(isFault))
    const name = form.get('key')
    try {
      await carryOut(visit, act, { ...app, language, faults }, () => keyIn(form))
      return to(visit, language)
    } catch (error) {
      const filled = { chosen: typeof name === 'string' ? name : undefined, faults }
      const problem = problemIn(error)
      return act === 'refuse' && visit.documents
        ? shown({ step: 'request', visit, documents: visit.documents }, language, { problem })
        : askForKey(visit, language, filled, problem)
    } finally {
      visit.isBusy = false
    }
  }

  async function carryOut(
    visit: Visit,
    act: 'login' | 'sign' | 'refuse',
    phone: App,
    key: () => Promise<KeyInFile>,
  ): Promise<void> {
    const { introduction, documents } = visit
    if (!documents) {
      // without documents to send back there is nothing to sign or refuse
      if (act === 'login') visit.documents = await fetchDocuments(introduction, phone, await key())
    } else if (act === 'refuse') {
      visit.ending = { act: 'refused', reply: await refuse(introduction, documents, phone) }
    } else if (act === 'sign') {
      visit.ending = { act: 'signed', reply: await sign(introduction, documents, await key(), phone) }
    }
  }

  async function keyIn(form: FormData): Promise<KeyInFile> {
    const [name, password] = [form.get('key'), form.get('password')]
    const p12 = typeof name === 'string' ? await keys.read(name) : null
    if (!p12) throw new PhoneError('key-needed')
    return { p12, password: typeof password === 'string' ? password : '' }
  }

  async function askForKey(
    visit: Visit,
    language: Language,
    filled: Filled = { chosen: undefined, faults: noFaults },
    problem?: PhoneError,
  ): Promise<PageResponse> {
    const form = { ...filled, keys: await keys.list(), sharedPassword, now: app.now() }
    const step = visit.documents ? 'key' : 'login'
    return shown({ step, visit, form }, language, problem && { problem })
  }

  function shown(
    screen: Screen,
    language: Language,
    { problem, status }: { problem?: PhoneError; status?: number } = {},
  ): PageResponse {
    const body = screenPage(screen, { language, token, problem: problem ?? null })
    return { status: status ?? (problem ? 422 : 200), type: 'text/html', body }
  }

  return { answer }
}

function to({ id }: Visit, language: Language): PageResponse {
  return { status: 303, location: `/requests/${id}?lang=${language}` }
}

/** Returns errors that the person is shown; any other error is a fault of this program and is thrown. */
function problemIn(error: unknown): PhoneError {
  if (error instanceof PhoneError) return error
  throw error
}
