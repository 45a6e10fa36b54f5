/** Every text a person sees comes from texts/: a literal one in a component would exist in one language only. */
import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { filesBelow, readText } from './source-files.ts'

/** Names that are the same in every language. */
const sameEverywhere = ['Ctrl K', 'Келісім', 'support@kelisim.kz']
const readAloud = ['aria-label', 'aria-description', 'alt', 'title', 'label', 'placeholder', 'description']

type Node = { type: string; [key: string]: unknown }

function literals(source: string): string[] {
  const found: string[] = []
  walk(parseAst(source, { lang: 'tsx' }) as unknown as Node, (node) => {
    if (node.type === 'JSXText') found.push(String(node['value']).trim())
    if (node.type === 'JSXAttribute') {
      const name = (node['name'] as { name: string }).name
      const value = node['value'] as Node | null
      if (readAloud.includes(name) && value?.type === 'Literal') found.push(String(value['value']))
    }
  })
  return found.filter((text) => /\p{L}/u.test(text) && !sameEverywhere.includes(text))
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child) walk(child as Node, visit)
    }
  }
}

test.each(filesBelow('web', /(?<!\.test)\.tsx$/).filter((file) => !file.includes('/dist/')))(
  '%s has no literal text',
  (file) => {
    expect(literals(readText(file))).toEqual([])
  },
)

test('the test itself detects a literal', () => {
  expect(literals('export const a = <p className="x">Hello there</p>')).toEqual(['Hello there'])
  expect(literals('export const a = <B aria-label="Close it" id="x" />')).toEqual(['Close it'])
})
