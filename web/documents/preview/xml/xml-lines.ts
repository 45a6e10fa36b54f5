/** An XML document as lines of text for people; only white space differs from the file, which is what is signed. */
import { visibleText } from '@kelisim/domain/visible-text.ts'
import type { XmlElement, XmlNode } from '@kelisim/signature/xml/nodes.ts'
import { readXml } from '@kelisim/signature/xml/read.ts'

export type XmlLine = { depth: number; text: string }

/** More lines would be too long for a page; the file can be downloaded to read all. */
export const mostLines = 5000

export function xmlLines(bytes: Uint8Array): { lines: XmlLine[]; isCut: boolean } {
  const { before, root, after } = readXml(bytes)
  const lines: XmlLine[] = []
  for (const node of [...before, root, ...after]) addNode(lines, node, 0)
  return { lines: lines.slice(0, mostLines), isCut: lines.length > mostLines }
}

function addNode(lines: XmlLine[], node: XmlNode, depth: number): void {
  if (lines.length > mostLines) return
  if (node.kind !== 'element') {
    const text = leafText(node).trim()
    if (text !== '') lines.push({ depth, text })
    return
  }
  const children = node.children.filter((one) => one.kind !== 'text' || one.text.trim() !== '')
  // An element with nothing but text is one line, as everybody would write it.
  if (children.every(({ kind }) => kind === 'text')) {
    const content = children.map(leafText).join('').trim()
    lines.push({ depth, text: content === '' ? tag(node, '/') : `${tag(node)}${content}</${node.name}>` })
    return
  }
  lines.push({ depth, text: tag(node) })
  for (const child of children) addNode(lines, child, depth + 1)
  lines.push({ depth, text: `</${node.name}>` })
}

function tag({ name, attributes, declared }: XmlElement, end = ''): string {
  const namespaces = [...declared].map(
    ([prefix, uri]) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${shown(uri)}"`,
  )
  const values = attributes.map((one) => ` ${one.name}="${shown(one.value)}"`)
  return `<${name}${namespaces.join('')}${values.join('')}${end}>`
}

function leafText(node: XmlNode): string {
  switch (node.kind) {
    case 'comment':
      return `<!--${lineByLine(node.text)}-->`
    case 'instruction':
      return `<?${node.target} ${lineByLine(node.text)}?>`
    case 'text':
      return lineByLine(escaped(node.text))
    case 'element':
      return ''
  }
}

/** Escapes text as in the file, so that text cannot look like a tag. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function shown(value: string): string {
  return lineByLine(escaped(value)).replaceAll('"', '&quot;')
}

/** Shows invisible characters and those that reverse text by their numbers, because people sign what they read. */
function lineByLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(visibleText).join('\t'))
    .join('\n')
}
