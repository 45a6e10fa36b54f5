/** The document that every side signs to terminate a request. The same facts always give the same bytes. */
import { secondInAlmaty, shownDate } from '@kelisim/domain/calendar.ts'
import { Refusal } from '@kelisim/domain/errors.ts'
import { escapeHtml } from '@kelisim/domain/escape-html.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { RichText } from '../../rich-text/rich-text.ts'

export type TerminationFacts = {
  language: Language
  requestId: string
  name: string
  fileName: string
  sha256: string
  signingDate: string
  sender: { name: string; number: string }
  signatures: { party: { name: string; number: string }; signer: string; at: Date }[]
  comment: string
  begunBy: string
  begunAt: Date
}

export async function terminatingDocument(richText: RichText, facts: TerminationFacts): Promise<Buffer> {
  const title = textsOf(facts.language, 'requests-termination')('title')
  const html = htmlOf(facts, title)
  const { pdf } = await printed(richText, html, title, facts.comment)
  return pdf
}

/**
 * Names may contain characters that the fonts lack, such as emoji. They are replaced, because they must not prevent a
 * termination; in the comment they are refused, because its author can rephrase it.
 */
async function printed(richText: RichText, html: string, title: string, comment: string) {
  for (let text = html, tries = 0; ; tries++) {
    try {
      return await richText.print(text, title, { mustBeFilled: false, claimant: null })
    } catch (error) {
      const isUnknown = error instanceof Refusal && error.alias === 'rich-text-unknown-signs'
      const characters = isUnknown ? String(error.parameters['signs']).split(' ') : []
      if (!isUnknown || tries > 25 || characters.some((one) => comment.includes(one))) throw error
      for (const character of characters) text = text.replaceAll(character, '?')
    }
  }
}

function htmlOf(facts: TerminationFacts, title: string): string {
  const t = textsOf(facts.language, 'requests-termination')
  /** On two lines, so that the number is not broken at the end of a line. */
  const named = ({ name, number }: { name: string; number: string }) => `${name}\n${t('number', { number })}`
  const lines = (text: string) => text.split('\n').map(escapeHtml).join('<br>')
  const row = (...cells: string[]) =>
    `<tr>${cells.map((cell) => `<td><p>${lines(cell)}</p></td>`).join('')}</tr>`
  const head = (...cells: string[]) =>
    `<tr>${cells.map((cell) => `<th><p>${escapeHtml(cell)}</p></th>`).join('')}</tr>`
  const about = [
    row(t('name'), facts.name),
    row(t('file'), facts.fileName),
    row(t('digest'), `${facts.sha256.slice(0, 32)}\n${facts.sha256.slice(32)}`),
    row(t('date'), shownDate(facts.signingDate)),
    row(t('sender'), named(facts.sender)),
    row(t('request'), facts.requestId),
  ]
  const signatures = facts.signatures.map(({ party, signer, at }) =>
    row(named(party), signer, secondInAlmaty(at)),
  )
  const reason = facts.comment.split('\n').map((line) => `<p>${escapeHtml(line)}</p>`)
  return [
    `<h1 data-align="center">${escapeHtml(title)}</h1>`,
    `<p>${escapeHtml(t('intro'))}</p>`,
    `<h2>${escapeHtml(t('document'))}</h2><table>${about.join('')}</table>`,
    `<h2>${escapeHtml(t('signed'))}</h2>`,
    `<table>${head(t('party'), t('signer'), `${t('moment')} ${zone}`)}${signatures.join('')}</table>`,
    `<h2>${escapeHtml(t('reason'))}</h2>${reason.join('')}`,
    `<h2>${escapeHtml(t('begunBy'))}</h2>`,
    `<p>${escapeHtml(`${facts.begunBy}, ${secondInAlmaty(facts.begunAt)} ${zone}`)}</p>`,
  ].join('')
}

/** Printed beside every time, because the time zone of the country may change. */
const zone = '(UTC+5)'
