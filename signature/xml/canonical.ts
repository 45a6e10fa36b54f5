/** Canonical XML: inclusive 1.0 (RFC 3076) and 1.1, and exclusive (RFC 3741), of an element or of a whole document. */
import {
  xmlNamespace,
  XmlError,
  type XmlAttribute,
  type XmlDocument,
  type XmlElement,
  type XmlNode,
} from './nodes.ts'

export type CanonicalForm = {
  kind: 'inclusive' | 'inclusive-1.1' | 'exclusive'
  hasComments: boolean
  /**
   * For the exclusive form: prefixes that are treated as in the inclusive form; the empty one is the default
   * namespace.
   */
  inclusivePrefixes: ReadonlySet<string>
}

const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const inclusive11 = 'http://www.w3.org/2006/12/xml-c14n11'
export const exclusiveAddress = 'http://www.w3.org/2001/10/xml-exc-c14n#'

const kinds = new Map<string, Omit<CanonicalForm, 'inclusivePrefixes'>>([
  [inclusive, { kind: 'inclusive', hasComments: false }],
  [`${inclusive}#WithComments`, { kind: 'inclusive', hasComments: true }],
  [inclusive11, { kind: 'inclusive-1.1', hasComments: false }],
  [`${inclusive11}#WithComments`, { kind: 'inclusive-1.1', hasComments: true }],
  [exclusiveAddress, { kind: 'exclusive', hasComments: false }],
  [`${exclusiveAddress}WithComments`, { kind: 'exclusive', hasComments: true }],
])

/** Null: the algorithm is not a canonical form. */
export function formNamed(
  algorithm: string,
  inclusivePrefixes: ReadonlySet<string> = new Set(),
): CanonicalForm | null {
  const kind = kinds.get(algorithm)
  return kind ? { ...kind, inclusivePrefixes } : null
}

export const defaultForm: CanonicalForm = {
  kind: 'inclusive',
  hasComments: false,
  inclusivePrefixes: new Set(),
}

/** `without`: an enveloped signature, which is not part of what it signs. */
export function canonicalElement(
  element: XmlElement,
  form: CanonicalForm,
  without: XmlElement | null = null,
): string {
  const context = newContext(form, without)
  const above = inScope(element.parent)
  const attributes = form.kind === 'exclusive' ? [] : inheritedAttributes(element, form)
  return written(element, context, new Map(), above, attributes)
}

export function canonicalDocument(
  { root, before, after }: XmlDocument,
  form: CanonicalForm,
  without: XmlElement | null = null,
): string {
  const context = newContext(form, without)
  const outside = (nodes: readonly XmlNode[]) =>
    nodes.map((node) => nodeText(node, context, new Map(), new Map())).filter((text) => text !== '')
  return [
    ...outside(before).map((text) => `${text}\n`),
    canonicalElement(root, form, without),
    ...outside(after).map((text) => `\n${text}`),
  ].join('')
}

type Context = {
  form: CanonicalForm
  without: XmlElement | null
  /**
   * How many more characters may be written, because a short text with one long namespace can have an endless
   * canonical form.
   */
  left: number
}

const mostWritten = 128 * 1024 ** 2

function newContext(form: CanonicalForm, without: XmlElement | null): Context {
  return { form, without, left: mostWritten }
}

function spend(context: Context, characters: number): void {
  context.left -= characters
  if (context.left < 0) throw new XmlError('the canonical form is too long')
}

/** Prefixes and their namespaces. */
type Namespaces = ReadonlyMap<string, string>

function nodeText(node: XmlNode, context: Context, shown: Namespaces, above: Namespaces): string {
  switch (node.kind) {
    case 'element':
      return node === context.without ? '' : written(node, context, shown, above, [])
    case 'text':
      return escapedText(node.text)
    case 'comment':
      return context.form.hasComments ? `<!--${node.text}-->` : ''
    case 'instruction':
      return `<?${node.target}${node.text === '' ? '' : ` ${node.text}`}?>`
  }
}

/**
 * `shown`: the namespaces declared around the element in the output; `above`: those declared by its ancestors in the
 * document.
 */
function written(
  element: XmlElement,
  context: Context,
  shown: Namespaces,
  above: Namespaces,
  inherited: readonly XmlAttribute[],
): string {
  const namespaces = new Map([...above, ...element.declared])
  const wanted = wantedBy(element, namespaces, context.form)
  const fresh = [...wanted]
    .filter(([prefix, namespace]) => (shown.get(prefix) ?? '') !== namespace)
    .toSorted(([one], [other]) => order(one, other))
  const within = new Map([...shown, ...fresh])
  const declarations = fresh.map(
    ([prefix, namespace]) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapedValue(namespace)}"`,
  )
  const attributes = [...inherited.filter((one) => !hasAttribute(element, one)), ...element.attributes]
    .toSorted((one, other) => order(one.namespace, other.namespace) || order(one.local, other.local))
    .map(({ name, value }) => ` ${name}="${escapedValue(value)}"`)
  const start = `<${element.name}${declarations.join('')}${attributes.join('')}>`
  spend(context, start.length + namespaces.size)
  const content = element.children.map((child) => nodeText(child, context, within, namespaces)).join('')
  return `${start}${content}</${element.name}>`
}

function hasAttribute(element: XmlElement, { local, namespace }: XmlAttribute): boolean {
  return element.attributes.some((one) => one.local === local && one.namespace === namespace)
}

function wantedBy(element: XmlElement, namespaces: Namespaces, form: CanonicalForm): Namespaces {
  if (form.kind !== 'exclusive') return namespaces
  const prefixes = new Set([element.prefix])
  for (const { name, namespace } of element.attributes) {
    if (namespace !== '') prefixes.add(name.slice(0, name.indexOf(':')))
  }
  for (const prefix of form.inclusivePrefixes) if (namespaces.has(prefix)) prefixes.add(prefix)
  prefixes.delete('xml')
  return new Map([...prefixes].map((prefix) => [prefix, namespaces.get(prefix) ?? '']))
}

function inScope(element: XmlElement | null): Map<string, string> {
  return element ? new Map([...inScope(element.parent), ...element.declared]) : new Map()
}

/** `xml:lang`, `xml:space` … of the ancestors, the nearest first. */
function inheritedAttributes({ parent }: XmlElement, { kind }: CanonicalForm): XmlAttribute[] {
  const found: XmlAttribute[] = []
  for (let one = parent; one; one = one.parent) {
    for (const attribute of one.attributes) {
      if (attribute.namespace !== xmlNamespace || found.some(({ local }) => local === attribute.local))
        continue
      // Version 1.1 would resolve xml:base, and it does not inherit xml:id.
      if (kind === 'inclusive-1.1' && attribute.local === 'base')
        throw new XmlError('xml:base is not supported')
      if (kind === 'inclusive-1.1' && attribute.local === 'id') continue
      found.push(attribute)
    }
  }
  return found
}

/** Compares by code points, which is the order of UTF-8. */
function order(one: string, other: string): number {
  const [left, right] = [Array.from(one), Array.from(other)]
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

function escapedText(text: string): string {
  return text.replaceAll(/[&<>\r]/g, (character) => escapes[character]!)
}

function escapedValue(text: string): string {
  return text.replaceAll(/[&<"\t\n\r]/g, (character) => escapes[character]!)
}
