/**
 * Canonical XML 1.0 (inclusive, RFC 3076) and exclusive (RFC 3741), of elements; and a serializer of documents. What is
 * signed here is always a reference into the document itself, and such a reference excludes comments, whatever
 * transform follows (XMLDSig, 4.3.3.3): so canonical forms have none.
 */
import type { Attr, Document, Element, Node } from '@xmldom/xmldom'

export type CanonicalForm = 'inclusive' | 'exclusive'

/** The canonical form of an element in its context: what it inherits from its ancestors counts. */
export function canonical(element: Element, form: CanonicalForm): string {
  const inherited = form === 'inclusive' ? inheritedBy(element) : { namespaces: new Map(), attributes: [] }
  return written(element, { ...canonicalManner, form }, new Map([['', '']]), inherited)
}

/** The canonical form of the whole document: instructions before and after the root are on lines of their own. */
export function canonicalDocument(document: Document): string {
  const root = document.documentElement!
  const outside = (node: Node) => nodeText(node, canonicalManner, new Map())
  const nodes = [...document.childNodes].filter((node) => node.nodeType === instructionNode || node === root)
  const at = nodes.indexOf(root)
  return [
    ...nodes.slice(0, at).map((node) => `${outside(node)}\n`),
    canonical(root, 'inclusive'),
    ...nodes.slice(at + 1).map((node) => `\n${outside(node)}`),
  ].join('')
}

/** The whole document as text: with comments and instructions, empty elements in one tag. */
export function documentText(document: Document): string {
  const manner: Manner = { form: 'inclusive', hasComments: true, closesEmpty: true }
  return [...document.childNodes].map((node) => nodeText(node, manner, new Map([['', '']]))).join('')
}

type Manner = { form: CanonicalForm; hasComments: boolean; closesEmpty: boolean }

const canonicalManner: Manner = { form: 'inclusive', hasComments: false, closesEmpty: false }

/** Prefixes (empty: the default) and their namespaces. */
type Namespaces = Map<string, string>

type Inherited = { namespaces: Namespaces; attributes: Attr[] }

const elementNode = 1
const textNode = 3
const cdataNode = 4
const instructionNode = 7
const commentNode = 8

const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

function nodeText(node: Node, manner: Manner, shown: Namespaces): string {
  const value = node.nodeValue ?? ''
  switch (node.nodeType) {
    case elementNode:
      return written(node as Element, manner, shown, { namespaces: new Map(), attributes: [] })
    case textNode:
    case cdataNode:
      return escapedText(value)
    case instructionNode:
      return `<?${node.nodeName}${value === '' ? '' : ` ${value}`}?>`
    case commentNode:
      return manner.hasComments ? `<!--${value}-->` : ''
    default:
      return ''
  }
}

/** `shown`: the namespaces that the ancestors have declared in the output. */
function written(element: Element, manner: Manner, shown: Namespaces, inherited: Inherited): string {
  const own = [...element.attributes]
  const declared = own.filter((attribute) => attribute.namespaceURI === xmlnsNamespace)
  const attributes = own.filter((attribute) => attribute.namespaceURI !== xmlnsNamespace)
  const namespaces = new Map(inherited.namespaces)
  for (const declaration of declared) namespaces.set(prefixDeclared(declaration), declaration.value)
  const wanted = manner.form === 'inclusive' ? namespaces : usedBy(element, attributes)
  const fresh = [...wanted]
    .filter(([prefix, uri]) => shown.get(prefix) !== uri && !(prefix === 'xml' && uri === xmlNamespace))
    .toSorted(([one], [other]) => order(one, other))
  const within = new Map([...shown, ...fresh])

  const declarations = fresh.map(
    ([prefix, uri]) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapedValue(uri)}"`,
  )
  const rest = [
    ...inherited.attributes.filter(({ nodeName }) => !element.hasAttribute(nodeName)),
    ...attributes,
  ]
    .toSorted(
      (one, other) =>
        order(one.namespaceURI ?? '', other.namespaceURI ?? '') ||
        order(one.localName ?? one.name, other.localName ?? other.name),
    )
    .map((attribute) => ` ${attribute.name}="${escapedValue(attribute.value)}"`)
  const content = [...element.childNodes].map((child) => nodeText(child, manner, within)).join('')
  const start = `<${element.tagName}${declarations.join('')}${rest.join('')}`
  return manner.closesEmpty && content === '' ? `${start}/>` : `${start}>${content}</${element.tagName}>`
}

/** Namespaces and xml: attributes of the ancestors, the nearest first. */
function inheritedBy(element: Element): Inherited {
  const namespaces: Namespaces = new Map()
  const attributes: Attr[] = []
  for (let around = element.parentNode; around?.nodeType === elementNode; around = around.parentNode) {
    for (const attribute of (around as Element).attributes) {
      if (attribute.namespaceURI === xmlnsNamespace) {
        const prefix = prefixDeclared(attribute)
        if (!namespaces.has(prefix)) namespaces.set(prefix, attribute.value)
      } else if (
        attribute.namespaceURI === xmlNamespace &&
        !attributes.some(({ name }) => name === attribute.name)
      ) {
        attributes.push(attribute)
      }
    }
  }
  return { namespaces, attributes }
}

/** The prefixes used by the names of the element and its attributes. */
function usedBy(element: Element, attributes: readonly Attr[]): Namespaces {
  const used: Namespaces = new Map([[element.prefix ?? '', element.namespaceURI ?? '']])
  for (const { prefix, namespaceURI } of attributes) if (prefix) used.set(prefix, namespaceURI ?? '')
  return used
}

function prefixDeclared(declaration: Attr): string {
  return declaration.name === 'xmlns' ? '' : declaration.name.slice('xmlns:'.length)
}

/** By UTF-8 bytes, independent of language. */
function order(one: string, other: string): number {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.compare(right)
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

function escapedText(text: string): string {
  return text.replaceAll(/[&<>\r]/g, (sign) => escapes[sign]!)
}

function escapedValue(text: string): string {
  return text.replaceAll(/[&<"\t\n\r]/g, (sign) => escapes[sign]!)
}
