/** No text starts with a space: every field handles input by `typedText`, or by a mask that allows no spaces. */
import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { filesBelow, readText } from './source-files.ts'

/** Handlers that change what is typed by their own rules. */
const masks = /typedNumber\(|cleanAmount\(|replaceAll\(\/\\D\/g|shaped\(|\.trim\(\)/

type Node = { type: string; start: number; end: number; [key: string]: unknown }

/** The handlers of text fields that take what is typed unchanged. */
function takenAsTyped(source: string): string[] {
  const found: string[] = []
  walk(parseAst(source, { lang: 'tsx' }) as unknown as Node, (node) => {
    if (node.type !== 'JSXOpeningElement') return
    const { name } = node['name'] as { name?: string }
    if (!/^(TextInput|Textarea|input|textarea)$/.test(name ?? '')) return
    for (const attribute of node['attributes'] as Node[]) {
      const handler = source.slice(attribute.start, attribute.end)
      // A file field is emptied by setting its value.
      const isRead = /currentTarget\.value(?! = )/.test(handler)
      if (handler.startsWith('onChange=') && isRead && !masks.test(handler)) found.push(handler)
    }
  })
  return found
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child) walk(child as Node, visit)
    }
  }
}

/** The shared fields have tests of their own. */
const files = filesBelow('web', /(?<!\.test)\.tsx$/).filter((file) => !/\/dist\/|^web\/ui\/form\//.test(file))

test('no text field accepts a space at its beginning', () => {
  const wrong = files.flatMap((file) => takenAsTyped(readText(file)).map((handler) => `${file}: ${handler}`))
  expect(wrong).toEqual([])
})

test('the test itself detects such a field', () => {
  const field = (handler: string) => `export const a = <TextInput value={b} onChange={${handler}} />`
  expect(takenAsTyped(field('(event) => set(event.currentTarget.value)'))).toHaveLength(1)
  expect(takenAsTyped(field('(event) => set(typedText(event))'))).toEqual([])
  expect(takenAsTyped(field('(event) => set(typedNumber(event.currentTarget.value))'))).toEqual([])
})
