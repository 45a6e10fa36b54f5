/** An XML document as plain data (XML 1.0 with namespaces), as far as signatures need it. */

/** The XML is not well-formed, or contains something that is not allowed in signed XML. */
export class XmlError extends Error {}

export type XmlAttribute = { name: string; local: string; namespace: string; value: string }

export type XmlElement = {
  kind: 'element'
  /** The name as written, with its prefix. */
  name: string
  prefix: string
  local: string
  namespace: string
  attributes: XmlAttribute[]
  /** The namespaces declared on this element, by prefix; the empty prefix is the default. */
  declared: Map<string, string>
  children: XmlNode[]
  parent: XmlElement | null
}

export type XmlNode =
  | XmlElement
  | { kind: 'text'; text: string }
  | { kind: 'comment'; text: string }
  | { kind: 'instruction'; target: string; text: string }

export type XmlDocument = {
  root: XmlElement
  /** Comments and instructions around the root. */
  before: XmlNode[]
  after: XmlNode[]
}

export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

/** All elements of a tree in document order, the root first. */
export function* elementsOf(element: XmlElement): Generator<XmlElement> {
  const left: XmlElement[] = [element]
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    yield one
    // Pushed one by one, because a call takes a limited number of arguments.
    for (const child of one.children.toReversed()) if (child.kind === 'element') left.push(child)
  }
}

export function childrenCalled(element: XmlElement, namespace: string, local: string): XmlElement[] {
  return element.children.filter(
    (child) => child.kind === 'element' && child.namespace === namespace && child.local === local,
  ) as XmlElement[]
}

/** Undefined: there is none, or more than one. */
export function childCalled(element: XmlElement, namespace: string, local: string): XmlElement | undefined {
  const [only, ...more] = childrenCalled(element, namespace, local)
  return more.length === 0 ? only : undefined
}

export function attributeOf(element: XmlElement, local: string, namespace = ''): string | null {
  return element.attributes.find((one) => one.local === local && one.namespace === namespace)?.value ?? null
}

/** The text of an element, which comments do not split: everybody must read the same text that was hashed. */
export function textOf({ children }: XmlElement): string {
  return children.map((child) => (child.kind === 'text' ? child.text : '')).join('')
}

export function isInside(element: XmlElement, ancestor: XmlElement): boolean {
  for (let one: XmlElement | null = element; one; one = one.parent) if (one === ancestor) return true
  return false
}

/** A path such as `/Envelope/Body`, for people. */
export function pathOf(element: XmlElement): string {
  return `${element.parent ? pathOf(element.parent) : ''}/${element.local}`
}
