/**
 * Converts HTML pasted from Word and other programs into HTML of our editor. Instead of lists, HTML from Word has
 * paragraphs with a list style (`mso-list: l0 level2 lfo1`) that begin with their number as text; they become lists
 * again.
 */
export function cleanPasted(html: string): string {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), 'text/html')
  for (const element of body.querySelectorAll('style, script, title, meta, link, img, svg')) element.remove()
  for (const element of body.querySelectorAll<HTMLElement>('[data-style]')) keepLook(element)
  makeLists(body)
  for (const element of body.querySelectorAll('*')) dropForeign(element)
  return body.innerHTML
}

/**
 * Styles are parsed as text and never applied, and event handlers are dropped: the content security policy would
 * report each of them.
 */
function withoutStyles(html: string): string {
  return html
    .replaceAll(/<!--\[if[\s\S]*?<!\[endif\]-->/gi, '')
    .replaceAll(/<!\[(if|endif)[^>]*>/gi, '')
    .replaceAll(/<(style|script|xml)\b[\s\S]*?<\/\1>/gi, '')
    .replaceAll(/<\/?\w+:[^>]*>/g, '')
    .replaceAll(/<[a-z][^>]*>/gi, (tag) =>
      tag.replaceAll(/\sstyle\s*=/gi, ' data-style=').replaceAll(/\son\w+\s*=/gi, ' data-on='),
    )
}

function styleOf(element: Element): string {
  return (element.getAttribute('data-style') ?? '').toLowerCase()
}

/** Converts bold, italic, underline, alignment and page breaks given by styles. */
function keepLook(element: HTMLElement): void {
  const style = styleOf(element)
  const align = /text-align\s*:\s*(left|center|right|justify)/.exec(style)?.[1]
  if (align && /^(P|H[1-6]|DIV)$/.test(element.tagName)) element.setAttribute('data-align', align)
  if (/page-break-before\s*:\s*always/.test(style)) element.before(pageBreak())
  if (element.tagName !== 'SPAN') return
  if (/font-weight\s*:\s*(bold|[6-9]00)/.test(style)) wrapInside(element, 'strong')
  if (/font-style\s*:\s*italic/.test(style)) wrapInside(element, 'em')
  if (/text-decoration[^;]*:[^;]*underline/.test(style)) wrapInside(element, 'u')
  if (/text-decoration[^;]*:[^;]*line-through/.test(style)) wrapInside(element, 's')
}

function pageBreak(): HTMLElement {
  const element = document.createElement('div')
  element.setAttribute('data-page-break', '')
  return element
}

function wrapInside(element: HTMLElement, tag: string): void {
  const wrap = document.createElement(tag)
  wrap.append(...element.childNodes)
  element.append(wrap)
}

type WordItem = { level: number; kind: 'ul' | 'ol' | 'clauses' }

function itemOf(element: Element): WordItem | null {
  const level = /mso-list\s*:\s*(?!ignore)[^;]*level(\d+)/.exec(styleOf(element))?.[1]
  if (level === undefined) return null
  const marker = [...element.querySelectorAll('[data-style]')].find((mark) =>
    /mso-list\s*:\s*ignore/.test(styleOf(mark)),
  )
  const number = (marker?.textContent ?? '').replaceAll(/[\s\u00a0]/g, '')
  marker?.remove()
  return { level: Number(level), kind: kindOf(number) }
}

function kindOf(number: string): WordItem['kind'] {
  if (/^\d+\.(\d+\.?)*$/.test(number)) return 'clauses'
  return /^[\p{L}\d]{1,4}[.)]?$/u.test(number) && number !== 'o' ? 'ol' : 'ul'
}

/** Turns consecutive item paragraphs into one list; items of a deeper level become nested lists. */
function makeLists(body: HTMLElement): void {
  let open: { list: HTMLElement; level: number }[] = []
  let last: Element | null = null
  for (const paragraph of body.querySelectorAll<HTMLElement>(
    'p[data-style*="mso-list"], h1[data-style*="mso-list"], h2[data-style*="mso-list"], h3[data-style*="mso-list"]',
  )) {
    const item = itemOf(paragraph)
    if (!item) continue
    if (paragraph.previousElementSibling !== last) open = []
    while (open.length > 0 && open.at(-1)!.level > item.level) open.pop()
    let current = open.at(-1)
    if (!current || current.level < item.level) {
      const list = listOf(item.kind)
      const parent = current?.list.lastElementChild
      if (parent) parent.append(list)
      else paragraph.before(list)
      current = { list, level: item.level }
      open.push(current)
    }
    const li = document.createElement('li')
    current.list.append(li)
    li.append(paragraph)
    last = open[0]!.list
  }
}

function listOf(kind: WordItem['kind']): HTMLElement {
  const list = document.createElement(kind === 'ul' ? 'ul' : 'ol')
  if (kind === 'clauses') list.setAttribute('data-clauses', '')
  return list
}

const kept = new Set([
  'data-align',
  'align',
  'data-page-break',
  'data-clauses',
  'start',
  'colspan',
  'rowspan',
  'data-variable',
  'data-kind',
  'data-default',
  'data-value',
  'data-pm-slice',
])

function dropForeign(element: Element): void {
  for (const { name } of Array.from(element.attributes)) if (!kept.has(name)) element.removeAttribute(name)
}
