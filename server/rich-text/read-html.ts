/**
 * Parses untrusted HTML into rich text. First everything that is not allowed is removed (sanitize-html), then the rest is
 * read into blocks: of an unknown tag only the text stays. Runs in a worker, because malicious HTML may take long.
 */
import { ElementType, parseDocument, Parser } from 'htmlparser2'
import sanitizeHtml from 'sanitize-html'
import {
  alignments,
  limits,
  type Alignment,
  type Block,
  type Cell,
  type Inline,
  type ListStyle,
  type Mark,
} from '@kelisim/domain/rich-text/rich-text.ts'
import { withoutHidden } from '@kelisim/domain/visible-text.ts'
import { longestValue, longestVariableName, variableKinds } from '@kelisim/domain/rich-text/variables.ts'

type Tree = ReturnType<typeof parseDocument>
type TreeNode = Tree['children'][number]
type Element = Extract<TreeNode, { attribs: unknown }>

/** The HTML is nested deeper than any editor nests. */
export class TooComplex extends Error {}

const deepestTags = 100

export function readHtml(html: string): Block[] {
  refuseDeep(html)
  const tree = parseDocument(sanitizeHtml(html, allowed), { decodeEntities: true })
  return blocksOf(tree.children, { depth: 0, isInTable: false })
}

/** Deep nesting makes parsing slow, so it is measured first. */
function refuseDeep(html: string): void {
  let depth = 0
  const parser = new Parser({
    onopentag() {
      depth++
      if (depth > deepestTags) throw new TooComplex()
    },
    onclosetag() {
      depth--
    },
  })
  parser.end(html)
}

const blockTags = [
  'p',
  'h1',
  'h2',
  'h3',
  'ul',
  'ol',
  'li',
  'table',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'td',
  'th',
  'div',
]
const inlineTags = ['strong', 'em', 'u', 's', 'br', 'span']

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [...blockTags, ...inlineTags],
  allowedAttributes: {
    ...Object.fromEntries(
      ['p', 'h1', 'h2', 'h3', 'div'].map((tag) => [tag, ['style', 'align', 'data-align']]),
    ),
    div: ['style', 'align', 'data-align', 'data-page-break'],
    span: ['data-variable', 'data-kind', 'data-default', 'data-value'],
    ol: ['data-clauses', 'start'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
  },
  allowedStyles: { '*': { 'text-align': [/^(left|center|right|justify)$/] } },
  allowedSchemes: [],
  // Their content is not text of the document.
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'title',
    'head',
    'svg',
    'math',
    'iframe',
    'object',
    'embed',
    'template',
    'noembed',
    'noframes',
    'xmp',
    'select',
    'audio',
    'video',
    'canvas',
  ],
  transformTags: {
    b: 'strong',
    i: 'em',
    ins: 'u',
    del: 's',
    strike: 's',
    h4: 'h3',
    h5: 'h3',
    h6: 'h3',
    blockquote: 'div',
    section: 'div',
    article: 'div',
    pre: 'div',
  },
  parser: { decodeEntities: true, lowerCaseTags: true },
}

const markOf: Record<string, Mark> = { strong: 'bold', em: 'italic', u: 'underline', s: 'strike' }

/** The context of the current element. */
type ElementContext = { depth: number; isInTable: boolean }

/** The blocks of a container; text outside of a block becomes a paragraph. */
function blocksOf(nodes: readonly TreeNode[], place: ElementContext): Block[] {
  const found: Block[] = []
  let loose: TreeNode[] = []
  const gather = () => {
    const inlines = inlinesOf(loose)
    if (inlines.some(isVisible)) found.push({ kind: 'paragraph', align: 'left', inlines })
    loose = []
  }
  for (const node of nodes) {
    if (isElement(node) && blockTags.includes(node.name)) {
      gather()
      found.push(...blockOf(node, place))
    } else if (isElement(node) && holdsBlocks(node)) {
      gather()
      found.push(...blocksOf(node.children, place))
    } else loose.push(node)
  }
  gather()
  return found
}

function blockOf(node: Element, place: ElementContext): Block[] {
  switch (node.name) {
    case 'ul':
    case 'ol':
      return listOf(node, place)
    case 'table':
      return tableOf(node, place)
    case 'h1':
    case 'h2':
    case 'h3':
      return holdsBlocks(node) ? blocksOf(node.children, place) : [headingOf(node)]
    case 'div':
      if (node.attribs['data-page-break'] !== undefined) return place.isInTable ? [] : [{ kind: 'pageBreak' }]
      return holdsBlocks(node) ? blocksOf(node.children, place) : paragraphIn(node)
    case 'p':
      return holdsBlocks(node) ? blocksOf(node.children, place) : [paragraphOf(node)]
    default:
      // A row without a table, or an item without a list, is replaced by its content.
      return blocksOf(node.children, place)
  }
}

function paragraphOf(node: Element): Block {
  return { kind: 'paragraph', align: alignOf(node), inlines: inlinesOf(node.children) }
}

/** Other programs use empty elements as separators; they are dropped. */
function paragraphIn(node: Element): Block[] {
  const inlines = inlinesOf(node.children)
  return inlines.some(isVisible) ? [{ kind: 'paragraph', align: alignOf(node), inlines }] : []
}

function headingOf(node: Element): Block {
  const level = node.name === 'h1' ? 1 : node.name === 'h2' ? 2 : 3
  return { kind: 'heading', level, align: alignOf(node), inlines: inlinesOf(node.children) }
}

function listOf(node: Element, { depth, isInTable }: ElementContext): Block[] {
  if (depth >= limits.depth) return blocksOf(node.children, { depth, isInTable })
  const items: Block[][] = []
  for (const child of node.children) {
    const isItem = isElement(child) && child.name === 'li'
    const blocks = blocksOf(isItem ? child.children : [child], { depth: depth + 1, isInTable })
    if (blocks.length === 0 && !isItem) continue
    // Other programs nest a list without an item around it; it belongs to the item before.
    const before = isElement(child) && (child.name === 'ul' || child.name === 'ol') ? items.at(-1) : undefined
    if (before) before.push(...blocks)
    else items.push(startingWithWords(blocks))
  }
  const start = node.name === 'ol' ? wholeNumber(node.attribs['start'], 1, 9999) : 1
  return items.length === 0 ? [] : [{ kind: 'list', style: styleOf(node), start, items }]
}

/** An item must begin with a paragraph, because its number is printed before it. */
function startingWithWords(blocks: Block[]): Block[] {
  const first = blocks[0]
  return first?.kind === 'paragraph' || first?.kind === 'heading' ? blocks : [emptyParagraph(), ...blocks]
}

function styleOf(node: Element): ListStyle {
  if (node.name === 'ul') return 'bullets'
  return node.attribs['data-clauses'] === undefined ? 'numbers' : 'clauses'
}

function tableOf(node: Element, place: ElementContext): Block[] {
  // Nested tables are used for layout; only their text stays.
  if (place.isInTable || place.depth >= limits.depth) return blocksOf(node.children, place)
  const rows = rowsOf(node)
    .map((row) => row.children.filter(isElement).filter(({ name }) => name === 'td' || name === 'th'))
    .map((cells) => cells.map((cell) => cellOf(cell, place.depth + 1)))
    .filter((cells) => cells.length > 0)
  return rows.length === 0 ? [] : [{ kind: 'table', rows }]
}

/** The rows of this table without those of nested tables. */
function rowsOf(node: Element): Element[] {
  return node.children.filter(isElement).flatMap((child) => {
    if (child.name === 'tr') return [child]
    return ['thead', 'tbody', 'tfoot'].includes(child.name) ? rowsOf(child) : []
  })
}

function cellOf(node: Element, depth: number): Cell {
  const blocks = blocksOf(node.children, { depth, isInTable: true })
  return {
    isHead: node.name === 'th',
    columns: wholeNumber(node.attribs['colspan'], 1, limits.columns),
    rows: wholeNumber(node.attribs['rowspan'], 1, limits.cells),
    blocks: blocks.length === 0 ? [emptyParagraph()] : blocks,
  }
}

function emptyParagraph(): Block {
  return { kind: 'paragraph', align: 'left', inlines: [] }
}

/** Text, line breaks and variables, with spaces collapsed as in a browser. */
function inlinesOf(nodes: readonly TreeNode[]): Inline[] {
  const found: Inline[] = []
  gatherInlines(nodes, [], found)
  return trimmed(joined(found))
}

function gatherInlines(nodes: readonly TreeNode[], marks: readonly Mark[], found: Inline[]): void {
  for (const node of nodes) {
    if (node.type === ElementType.Text) found.push({ kind: 'text', text: readable(node.data), marks })
    if (!isElement(node)) continue
    const mark = markOf[node.name]
    if (node.name === 'br') found.push({ kind: 'break' })
    else if (node.attribs['data-variable'] !== undefined) found.push(...variableOf(node, marks))
    else gatherInlines(node.children, mark && !marks.includes(mark) ? [...marks, mark] : marks, found)
  }
}

function variableOf(node: Element, marks: readonly Mark[]): Inline[] {
  const text = (key: string, max: number) => oneLine(node.attribs[key] ?? '').slice(0, max)
  const name = text('data-variable', longestVariableName)
  const type = variableKinds.find((kind) => kind === node.attribs['data-kind']) ?? 'text'
  if (name === '') return []
  const [usual, value] = [text('data-default', longestValue), text('data-value', longestValue)]
  return [{ kind: 'variable', name, type, usual, value, marks }]
}

/** Removes hidden characters, because a contract must say what it shows. */
function readable(text: string): string {
  return withoutHidden(
    text
      .toWellFormed()
      .normalize('NFC')
      .replaceAll(/[\t\n\r\f ]+/g, ' '),
  )
}

function oneLine(text: string): string {
  return readable(text).trim()
}

/** Merges neighbouring runs with equal marks, and collapses double spaces. */
function joined(inlines: readonly Inline[]): Inline[] {
  const whole: Inline[] = []
  for (const inline of inlines) {
    const before = whole.at(-1)
    if (inline.kind !== 'text') {
      whole.push(inline)
      continue
    }
    const text = endsInSpace(before) ? inline.text.replace(/^ /, '') : inline.text
    if (text === '') continue
    if (before?.kind === 'text' && sameMarks(before.marks, inline.marks)) {
      whole[whole.length - 1] = { ...before, text: before.text + text }
    } else whole.push({ ...inline, text })
  }
  return whole
}

function endsInSpace(inline: Inline | undefined): boolean {
  return (
    inline === undefined || inline.kind === 'break' || (inline.kind === 'text' && inline.text.endsWith(' '))
  )
}

function sameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  return a.length === b.length && a.every((mark) => b.includes(mark))
}

function trimmed(inlines: Inline[]): Inline[] {
  const last = inlines.at(-1)
  if (last?.kind !== 'text' || !last.text.endsWith(' ')) return inlines
  const text = last.text.slice(0, -1)
  return text === '' ? trimmed(inlines.slice(0, -1)) : [...inlines.slice(0, -1), { ...last, text }]
}

function isVisible(inline: Inline): boolean {
  return inline.kind === 'variable' || (inline.kind === 'text' && inline.text.trim() !== '')
}

function isElement(node: TreeNode): node is Element {
  return 'attribs' in node
}

function holdsBlocks(node: Element): boolean {
  return node.children.some(
    (child) => isElement(child) && (blockTags.includes(child.name) || holdsBlocks(child)),
  )
}

function alignOf({ attribs }: Element): Alignment {
  const styled = /text-align:\s*(\w+)/.exec(attribs['style'] ?? '')?.[1]
  const value = attribs['data-align'] ?? styled ?? attribs['align']?.toLowerCase()
  return alignments.find((align) => align === value) ?? 'left'
}

function wholeNumber(text: string | undefined, least: number, most: number): number {
  const number = Number.parseInt(text ?? '', 10)
  return Number.isNaN(number) ? least : Math.min(most, Math.max(least, number))
}
