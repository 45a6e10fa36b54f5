/** Fills the variables of a template with values, for programs, which have no editor. */
import { escapeHtml } from '../escape-html.ts'
import { usualValue, variableKinds, type Facts, type VariableKind } from './variables.ts'

export type TemplateVariable = { name: string; kind: VariableKind; usual: string }

/** A variable in the form that `toHtml` writes; templates are only stored in that form. */
const variable =
  /<span data-variable="([^"]*)" data-kind="([^"]*)"(?: data-default="([^"]*)")?(?: data-value="([^"]*)")?>[^<]*<\/span>/g

/** The variables of a stored template, each once, in order of occurrence. */
export function variablesIn(html: string): TemplateVariable[] {
  const found = new Map<string, TemplateVariable>()
  for (const [, name = '', kind = '', usual = ''] of html.matchAll(variable)) {
    const known = readAttribute(name)
    if (!found.has(known))
      found.set(known, { name: known, kind: kindNamed(kind), usual: readAttribute(usual) })
  }
  return [...found.values()]
}

/** The variables of a written document, each once, with all values that it has in the text. */
export function valuesIn(html: string): { name: string; kind: VariableKind; values: string[] }[] {
  const found = new Map<string, { name: string; kind: VariableKind; values: Set<string> }>()
  for (const [, name = '', kind = '', , value = ''] of html.matchAll(variable)) {
    const known = readAttribute(name)
    const one = found.get(known) ?? { name: known, kind: kindNamed(kind), values: new Set<string>() }
    const filled = readAttribute(value).trim()
    if (filled !== '') one.values.add(filled)
    found.set(known, one)
  }
  return [...found.values()].map((one) => ({ ...one, values: [...one.values] }))
}

/** Fills every variable with the given value, else with the one it has in the template, else with its usual one. */
export function fillTemplate(html: string, values: Readonly<Record<string, string>>, facts: Facts): string {
  return html.replaceAll(variable, (whole, name: string, kind: string, usual = '', kept = '') => {
    const given = Object.hasOwn(values, readAttribute(name)) ? values[readAttribute(name)]!.trim() : ''
    const value = given || readAttribute(kept) || usualValue(kindNamed(kind), readAttribute(usual), facts)
    if (value === '') return whole
    const text = escapeHtml(value)
    const before = usual === '' ? '' : ` data-default="${usual}"`
    return `<span data-variable="${name}" data-kind="${kind}"${before} data-value="${text}">${text}</span>`
  })
}

function kindNamed(kind: string): VariableKind {
  return variableKinds.find((known) => known === kind) ?? 'text'
}

/** The reverse of `escapeHtml`; the ampersand comes last, so that nothing is unescaped twice. */
function readAttribute(text: string): string {
  return text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
}
