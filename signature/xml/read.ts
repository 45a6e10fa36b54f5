/**
 * Parses XML strictly: UTF-8 only, no document type, and only the five predefined entities. A document type could
 * load other files, expand without end, or change what attributes mean.
 */
import {
  XmlError,
  xmlNamespace,
  type XmlAttribute,
  type XmlDocument,
  type XmlElement,
  type XmlNode,
} from './nodes.ts'

const limits = { depth: 200, nodes: 1_000_000, namespaces: 200, characters: 64 * 1024 ** 2 }

const nameStart = /[\p{L}_:]/u
const namePattern = /[\p{L}_:][\p{L}\p{N}\p{M}_:.\-·]*/uy
/** XML 1.0, 2.2: the characters that a document may not contain. */
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
  return parsed(text.replaceAll(/\r\n?/g, '\n'))
}

/** Each of the inner functions reads what is next and moves `at` behind it. */
function parsed(text: string): XmlDocument {
  let at = 0
  let nodes = 0
  skipDeclaration()
  const before = takeAround()
  const root = takeElement(null, new Map([['xml', xmlNamespace]]), 0)
  const after = takeAround()
  if (at < text.length) throw wrong('Something behind the document')
  return { root, before, after }

  function skipDeclaration(): void {
    if (!/^<\?xml\s/.test(text.slice(0, 6))) return
    const end = text.indexOf('?>')
    const said = text.slice(5, end)
    const encoding = /encoding\s*=\s*["']([^"']*)["']/.exec(said)?.[1]
    const version = /version\s*=\s*["']([^"']*)["']/.exec(said)?.[1]
    if (end < 0 || version !== '1.0') throw wrong('Not XML 1.0')
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) throw wrong('Not UTF-8')
    at = end + 2
  }

  /** Comments and instructions outside of the root. */
  function takeAround(): XmlNode[] {
    const found: XmlNode[] = []
    for (;;) {
      skipSpace()
      const node = takeSpecial()
      if (!node) return found
      found.push(node)
    }
  }

  function skipSpace(): void {
    while (/[ \t\n]/.test(text[at] ?? '')) at++
  }

  function takeSpecial(): XmlNode | null {
    if (isAt('<!--')) return takeComment()
    if (isAt('<?')) return takeInstruction()
    if (isAt('<!DOCTYPE')) throw wrong('A document type')
    return null
  }

  function takeComment(): XmlNode {
    const said = takeUntil('<!--', '-->')
    if (said.includes('--') || said.endsWith('-')) throw wrong('A comment that is none')
    return { kind: 'comment', text: said }
  }

  function takeInstruction(): XmlNode {
    const inside = takeUntil('<?', '?>')
    const [target] = /^\S+/.exec(inside) ?? ['']
    if (!nameStart.test(target[0] ?? '') || /^xml$/i.test(target)) throw wrong('An instruction that is none')
    return { kind: 'instruction', target, text: inside.slice(target.length).trimStart() }
  }

  function takeUntil(start: string, end: string): string {
    const from = at + start.length
    const to = text.indexOf(end, from)
    if (to < 0) throw wrong(`No ${end}`)
    at = to + end.length
    count()
    return text.slice(from, to)
  }

  function takeElement(
    parent: XmlElement | null,
    inherited: ReadonlyMap<string, string>,
    depth: number,
  ): XmlElement {
    if (depth > limits.depth) throw wrong('Nested too deeply')
    count()
    expect('<')
    const name = takeName()
    const written: { name: string; value: string }[] = []
    for (;;) {
      const before = at
      skipSpace()
      if (isAt('/>') || isAt('>')) break
      if (at === before) throw wrong('Attributes are not apart')
      written.push(takeAttribute())
    }
    const declared = declarationsIn(written, (why) => wrong(why))
    const namespaces = declared.size === 0 ? inherited : new Map([...inherited, ...declared])
    // Each element that declares a namespace copies all inherited ones.
    if (namespaces.size > limits.namespaces) throw wrong('Too many namespaces')
    const attributes = written
      .filter((one) => !isDeclaration(one.name))
      .map((one) => resolved(one, namespaces))
    const keys = attributes.map((one) => `${one.namespace} ${one.local}`)
    if (new Set(keys).size < keys.length) throw wrong('An attribute twice')
    const [prefix, local] = splitName(name)
    const element: XmlElement = {
      kind: 'element',
      name,
      prefix,
      local,
      namespace: namespaceOf(prefix, namespaces),
      attributes,
      declared,
      children: [],
      parent,
    }
    if (isAt('/>')) {
      at += 2
      return element
    }
    expect('>')
    takeContent(element, namespaces, depth)
    expect(`</${name}`)
    skipSpace()
    expect('>')
    return element
  }

  function takeContent(element: XmlElement, namespaces: ReadonlyMap<string, string>, depth: number): void {
    let said = ''
    const flush = () => {
      if (said !== '') element.children.push({ kind: 'text', text: said })
      said = ''
    }
    while (!isAt('</')) {
      if (at >= text.length) throw wrong('No end')
      if (isAt('<![CDATA[')) {
        said += takeUntil('<![CDATA[', ']]>')
        continue
      }
      if (!isAt('<')) {
        said += takeCharacters()
        continue
      }
      flush()
      element.children.push(takeSpecial() ?? takeElement(element, namespaces, depth + 1))
    }
    flush()
  }

  function takeCharacters(): string {
    const to = text.indexOf('<', at)
    const raw = text.slice(at, to < 0 ? undefined : to)
    if (raw.includes(']]>')) throw wrong('The end of a section that was not begun')
    at += raw.length
    return unescaped(raw)
  }

  function takeAttribute(): { name: string; value: string } {
    const name = takeName()
    skipSpace()
    expect('=')
    skipSpace()
    const quote = text[at]
    if (quote !== '"' && quote !== "'") throw wrong('A value without quotes')
    const raw = takeUntil(quote, quote)
    if (raw.includes('<')) throw wrong('A tag in a value')
    // Line breaks and tabs in a value are spaces, unless they are written as references (3.3.3).
    return { name, value: unescaped(raw.replaceAll(/[\n\t]/g, ' ')) }
  }

  function unescaped(raw: string): string {
    return raw.replaceAll(/&([^;&]{0,12};)?/g, (_, reference: string | undefined) => {
      const name = reference?.slice(0, -1) ?? ''
      const number = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name)
      if (!number) return entities.get(name) ?? fail('An entity that is not known')
      const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16)
      if (name.startsWith('#X') || code > 0x10ffff) return fail('A character that does not exist')
      const character = String.fromCodePoint(code)
      return forbidden.test(character) ? fail('A character that must not be there') : character
    })
  }

  function resolved(
    { name, value }: { name: string; value: string },
    namespaces: ReadonlyMap<string, string>,
  ): XmlAttribute {
    const [prefix, local] = splitName(name)
    // Attributes without a prefix are in no namespace.
    return { name, local, namespace: prefix === '' ? '' : namespaceOf(prefix, namespaces), value }
  }

  function namespaceOf(prefix: string, namespaces: ReadonlyMap<string, string>): string {
    const namespace = namespaces.get(prefix)
    if (prefix !== '' && !namespace) throw wrong(`The prefix ${prefix} is not declared`)
    return namespace ?? ''
  }

  function takeName(): string {
    namePattern.lastIndex = at
    const found = namePattern.exec(text)?.[0]
    if (found === undefined || found.split(':').length > 2 || /^:|:$/.test(found)) throw wrong('No name')
    at += found.length
    return found
  }

  function isAt(wanted: string): boolean {
    return text.startsWith(wanted, at)
  }

  function expect(wanted: string): void {
    if (!isAt(wanted)) throw wrong(`No ${wanted}`)
    at += wanted.length
  }

  function count(): void {
    if (++nodes > limits.nodes) throw wrong('Too many parts')
  }

  function fail(why: string): never {
    throw wrong(why)
  }

  function wrong(why: string): XmlError {
    return new XmlError(`${why} at ${at}`)
  }
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

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
