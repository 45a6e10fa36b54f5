/** The element of a signature inside XML, apart from its document: cut out of what the signing program returned, and read. */
import { elementsOf, XmlError, type XmlDocument } from './nodes.ts'
import { readXml } from './read.ts'
import { readSignature, signatureNamespace, type XmlSignature } from './signature-element.ts'

/** A signature in the form that is kept; the other one is CMS, which begins with a sequence of ASN.1. */
export function isXmlSignature(signature: Uint8Array): boolean {
  return signature[0] === 0x3c
}

/** The signature out of what the signing program returned, to the byte; null: there is none. */
export function cutSignature(signed: string): string | null {
  const ends = [...signed.matchAll(/<\/((?:[\w.-]+:)?Signature)\s*>/g)].at(-1)
  if (!ends) return null
  const from = signed.lastIndexOf(`<${ends[1]!} `, ends.index)
  return from < 0 ? null : signed.slice(from, ends.index + ends[0].length)
}

const parts = ['SignedInfo', 'SignatureValue', 'KeyInfo']

/** Nothing but what NCALayer makes: whatever else were inside would be in the document and signed by nobody. */
export function readEnveloped(signature: Uint8Array): XmlSignature {
  const document = readXml(signature)
  const { root, before, after } = document
  const isSignature = root.namespace === signatureNamespace && root.local === 'Signature'
  if (
    !isSignature ||
    before.length > 0 ||
    after.length > 0 ||
    root.attributes.some(({ local }) => local !== 'Id')
  )
    throw new XmlError('Not one signature')
  const children = root.children.filter((one) => one.kind !== 'text' || one.text.trim() !== '')
  const isPlain =
    children.every((one) => one.kind === 'element' && parts.includes(one.local)) &&
    [...elementsOf(root)].every(({ namespace }) => namespace === signatureNamespace)
  if (!isPlain || hasComments(document)) throw new XmlError('Something else in the signature')
  const read = readSignature(root, document)
  if (read.references.length !== 1) throw new XmlError('Not one reference')
  return read
}

export function hasComments({ root, before, after }: XmlDocument): boolean {
  const isComment = ({ kind }: { kind: string }) => kind === 'comment'
  return [before, after, ...[...elementsOf(root)].map(({ children }) => children)].some((nodes) =>
    nodes.some(isComment),
  )
}
