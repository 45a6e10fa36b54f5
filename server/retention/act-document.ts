/** The act itself, as a document that people read and the head signs. */
import { textsOf } from '@kelisim/texts/server.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { printable as escaped } from '../rich-text/printable.ts'
import type { RetainedView } from './retained.ts'

export type ActContent = {
  organization: { name: string; bin: string }
  /** The day, as people write it. */
  date: string
  documents: readonly (Pick<RetainedView, 'name' | 'number' | 'endedOn' | 'until' | 'basis'> & {
    sha256: string
  })[]
}

export function actTitle(language: Language, date: string): string {
  return textsOf(language, 'retention')('act.title', { date })
}

export function actHtml(language: Language, { organization, date, documents }: ActContent): string {
  const text = textsOf(language, 'retention')
  const columns = ['number', 'document', 'ended', 'until', 'sum'] as const
  const head = columns.map((column) => `<td><b>${escaped(text(`act.columns.${column}`))}</b></td>`).join('')
  const rows = documents.map(({ name, number, endedOn, until, basis, sha256 }, i) => {
    const called = number === null ? name : text('act.numbered', { name, number })
    const cells = [String(i + 1), called, day(endedOn), `${day(until ?? '')}, ${basis ?? ''}`, spaced(sha256)]
    return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`
  })
  return [
    `<h1>${escaped(actTitle(language, date))}</h1>`,
    `<p>${escaped(text('act.organization', organization))}</p>`,
    `<p>${escaped(text('act.text', { count: documents.length }))}</p>`,
    `<table><tr>${head}</tr>${rows.join('')}</table>`,
    `<p>${escaped(text('act.kept'))}</p>`,
  ].join('')
}

function day(iso: string): string {
  return iso.split('-').toReversed().join('.')
}

/** The hash in groups between which a line can be broken. */
function spaced(sum: string): string {
  return sum.match(/.{1,8}/g)!.join(' ')
}
