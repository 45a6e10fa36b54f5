/** Parses XML from a web page without fetching or expanding anything; errors are worded like those of Java's parser. */
import { DOMParser, MIME_TYPE, ParseError, type Document, type Element } from '@xmldom/xmldom'
import xpath from 'xpath'
import { XmlError } from './xml-error.ts'

export function readXml(text: string): Document {
  let first: string | undefined
  try {
    const parser = new DOMParser({
      onError(_level, message) {
        first ??= message
      },
    })
    const document = parser.parseFromString(text, MIME_TYPE.XML_APPLICATION)
    if (first === undefined && document.documentElement) return withoutDeclaration(document)
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    first ??= error.message
  }
  throw new XmlError(complaint(text, first ?? ''))
}

/** The parser treats the XML declaration as a processing instruction, which must not be signed. */
function withoutDeclaration(document: Document): Document {
  const { firstChild } = document
  if (firstChild?.nodeName === 'xml') document.removeChild(firstChild)
  return document
}

function complaint(text: string, message: string): string {
  const lines = text.split(/\r\n|\r|\n/)
  const at = (line: number, column: number, words: string) =>
    `org.xml.sax.SAXParseException; lineNumber: ${line}; columnNumber: ${column}; ${words}`
  if (text.trim() === '') return at(1, 1, 'Premature end of file.')
  if (!text.trimStart().startsWith('<')) return at(1, 1, 'Content is not allowed in prolog.')
  if (/unclosed|must start and end|end of input/i.test(message)) {
    const words = 'XML document structures must start and end within the same entity.'
    return at(lines.length, lines.at(-1)!.length + 1, words)
  }
  return at(1, 1, message.split('\n')[0]!)
}

/** The first element the path leads to, or null. */
export function elementAt(document: Document, path: string): Element | null {
  let found: unknown
  try {
    // the types of the library require a browser's document, but these nodes have all that it needs
    found = xpath.select1(path, document as unknown as globalThis.Node)
  } catch {
    return null
  }
  return isElement(found) ? found : null
}

function isElement(found: unknown): found is Element {
  return typeof found === 'object' && found !== null && 'nodeType' in found && found.nodeType === 1
}
