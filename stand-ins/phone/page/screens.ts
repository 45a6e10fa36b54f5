/** The screens of the phone, in their order: code, request, (sign-in,) key, end. */
import { languages, type Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Text } from '@kelisim/texts/translate.ts'
import { html, type Html } from '../../shared/html.ts'
import type { KeyFile } from '../../shared/key-folder.ts'
import { keyList } from '../../shared/key-list.ts'
import { faults, type Fault } from '../app/faults.ts'
import type { PhoneError } from '../app/phone-error.ts'
import { nameIn, type Documents, type PhoneDocument } from '../app/protocol.ts'
import type { Visit } from './visits.ts'

export type Screen =
  | { step: 'home'; code: string }
  | { step: 'request'; visit: Visit; documents: Documents }
  | { step: 'login' | 'key'; visit: Visit; form: KeyForm }
  | { step: 'end'; visit: Visit; ending: NonNullable<Visit['ending']> }
  | { step: 'gone' }

export type KeyForm = {
  keys: readonly KeyFile[]
  chosen: string | undefined
  faults: ReadonlySet<Fault>
  sharedPassword: string
  now: Date
}

export type Frame = { language: Language; token: string; problem: PhoneError | null }

type T = Text<'stand-ins'>

export function screenPage(screen: Screen, { language, token, problem }: Frame): string {
  const t = textsOf(language, 'stand-ins')
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${t('phone.title')}</title>
        <link rel="stylesheet" href="/look.css" />
        <link rel="stylesheet" href="/phone.css" />
      </head>
      <body>
        <header>
          <p class="name">${t('phone.title')}</p>
          <nav aria-label="${t('phone.language')}">
            ${languages.map((other) => languageLink(screen, other, language))}
          </nav>
          <p class="demo"><strong>${t('phone.demo.mark')}</strong> ${t('phone.demo.text')}</p>
        </header>
        <main>
          ${problem && html`<p class="problem" role="alert">${problemText(problem, t)}</p>`}
          ${content(screen, { language, token, t })}
        </main>
      </body>
    </html>`
  return page.html
}

type Around = { language: Language; token: string; t: T }

function content(screen: Screen, around: Around): Html {
  switch (screen.step) {
    case 'home':
      return home(screen.code, around)
    case 'request':
      return request(screen.visit, screen.documents, around)
    case 'login':
    case 'key':
      return keyForm(screen, around)
    case 'end':
      return end(screen.ending, around)
    case 'gone':
      return html`<h1>${around.t('phone.gone.title')}</h1>
        <p>${around.t('phone.gone.lead')}</p>
        ${another(around)}`
  }
}

/** The address at which the screen can be loaded again. */
function placeOf(screen: Screen): string {
  switch (screen.step) {
    case 'home':
    case 'gone':
      return '/'
    case 'key':
      return `/requests/${screen.visit.id}/key`
    case 'request':
    case 'login':
    case 'end':
      return `/requests/${screen.visit.id}`
  }
}

const languageNames: Record<Language, string> = { ru: 'Рус', kk: 'Қаз', en: 'Eng' }

function languageLink(screen: Screen, other: Language, current: Language): Html {
  return html`<a
    href="${placeOf(screen)}?lang=${other}"
    lang="${other}"
    aria-current="${other === current ? 'true' : 'false'}"
    >${languageNames[other]}</a
  >`
}

/** The message to show: that of the other side, if there is one. */
function problemText({ code, detail }: PhoneError, t: T): string {
  if (code === 'refused' && detail !== null) return detail
  return t(`phone.problem.${code}`, { detail: detail ?? '' })
}

function home(code: string, { language, t }: Around): Html {
  return html`<h1>${t('phone.home.title')}</h1>
    <p>${t('phone.home.lead')}</p>
    <form method="get" action="/">
      <input type="hidden" name="lang" value="${language}" />
      <label class="field" for="code">${t('phone.home.field')}</label>
      <textarea id="code" name="code" rows="4" spellcheck="false" autocapitalize="off" required>
${code}</textarea>
      <p class="quiet">${t('phone.home.hint')}</p>
      <p class="actions"><button class="primary">${t('phone.action.open')}</button></p>
    </form>`
}

function request(visit: Visit, { documents }: Documents, around: Around): Html {
  const { language, token, t } = around
  const at = `/requests/${visit.id}`
  return html`<h1>${t('phone.ask.title')}</h1>
    ${asked(visit, around)}
    <h2>${t('phone.documents.title')}</h2>
    ${documents.map((document, i) => documentRow(document, i, documents.length === 1, at, around))}
    <form class="actions" method="post" action="${at}/refuse?lang=${language}">
      <input type="hidden" name="token" value="${token}" />
      <a class="button primary" href="${at}/key?lang=${language}">${t('phone.action.sign')}</a>
      <button class="danger">${t('phone.action.refuse')}</button>
    </form>`
}

function asked({ introduction }: Visit, { language, t }: Around): Html {
  const { description, organisation, expiresAt, documentsAt } = introduction
  return html`<p class="description">${description}</p>
    <p class="quiet">${t('phone.ask.expiry', { time: timeText(expiresAt) })}</p>
    <dl>
      <dt>${t('phone.ask.who')}</dt>
      <dd>${nameIn(language, organisation)}</dd>
      <dt>${t('phone.ask.bin')}</dt>
      <dd>${organisation.bin}</dd>
      <dt>${t('phone.ask.site')}</dt>
      <dd>${documentsAt.host}</dd>
    </dl>`
}

function timeText(time: Date): string {
  return time.toLocaleString('ru', { timeZone: 'Asia/Almaty', dateStyle: 'short', timeStyle: 'short' })
}

function documentRow(
  document: PhoneDocument,
  index: number,
  isOnly: boolean,
  at: string,
  { language, t }: Around,
): Html {
  return html`<details class="document" ${isOnly && html`open`}>
    <summary>${nameIn(language, document)}</summary>
    ${
      document.meta.length > 0 &&
      html`<dl>
        ${document.meta.map(
          ({ name, value }) =>
            html`<dt>${name}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>`
    }
    ${shown(document, `${at}/documents/${index}`, t)}
  </details>`
}

function shown({ shownAs, content: bytes }: PhoneDocument, at: string, t: T): Html {
  switch (shownAs) {
    case 'text':
      return html`<pre tabindex="0">${Buffer.from(bytes).toString('utf8')}</pre>`
    case 'pdf':
      return html`<p><a href="${at}" target="_blank" rel="noopener">${t('phone.documents.open')}</a></p>`
    case null:
      return html`<p class="quiet">${t('phone.documents.hidden')}</p>`
  }
}

function keyForm({ step, visit, form }: Screen & { step: 'login' | 'key' }, around: Around): Html {
  const { language, token, t } = around
  const at = `/requests/${visit.id}`
  const isLogin = step === 'login'
  return html`<h1>${t(`phone.${step}.title`)}</h1>
    ${
      isLogin &&
      html`<p>${t('phone.login.lead')}</p>
        ${asked(visit, around)}`
    }
    <form method="post" action="${at}/${isLogin ? 'login' : 'sign'}?lang=${language}">
      <input type="hidden" name="token" value="${token}" />
      <fieldset>
        <legend>${t('phone.key.legend')}</legend>
        ${form.keys.length === 0 && html`<p class="quiet">${t('phone.key.none')}</p>`} ${keyList(form, t)}
      </fieldset>
      <label class="field" for="password">${t('phone.password.label')}</label>
      <input
        id="password"
        type="password"
        name="password"
        value="${form.sharedPassword}"
        autocomplete="off"
        required
      />
      <p class="quiet">${t('phone.password.hint', { password: form.sharedPassword })}</p>
      ${faultChoice(form, t)}
      <p class="actions">
        <button class="primary">${t(isLogin ? 'phone.action.show' : 'phone.action.sign')}</button>
        ${!isLogin && html`<a class="button" href="${at}?lang=${language}">${t('phone.action.documents')}</a>`}
      </p>
    </form>`
}

function faultChoice({ faults: chosen }: KeyForm, t: T): Html {
  return html`<details class="faults" ${chosen.size > 0 && html`open`}>
    <summary>${t('phone.faults.legend')}</summary>
    <ul>
      ${faults.map(
        (fault) =>
          html`<li>
            <label
              ><input type="checkbox" name="fault" value="${fault}" ${chosen.has(fault) && html`checked`} />
              ${t(`phone.faults.${fault}`)}</label
            >
          </li>`,
      )}
    </ul>
  </details>`
}

function end({ act, reply }: NonNullable<Visit['ending']>, around: Around): Html {
  const { t } = around
  // `success` is a word of the protocol, not a message for people
  const message = reply.message === 'success' ? null : reply.message
  return html`<h1>${t(`phone.end.${act}.title`)}</h1>
    <p role="status">${message ?? t(`phone.end.${act}.lead`)}</p>
    ${
      reply.backUrl &&
      html`<p class="actions">
        <a class="button primary" href="${reply.backUrl.href}">${t('phone.action.back')}</a>
      </p>`
    }
    ${another(around)}`
}

function another({ language, t }: Around): Html {
  return html`<p><a href="/?lang=${language}">${t('phone.action.another')}</a></p>`
}
