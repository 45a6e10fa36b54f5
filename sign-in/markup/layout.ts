/**
 * The frame of every page: logo, languages, one column of content; on wide screens also a panel with the product's
 * name.
 */
import { pages } from '@kelisim/domain/pages.ts'
import { languageCodes, languageNames, languages, type Language } from '@kelisim/texts/languages.ts'
import { mark, markAddress, stylesAddress } from '../http/assets.ts'
import { html, trusted, type Html, type Part } from '../http/html.ts'
import type { Visit } from '../http/visit.ts'

type Page = {
  title: string
  content: Part
  /** This page's GET address when it was reached by submitting a form: the target of the language switcher. */
  at?: string
}

export function layout({ url, language, t, isDemo }: Visit, { title, content, at }: Page): Html {
  const here = at ?? `${url.pathname}${url.search}`
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} — ${t('product')}</title>
        <link rel="icon" href="${markAddress}" type="image/svg+xml" />
        <link rel="stylesheet" href="${stylesAddress}" />
      </head>
      <body>
        <a class="skip" href="#content">${t('skipToContent')}</a>
        <div class="sheet">
          <aside class="panel" aria-hidden="true">
            <div class="brand">${mark}${t('product')}</div>
            ${mark}
            <p class="promise">${t('promise')}</p>
          </aside>
          <div class="work">
            <header class="top">
              <div class="brand">${mark}${t('product')}</div>
              <details class="languages">
                <summary><span class="unseen">${t('language')}: </span>${languageCodes[language]}</summary>
                <nav aria-label="${t('language')}">
                  ${languages.map((other) => languageLink(other, language, here))}
                </nav>
              </details>
            </header>
            ${isDemo && demoRibbon(t)}
            <main id="content">${content}</main>
          </div>
        </div>
      </body>
    </html>`
}

function languageLink(other: Language, current: Language, here: string): Html {
  const [path = '', query = ''] = here.split('?')
  const search = new URLSearchParams(query)
  search.set('ui_locales', other)
  return html`<a
    href="${path}?${search.toString()}"
    lang="${other}"
    hreflang="${other}"
    ${other === current && trusted('aria-current="true"')}
    >${languageNames[other]}</a
  >`
}

function demoRibbon(t: Visit['t']): Html {
  return html`<section class="ribbon" aria-label="${t('demo.line')}">
    <p>${t('demo.line')}</p>
    <a href="${pages.mailbox}">${icons.mail}<span>${t('demo.mailbox')}</span></a>
  </section>`
}

/** A page that reports a result and the next step. */
export function messagePage(
  visit: Visit,
  message: { kind: 'good' | 'bad' | 'mail'; title: string; lead: string; action?: Part; at?: string },
): Html {
  const { kind, title, lead, action, at } = message
  return layout(visit, {
    title,
    ...(at !== undefined && { at }),
    content: html`<div class="badge ${kind}">${icons[kind]}</div>
      <h1>${title}</h1>
      <p class="lead" role="status">${lead}</p>
      ${action}`,
  })
}

const icon = (path: string) =>
  trusted(
    `<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg>`,
  )

const icons = {
  good: icon('M4.5 12.8l5 5L19.5 7'),
  bad: icon('M12 6.5v7M12 17.5v.01'),
  mail: icon('M4 6.5h16v11H4zM4.5 7l7.5 6 7.5-6'),
}
