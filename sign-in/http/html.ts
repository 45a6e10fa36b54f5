/** Pages are written as template literals; values are escaped unless they are markup already. */
import { escapeHtml } from '@kelisim/domain/escape-html.ts'

export type Html = { readonly markup: string }
export type Part = Html | string | number | null | undefined | false | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const markup = strings.reduce((text, string, i) => text + render(parts[i - 1]) + string)
  return { markup }
}

/** For markup of our own that is not written in a template, such as an SVG file. */
export function trusted(markup: string): Html {
  return { markup }
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return 'markup' in part ? part.markup : part.map(render).join('')
}
