/**
 * The element of a signature inside XML, without its document: cut out of the signing program's output, and parsed.
 */
import { childCalled, elementsOf, XmlError, type XmlDocument, type XmlElement } from './nodes.ts'
import { readXml } from './read.ts'
import { readSignature, signatureNamespace, type XmlSignature } from './signature-element.ts'

/** Whether a stored signature is XML; otherwise it is CMS, which begins with a SEQUENCE of ASN.1. */
export function isXmlSignature(signature: Uint8Array): boolean {
  return signature[0] === 0x3c
}

/** Cuts the exact bytes of the signature out of the signing program's output; null: there is none. */
export function cutSignature(signed: string): string | null {
  const ends = [...signed.matchAll(/<\/((?:[\w.-]+:)?Signature)\s*>/g)].at(-1)
  if (!ends) return null
  const from = signed.lastIndexOf(`<${ends[1]!} `, ends.index)
  return from < 0 ? null : signed.slice(from, ends.index + ends[0].length)
}

const parts = ['SignedInfo', 'SignatureValue', 'KeyInfo']

/**
 * Parses a signature that has only what NCALayer writes: anything else would be in the document without being signed
 * by anybody.
 */
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
  // White space behind the signature would be put into the document, where nobody has seen it.
  if (signature.at(-1) !== 0x3e) throw new XmlError('Something behind the signature')
  const isPlain =
    elementsIn(root).every(({ local }) => parts.includes(local)) &&
    [...elementsOf(root)].every(({ namespace }) => namespace === signatureNamespace)
  if (!isPlain || hasComments(document)) throw new XmlError('Something else in the signature')
  const read = readSignature(root, document)
  // Only one certificate is accepted: with several, the rest of the document would decide which of them is taken for
  // the signer's.
  const certificate = onlyElement(
    onlyElement(childCalled(root, signatureNamespace, 'KeyInfo'), 'X509Data'),
    'X509Certificate',
  )
  if (certificate.children.some(({ kind }) => kind !== 'text'))
    throw new XmlError('Something else in the certificate')
  if (read.references.length !== 1) throw new XmlError('Not one reference')
  return read
}

/** The children of an element that contains only elements. */
function elementsIn({ children }: XmlElement): XmlElement[] {
  return children.flatMap((one) => {
    if (one.kind === 'element') return [one]
    if (one.kind === 'text' && one.text.trim() === '') return []
    throw new XmlError('Something between the elements')
  })
}

function onlyElement(parent: XmlElement | undefined, local: string): XmlElement {
  const [only, ...more] = parent ? elementsIn(parent) : []
  if (only?.local !== local || more.length > 0) throw new XmlError(`Not one ${local}`)
  return only
}

export function hasComments({ root, before, after }: XmlDocument): boolean {
  const isComment = ({ kind }: { kind: string }) => kind === 'comment'
  return [before, after, ...[...elementsOf(root)].map(({ children }) => children)].some((nodes) =>
    nodes.some(isComment),
  )
}
