/** Turns the text of a template into the beginning of a document: variables get their default or known values. */
import { usualValue, variableKinds, type Facts } from '@kelisim/domain/rich-text/variables.ts'

export function fillUsual(html: string, facts: Facts): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const chip of body.querySelectorAll<HTMLElement>('[data-variable]')) {
    if (chip.getAttribute('data-value')) continue
    const kind = variableKinds.find((known) => known === chip.getAttribute('data-kind')) ?? 'text'
    const value = usualValue(kind, chip.getAttribute('data-default') ?? '', facts)
    if (value === '') continue
    chip.setAttribute('data-value', value)
    chip.textContent = value
  }
  return body.innerHTML
}
