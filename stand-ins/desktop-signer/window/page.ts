/** The program's window as a page: what is requested, by whom, and the form to respond with. */
import { basename } from 'node:path'
import { languages, type Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Text } from '@kelisim/texts/translate.ts'
import { html, type Html } from '../../shared/html.ts'
import type { KeyFile } from '../../shared/key-folder.ts'
import { keyList } from '../../shared/key-list.ts'
import type { PromptResult, Prompt, Request } from '../prompting/prompts.ts'

export type Problem = Exclude<PromptResult, 'answered' | 'gone' | 'blocked'> | 'nothing-chosen' | 'no-file'
export type Ending = 'answered' | 'cancelled' | 'blocked' | 'gone'

export type WindowView = {
  language: Language
  token: string
  prompt: Prompt | null
  /** How many further prompts wait. */
  more: number
  keys: readonly KeyFile[]
  /** Paths of the files that can be chosen. */
  files: readonly string[]
  sharedPassword: string | null
  now: Date
  problem?: Problem
  /** The key chosen before the error. */
  chosen?: string
  ending?: Ending
}

type T = Text<'stand-ins'>

export function windowPage(view: WindowView): string {
  const { language, prompt, ending } = view
  const t = textsOf(language, 'stand-ins')
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${t('desktop-signer.title')}</title>
        <link rel="stylesheet" href="/window.css" />
        <script type="module" src="/window.js"></script>
      </head>
      <body data-prompt="${prompt?.id ?? ''}" data-events="/events?token=${view.token}">
        <header>
          <p class="name">${t('desktop-signer.title')}</p>
          <nav aria-label="${t('desktop-signer.language')}">
            ${languages.map((other) => languageLink(other, language))}
          </nav>
          <p class="demo">
            <strong>${t('desktop-signer.demo.mark')}</strong> ${t('desktop-signer.demo.text')}
          </p>
        </header>
        <main>${prompt ? question(view, prompt, t) : statement(ending, t)}</main>
      </body>
    </html>`
  return page.html
}

const languageNames: Record<Language, string> = { ru: 'Рус', kk: 'Қаз', en: 'Eng' }

function languageLink(other: Language, current: Language): Html {
  return html`<a href="/?lang=${other}" lang="${other}" aria-current="${other === current ? 'true' : 'false'}"
    >${languageNames[other]}</a
  >`
}

function statement(ending: Ending | undefined, t: T): Html {
  const [title, lead] = ending
    ? ([`desktop-signer.done.${ending}.title`, `desktop-signer.done.${ending}.lead`] as const)
    : (['desktop-signer.idle.title', 'desktop-signer.idle.lead'] as const)
  return html`<h1>${t(title)}</h1>
    <p role="status">${t(lead)}</p>`
}

function question(view: WindowView, prompt: Prompt, t: T): Html {
  const { request } = prompt
  const isFile = request.act === 'choose-file'
  return html`<h1>${t(headingOf(request))}</h1>
    ${summary(view, request, t)} ${view.problem !== undefined && problemLine(view.problem, prompt, t)}
    <form
      method="post"
      action="/prompts/${prompt.id}/${isFile ? 'file' : 'key'}?lang=${view.language}"
      enctype="multipart/form-data"
    >
      <input type="hidden" name="token" value="${view.token}" />
      ${!request.hasStorage && html`<p class="problem">${t('desktop-signer.noStorage')}</p>`}
      ${request.hasStorage && (isFile ? fileChoice(view, t) : keyChoice(view, t))}
      <p class="actions">
        ${request.hasStorage && html`<button class="primary">${t(actionOf(request))}</button>`}
        <button name="cancel" value="yes" formnovalidate>${t('desktop-signer.action.cancel')}</button>
      </p>
    </form>`
}

function headingOf({ act }: Request) {
  switch (act) {
    case 'show-key':
    case 'add-timestamp':
    case 'choose-file':
      return `desktop-signer.ask.${act}` as const
    case 'sign-cms':
    case 'sign-digest':
    case 'sign-xml':
    case 'sign-raw':
      return 'desktop-signer.ask.sign'
  }
}

function actionOf({ act }: Request) {
  if (act === 'show-key') return 'desktop-signer.action.show'
  return act === 'choose-file' ? 'desktop-signer.action.choose' : 'desktop-signer.action.sign'
}

function summary({ more, language }: WindowView, request: Request, t: T): Html {
  const kinds = kindsOf(request, t)
  return html`<dl>
      <dt>${t('desktop-signer.ask.site')}</dt>
      <dd>${request.origin ?? t('desktop-signer.ask.program')}</dd>
      ${
        request.documents > 0 &&
        html`<dt>${t('desktop-signer.ask.what')}</dt>
          <dd>${whatOf(request, language, t)}</dd>`
      }
      ${
        kinds !== '' &&
        html`<dt>${t('desktop-signer.ask.kind')}</dt>
          <dd>${kinds}</dd>`
      }
    </dl>
    ${more > 0 && html`<p class="quiet">${t('desktop-signer.ask.waiting', { count: more })}</p>`}`
}

function whatOf({ act, documents, bytes }: Request, language: Language, t: T): string {
  if (act === 'sign-digest') return t('desktop-signer.hashes', { count: documents })
  return t('desktop-signer.documents', { count: documents, size: sizeText(bytes, language, t) })
}

function sizeText(bytes: number, language: Language, t: T): string {
  const shown = (size: number) => ({
    size: size.toLocaleString(language, { maximumFractionDigits: size < 10 ? 1 : 0 }),
  })
  if (bytes < 1024) return t('desktop-signer.size.bytes', { size: bytes })
  if (bytes < 1024 ** 2) return t('desktop-signer.size.kilobytes', shown(bytes / 1024))
  return t('desktop-signer.size.megabytes', shown(bytes / 1024 ** 2))
}

function kindsOf({ act, isAttached, hasTimestamp }: Request, t: T): string {
  const kinds: string[] = []
  if (act === 'sign-cms' || act === 'sign-digest') {
    kinds.push(t(isAttached ? 'desktop-signer.kind.attached' : 'desktop-signer.kind.detached'))
  }
  if (act === 'sign-xml') kinds.push(t('desktop-signer.kind.xml'))
  if (act === 'sign-raw') kinds.push(t('desktop-signer.kind.raw'))
  if (hasTimestamp) kinds.push(t('desktop-signer.kind.timestamp'))
  return kinds.join(', ')
}

function problemLine(problem: Problem, { triesLeft }: Prompt, t: T): Html {
  const text =
    problem === 'wrong-password'
      ? t('desktop-signer.problem.wrong-password', { count: triesLeft })
      : t(`desktop-signer.problem.${problem}`)
  return html`<p class="problem" role="alert">${text}</p>`
}

function keyChoice({ keys, sharedPassword, chosen, now }: WindowView, t: T): Html {
  return html`<fieldset>
      <legend>${t('desktop-signer.key.legend')}</legend>
      ${keys.length === 0 && html`<p class="quiet">${t('desktop-signer.key.none')}</p>`}
      ${keyList({ keys, chosen, now }, t)}
      <label class="field"
        >${t('desktop-signer.key.file')}<input type="file" name="file" accept=".p12,.pfx"
      /></label>
    </fieldset>
    <label class="field" for="password">${t('desktop-signer.password.label')}</label>
    <input
      id="password"
      type="password"
      name="password"
      autocomplete="off"
      required
      ${chosen !== undefined && html`autofocus`}
    />
    ${
      sharedPassword !== null &&
      html`<p class="quiet">${t('desktop-signer.password.hint', { password: sharedPassword })}</p>`
    }`
}

function fileChoice({ files }: WindowView, t: T): Html {
  return html`<fieldset>
    <legend>${t('desktop-signer.files.legend')}</legend>
    ${files.length === 0 && html`<p class="quiet">${t('desktop-signer.files.none')}</p>`}
    <ul class="choices">
      ${files.map(
        (path) =>
          html`<li>
            <label><input type="radio" name="path" value="${path}" /><span>${basename(path)}</span></label>
          </li>`,
      )}
    </ul>
  </fieldset>`
}
