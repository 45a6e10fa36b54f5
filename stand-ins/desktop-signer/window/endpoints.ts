/**
 * The window's own addresses. They serve this computer only, under the window's name (so that no other site can point a
 * name of its own here), and accept forms only from pages written since this start.
 *
 *   GET  /                      the window
 *   GET  /events?token=         the current prompt, as it changes
 *   POST /prompts/{id}/key      a key and its password, or cancel
 *   POST /prompts/{id}/file     a file, or cancel
 *   POST, DELETE /hands-free    for tests, if enabled at the start
 */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { defaultLanguage } from '@kelisim/texts/languages.ts'
import type { KeyFolder } from '../../shared/key-folder.ts'
import {
  bodyOf,
  chosenLanguage,
  forbidden,
  formOf,
  isFromHere,
  nothingHere,
  pageHeaders,
  pageToken,
  send,
  type PageResponse,
} from '../../shared/local-page.ts'
import type { FileFolder } from '../prompting/file-folder.ts'
import { answerQueue } from '../prompting/hands-free.ts'
import type { Choice, PromptResult, Prompt, Prompts } from '../prompting/prompts.ts'
import { windowPage, type Ending, type Problem } from './page.ts'

export type WindowParts = {
  prompts: Prompts
  keys: KeyFolder
  files: FileFolder | null
  sharedPassword: string | null
  isHandsFree: boolean
  now: () => Date
}

const assets: Record<string, { type: string; body: string }> = {
  '/window.js': { type: 'text/javascript', body: asset('window.js') },
  '/window.css': { type: 'text/css', body: asset('../../shared/look.css') },
}

function asset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}

export function windowEndpoints(parts: WindowParts) {
  const { prompts, keys } = parts
  const { token, isToken } = pageToken()
  const queue = parts.isHandsFree ? answerQueue(prompts) : null
  let open = 0

  async function answer(request: IncomingMessage): Promise<PageResponse> {
    const url = new URL(request.url ?? '/', 'http://window')
    const { method } = request
    if (method === 'GET' && url.pathname === '/') return page(request, url)
    const found = assets[url.pathname]
    if (method === 'GET' && found) return { status: 200, ...found }
    const prompt = /^\/prompts\/([0-9a-f-]+)\/(key|file)$/.exec(url.pathname)
    if (method === 'POST' && prompt) return takeForm(request, url, prompt[1]!)
    if (url.pathname === '/hands-free' && queue) {
      if (method === 'DELETE') queue.forget()
      else if (method === 'POST') return takeOrder(request)
      else return nothingHere
      return { status: 204 }
    }
    return nothingHere
  }

  async function page(
    request: IncomingMessage,
    url: URL,
    said: { problem?: Problem; chosen?: string } = {},
  ): Promise<PageResponse> {
    const [prompt = null, ...behind] = prompts.waiting()
    const ending = url.searchParams.get('ending')
    const body = windowPage({
      language: chosenLanguage(request, url, prompt?.request.language) ?? defaultLanguage,
      token,
      prompt,
      more: behind.length,
      keys: prompt?.request.demands ? await keys.list() : [],
      files: await filesFor(prompt),
      sharedPassword: parts.sharedPassword,
      now: parts.now(),
      ...said,
      ...(isEnding(ending) && { ending }),
    })
    return { status: said.problem ? 422 : 200, type: 'text/html', body }
  }

  async function takeForm(request: IncomingMessage, url: URL, id: string): Promise<PageResponse> {
    const form = await formOf(request)
    if (!form || !isToken(form.get('token'))) return forbidden
    const choice = form.has('cancel') ? 'cancel' : await choiceIn(form, prompts.find(id))
    if (typeof choice === 'object' && 'problem' in choice) return page(request, url, choice)
    const outcome = await prompts.choose(id, choice)
    const lang = url.searchParams.get('lang') ?? ''
    if (isOver(outcome)) {
      const ending = outcome === 'answered' && choice === 'cancel' ? 'cancelled' : outcome
      return { status: 303, location: `/?ending=${ending}&lang=${encodeURIComponent(lang)}` }
    }
    const chosen = form.get('key')
    return page(request, url, {
      problem: outcome,
      ...(typeof chosen === 'string' && { chosen }),
    })
  }

  async function choiceIn(form: FormData, prompt: Prompt | null): Promise<Choice | { problem: Problem }> {
    if (prompt && !prompt.request.demands) {
      const path = form.get('path')
      const known = await filesFor(prompt)
      return typeof path === 'string' && known.includes(path) ? { file: path } : { problem: 'no-file' }
    }
    const [name, file, password] = [form.get('key'), form.get('file'), form.get('password')]
    const p12 =
      file instanceof File && file.size > 0
        ? new Uint8Array(await file.arrayBuffer())
        : typeof name === 'string'
          ? await keys.read(name)
          : null
    if (!p12) return { problem: 'nothing-chosen' }
    return { p12, password: typeof password === 'string' ? password : '' }
  }

  async function filesFor(prompt: Prompt | null): Promise<string[]> {
    if (!prompt || prompt.request.demands) return []
    return (await parts.files?.list(prompt.request.extension)) ?? []
  }

  async function takeOrder(request: IncomingMessage): Promise<PageResponse> {
    const order = await jsonOf(request)
    if (order?.['cancel'] === true) {
      queue?.tell('cancel')
      return { status: 204 }
    }
    const { file, password, path } = order ?? {}
    if (typeof path === 'string') {
      queue?.tell({ file: path })
      return { status: 204 }
    }
    const p12 = typeof file === 'string' ? await keys.read(file) : null
    if (!p12 || typeof password !== 'string') return { status: 400 }
    queue?.tell({ p12, password })
    return { status: 204 }
  }

  function watch(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { ...pageHeaders, 'content-type': 'text/event-stream' })
    const tell = () => response.write(`event: prompt\ndata: ${prompts.waiting()[0]?.id ?? ''}\n\n`)
    tell()
    const stop = prompts.watch(tell)
    open += 1
    request.once('close', () => {
      open -= 1
      stop()
    })
  }

  return {
    isOpen: () => open > 0,

    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const url = new URL(request.url ?? '/', 'http://window')
      if (!isFromHere(request)) return send(response, forbidden)
      if (request.method === 'GET' && url.pathname === '/events') {
        if (!isToken(url.searchParams.get('token'))) return send(response, forbidden)
        return watch(request, response)
      }
      return send(response, await answer(request))
    },
  }
}

function isEnding(text: string | null): text is Ending {
  return text === 'answered' || text === 'cancelled' || text === 'blocked' || text === 'gone'
}

function isOver(outcome: PromptResult): outcome is 'answered' | 'blocked' | 'gone' {
  return outcome === 'answered' || outcome === 'blocked' || outcome === 'gone'
}

async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  if (!request.headers['content-type']?.startsWith('application/json')) return null
  try {
    const value: unknown = JSON.parse(Buffer.from((await bodyOf(request)) ?? []).toString('utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
