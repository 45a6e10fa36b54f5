/**
 * Parses XML strictly: UTF-8 only, no document type, no entities but the five that every document has. A document type could
 * load other files, repeat itself without end, or change what attributes mean.
 */
import {
  XmlError,
  xmlNamespace,
  type XmlAttribute,
  type XmlDocument,
  type XmlElement,
  type XmlNode,
} from './nodes.ts'

const limits = { depth: 200, nodes: 1_000_000, characters: 64 * 1024 ** 2 }

const nameStart = /[\p{L}_:]/u
const namePattern = /[\p{L}_:][\p{L}\p{N}\p{M}_:.\-·]*/uy
/** XML 1.0, 2.2: what a document may contain. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const forbidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

export function looksLikeXml(bytes: Uint8Array): boolean {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while ([9, 10, 13, 32].includes(bytes[at] ?? 0)) at++
  return bytes[at] === 0x3c
}

export function readXml(bytes: Uint8Array): XmlDocument {
  if (bytes.length > limits.characters) throw new XmlError('Too large')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new XmlError('Not UTF-8', { cause: error })
  }
  if (forbidden.test(text)) throw new XmlError('A character that must not be there')
  return new Parser(text.replaceAll(/\r\n?/g, '\n')).document()
}

/** A place in the text that moves on; the methods return what stood there. */
class Parser {
  readonly #text: string
  #at = 0
  #nodes = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): XmlDocument {
    this.#declaration()
    const before = this.#around()
    const root = this.#element(null, new Map([['xml', xmlNamespace]]), 0)
    const after = this.#around()
    if (this.#at < this.#text.length) throw this.#wrong('Something behind the document')
    return { root, before, after }
  }

  #declaration(): void {
    if (!/^<\?xml\s/.test(this.#text.slice(0, 6))) return
    const end = this.#text.indexOf('?>')
    const said = this.#text.slice(5, end)
    const encoding = /encoding\s*=\s*["']([^"']*)["']/.exec(said)?.[1]
    const version = /version\s*=\s*["']([^"']*)["']/.exec(said)?.[1]
    if (end < 0 || version !== '1.0') throw this.#wrong('Not XML 1.0')
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) throw this.#wrong('Not UTF-8')
    this.#at = end + 2
  }

  /** Comments and instructions outside of the root. */
  #around(): XmlNode[] {
    const nodes: XmlNode[] = []
    for (;;) {
      this.#space()
      const node = this.#special()
      if (!node) return nodes
      nodes.push(node)
    }
  }

  #space(): void {
    while (/[ \t\n]/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #special(): XmlNode | null {
    if (this.#starts('<!--')) return this.#comment()
    if (this.#starts('<?')) return this.#instruction()
    if (this.#starts('<!DOCTYPE')) throw this.#wrong('A document type')
    return null
  }

  #comment(): XmlNode {
    const text = this.#until('<!--', '-->')
    if (text.includes('--') || text.endsWith('-')) throw this.#wrong('A comment that is none')
    return { kind: 'comment', text }
  }

  #instruction(): XmlNode {
    const inside = this.#until('<?', '?>')
    const [target] = /^\S+/.exec(inside) ?? ['']
    if (!nameStart.test(target[0] ?? '') || /^xml$/i.test(target))
      throw this.#wrong('An instruction that is none')
    return { kind: 'instruction', target, text: inside.slice(target.length).trimStart() }
  }

  #until(start: string, end: string): string {
    const from = this.#at + start.length
    const to = this.#text.indexOf(end, from)
    if (to < 0) throw this.#wrong(`No ${end}`)
    this.#at = to + end.length
    this.#count()
    return this.#text.slice(from, to)
  }

  #element(parent: XmlElement | null, inherited: ReadonlyMap<string, string>, depth: number): XmlElement {
    if (depth > limits.depth) throw this.#wrong('Nested too deeply')
    this.#count()
    this.#expect('<')
    const name = this.#name()
    const written: { name: string; value: string }[] = []
    for (;;) {
      const before = this.#at
      this.#space()
      if (this.#starts('/>') || this.#starts('>')) break
      if (this.#at === before) throw this.#wrong('Attributes are not apart')
      written.push(this.#attribute())
    }
    const declared = declarationsIn(written, (why) => this.#wrong(why))
    const namespaces = new Map([...inherited, ...declared])
    const attributes = written
      .filter((one) => !isDeclaration(one.name))
      .map((one) => this.#resolved(one, namespaces))
    const keys = attributes.map((one) => `${one.namespace} ${one.local}`)
    if (new Set(keys).size < keys.length) throw this.#wrong('An attribute twice')
    const [prefix, local] = splitName(name)
    const element: XmlElement = {
      kind: 'element',
      name,
      prefix,
      local,
      namespace: this.#namespaceOf(prefix, namespaces),
      attributes,
      declared,
      children: [],
      parent,
    }
    if (this.#starts('/>')) {
      this.#at += 2
      return element
    }
    this.#expect('>')
    this.#content(element, namespaces, depth)
    this.#expect(`</${name}`)
    this.#space()
    this.#expect('>')
    return element
  }

  #content(element: XmlElement, namespaces: ReadonlyMap<string, string>, depth: number): void {
    let text = ''
    const flush = () => {
      if (text !== '') element.children.push({ kind: 'text', text })
      text = ''
    }
    while (!this.#starts('</')) {
      if (this.#at >= this.#text.length) throw this.#wrong('No end')
      if (this.#starts('<![CDATA[')) {
        text += this.#until('<![CDATA[', ']]>')
        continue
      }
      if (!this.#starts('<')) {
        text += this.#characters()
        continue
      }
      flush()
      element.children.push(this.#special() ?? this.#element(element, namespaces, depth + 1))
    }
    flush()
  }

  #characters(): string {
    const to = this.#text.indexOf('<', this.#at)
    const raw = this.#text.slice(this.#at, to < 0 ? undefined : to)
    if (raw.includes(']]>')) throw this.#wrong('The end of a section that was not begun')
    this.#at += raw.length
    return this.#unescaped(raw)
  }

  #attribute(): { name: string; value: string } {
    const name = this.#name()
    this.#space()
    this.#expect('=')
    this.#space()
    const quote = this.#text[this.#at]
    if (quote !== '"' && quote !== "'") throw this.#wrong('A value without quotes')
    const raw = this.#until(quote, quote)
    if (raw.includes('<')) throw this.#wrong('A tag in a value')
    // Line breaks and tabs in a value are spaces, unless they are written as references (3.3.3).
    return { name, value: this.#unescaped(raw.replaceAll(/[\n\t]/g, ' ')) }
  }

  #unescaped(raw: string): string {
    return raw.replaceAll(/&([^;&]{0,12};)?/g, (_, reference: string | undefined) => {
      const name = reference?.slice(0, -1) ?? ''
      const number = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name)
      if (!number) return entities[name] ?? this.#fail('An entity that is not known')
      const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16)
      if (name.startsWith('#X') || code > 0x10ffff) return this.#fail('A character that does not exist')
      const character = String.fromCodePoint(code)
      return forbidden.test(character) ? this.#fail('A character that must not be there') : character
    })
  }

  #resolved(
    { name, value }: { name: string; value: string },
    namespaces: ReadonlyMap<string, string>,
  ): XmlAttribute {
    const [prefix, local] = splitName(name)
    // Attributes without a prefix are in no namespace.
    return { name, local, namespace: prefix === '' ? '' : this.#namespaceOf(prefix, namespaces), value }
  }

  #namespaceOf(prefix: string, namespaces: ReadonlyMap<string, string>): string {
    const namespace = namespaces.get(prefix)
    if (prefix !== '' && !namespace) throw this.#wrong(`The prefix ${prefix} is not declared`)
    return namespace ?? ''
  }

  #name(): string {
    namePattern.lastIndex = this.#at
    const found = namePattern.exec(this.#text)?.[0]
    if (found === undefined || found.split(':').length > 2 || /^:|:$/.test(found))
      throw this.#wrong('No name')
    this.#at += found.length
    return found
  }

  #starts(text: string): boolean {
    return this.#text.startsWith(text, this.#at)
  }

  #expect(text: string): void {
    if (!this.#starts(text)) throw this.#wrong(`No ${text}`)
    this.#at += text.length
  }

  #count(): void {
    if (++this.#nodes > limits.nodes) throw this.#wrong('Too many parts')
  }

  #fail(why: string): never {
    throw this.#wrong(why)
  }

  #wrong(why: string): XmlError {
    return new XmlError(`${why} at ${this.#at}`)
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function isDeclaration(name: string): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:')
}

function splitName(name: string): [prefix: string, local: string] {
  const at = name.indexOf(':')
  return at < 0 ? ['', name] : [name.slice(0, at), name.slice(at + 1)]
}

function declarationsIn(
  written: readonly { name: string; value: string }[],
  wrong: (why: string) => XmlError,
): Map<string, string> {
  const declared = new Map<string, string>()
  for (const { name, value } of written.filter((one) => isDeclaration(one.name))) {
    const prefix = name === 'xmlns' ? '' : name.slice('xmlns:'.length)
    const isReserved = prefix === 'xmlns' || (prefix === 'xml') !== (value === xmlNamespace)
    if (declared.has(prefix) || isReserved || (prefix !== '' && value === ''))
      throw wrong('A namespace that cannot be declared')
    if (prefix !== 'xml') declared.set(prefix, value)
  }
  return declared
}
