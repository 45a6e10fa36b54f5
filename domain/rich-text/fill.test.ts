import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { fillTemplate, variablesIn } from './fill.ts'
import { toHtml, type Block, type Variable } from './rich-text.ts'

const facts = {
  organization: 'ТОО «Алтын Дала»',
  organizationBin: '260140020007',
  author: 'Айгерім Серікова',
  today: new Date('2026-11-16T06:00:00Z'),
}

function text(...variables: Partial<Variable>[]): string {
  const inlines: Variable[] = variables.map((one) => ({
    kind: 'variable',
    name: '',
    type: 'text',
    usual: '',
    value: '',
    marks: [],
    ...one,
  }))
  return toHtml([{ kind: 'paragraph', align: 'left', inlines }] satisfies Block[])
}

const valuesIn = (html: string) => [...html.matchAll(/data-value="([^"]*)"/g)].map(([, value]) => value)

describe('a template', () => {
  test('names its variables once', () => {
    const html = text(
      { name: 'Сумма "&"', type: 'number', usual: '5' },
      { name: 'Сумма "&"', type: 'number' },
      { name: 'Город' },
    )
    expect(variablesIn(html)).toEqual([
      { name: 'Сумма "&"', kind: 'number', usual: '5' },
      { name: 'Город', kind: 'text', usual: '' },
    ])
  })

  test('gets the given values everywhere, then the usual and the automatic ones', () => {
    const html = text(
      { name: 'Сумма', type: 'number' },
      { name: 'Сумма', type: 'number', usual: '5' },
      { name: 'Город', usual: 'Алматы' },
      { name: 'Дата', type: 'today' },
      { name: 'Организация', type: 'organization' },
      { name: 'Пусто' },
    )
    const filled = fillTemplate(html, { Сумма: ' 1 250 ' }, facts)
    expect(valuesIn(filled)).toEqual(['1 250', '1 250', 'Алматы', '16.11.2026', 'ТОО «Алтын Дала»'])
    expect(filled).toContain('>Пусто</span>')
  })

  test('keeps every value inside its variable, whatever the value contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ minLength: 1 }), (value, name) => {
        const html = text({ name })
        const filled = fillTemplate(html, { [name]: value }, facts)
        const given = value.trim()
        const expected = given === '' ? html : text({ name, value: given })
        expect(filled).toBe(expected)
        expect(variablesIn(filled).map((one) => one.name)).toEqual([name])
      }),
    )
  })

  test('gets no values from prototypes of objects', () => {
    expect(valuesIn(fillTemplate(text({ name: 'constructor' }), {}, facts))).toEqual([])
  })
})
