/**
 * Makes foreign HTML harmless by copying only allowed elements and attributes into new elements; nothing of the
 * original reaches the page.
 */
const elements = new Set([
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'p',
  'br',
  'hr',
  'blockquote',
  'pre',
  'strong',
  'em',
  'u',
  's',
  'sub',
  'sup',
  'b',
  'i',
  'span',
  'a',
  'img',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'table',
  'thead',
  'tbody',
  'tr',
  'td',
  'th',
])
/** Removed with their content; other elements that are not allowed leave their text behind. */
const dropped = new Set([
  'script',
  'style',
  'iframe',
  'object',
  'embed',
  'template',
  'noscript',
  'svg',
  'math',
  'form',
  'input',
  'button',
  'select',
  'textarea',
  'link',
  'meta',
  'base',
  'title',
  'head',
])
const spans = new Set(['colspan', 'rowspan'])

export function safeCopy(html: string): DocumentFragment {
  const source = new DOMParser().parseFromString(html, 'text/html')
  const copy = document.createDocumentFragment()
  copyChildren(source.body, copy)
  return copy
}

function copyChildren(from: Node, to: Node): void {
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.appendChild(document.createTextNode(child.textContent ?? ''))
    else if (child instanceof Element || child.nodeType === Node.ELEMENT_NODE)
      copyElement(child as Element, to)
  }
}

function copyElement(from: Element, to: Node): void {
  const name = from.localName
  if (dropped.has(name)) return
  if (!elements.has(name)) {
    copyChildren(from, to)
    return
  }
  const made = document.createElement(name)
  for (const { name: attribute, value } of from.attributes) {
    if (isHarmless(name, attribute, value)) made.setAttribute(attribute, value)
  }
  if (made instanceof HTMLAnchorElement) {
    made.target = '_blank'
    made.rel = 'noopener noreferrer nofollow'
  }
  copyChildren(from, made)
  to.appendChild(made)
}

function isHarmless(element: string, attribute: string, value: string): boolean {
  if (spans.has(attribute)) return /^\d{1,3}$/.test(value)
  if (element === 'a' && attribute === 'href') return /^(https?|mailto):/i.test(value)
  if (element === 'img' && attribute === 'src')
    return /^data:image\/(png|jpeg|gif|webp|bmp);base64,/i.test(value)
  return element === 'img' && attribute === 'alt'
}
