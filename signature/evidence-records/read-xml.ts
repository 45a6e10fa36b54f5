/** Reads an evidence record in XML (RFC 6283, section 8). */
import { digestLength, type HashName } from '../algorithms/hash.ts'
import { readTimestampToken } from '../timestamps/timestamp.ts'
import { digestNamed } from '../xml/algorithms.ts'
import { canonicalElement, type CanonicalForm } from '../xml/canonical.ts'
import {
  attributeOf,
  childCalled,
  childrenCalled,
  XmlError,
  type XmlElement,
  type XmlNode,
} from '../xml/nodes.ts'
import { readXml } from '../xml/read.ts'
import { algorithmOf, base64Of, formOf } from '../xml/signature-element.ts'
import {
  RecordError,
  recordLimits,
  refuseTooMuch,
  type ArchiveChain,
  type ArchiveTimestamp,
  type EvidenceRecord,
} from './record.ts'

export const recordNamespace = 'urn:ietf:params:xml:ns:ers'

/** Null: the XML document is not an evidence record. */
export function readXmlRecord(bytes: Uint8Array): EvidenceRecord | null {
  if (!new TextDecoder('latin1').decode(bytes).includes(recordNamespace)) return null
  const { root } = readXml(bytes)
  if (root.namespace !== recordNamespace || root.local !== 'EvidenceRecord') return null
  if (attributeOf(root, 'Version') !== '1.0') throw new XmlError('No such version of evidence records')
  if (childCalled(root, recordNamespace, 'EncryptionInformation'))
    throw new RecordError('record-form-unknown', 'Of encrypted documents')
  refuseOthers(root, ['EncryptionInformation', 'SupportingInformationList', 'ArchiveTimeStampSequence'])
  const list = needed(root, 'ArchiveTimeStampSequence')
  refuseOthers(list, ['ArchiveTimeStampChain'])
  const chains = inOrder(list, 'ArchiveTimeStampChain', recordLimits.chains)
  refuseTooMuch(bytes, chains.length)
  return { format: 'xml', chains: chains.map((chain, i) => readChain(chain, list, chains.slice(i))) }
}

/** Whether the first element is that of a record, to tell a damaged record from another document. */
export function looksLikeXmlRecord(start: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(start)
  const isFirst =
    /^(?:\xef\xbb\xbf)?\s*(?:<\?[^>]*>\s*|<!--(?:[^-]|-[^-])*-->\s*)*<(?:[\w.-]+:)?EvidenceRecord[\s>]/.test(
      text,
    )
  return isFirst && text.includes(recordNamespace)
}

function readChain(element: XmlElement, list: XmlElement, notOlder: readonly XmlElement[]): ArchiveChain {
  refuseOthers(element, ['DigestMethod', 'CanonicalizationMethod', 'ArchiveTimeStamp'])
  const hash = digestNamed(algorithmOf(needed(element, 'DigestMethod')))
  if (!hash) throw new RecordError('unknown-algorithm', 'The hash of the tree')
  const form = formOf(needed(element, 'CanonicalizationMethod'))
  if (!form) throw new RecordError('unknown-algorithm', 'The canonical form')
  const timestamps = inOrder(element, 'ArchiveTimeStamp', recordLimits.timestamps)
  const isFirst = childrenCalled(list, recordNamespace, 'ArchiveTimeStampChain')[0] === element
  return {
    hash,
    timestamps: timestamps.map((one) => readTimestamp(one, hash, form)),
    older: isFirst ? [] : olderIn(list, notOlder, form),
    form,
  }
}

function readTimestamp(element: XmlElement, hash: HashName, form: CanonicalForm): ArchiveTimestamp {
  refuseOthers(element, ['HashTree', 'TimeStamp', 'Attributes'])
  const tree = only(element, 'HashTree')
  const stamp = needed(element, 'TimeStamp')
  refuseOthers(stamp, ['TimeStampToken', 'CryptographicInformationList'])
  const tokenElement = needed(stamp, 'TimeStampToken')
  if (attributeOf(tokenElement, 'Type') !== 'RFC3161')
    throw new RecordError('record-form-unknown', 'Another kind of timestamp')
  const token = base64Of(tokenElement)
  const { imprint, genTime } = readTimestampToken(token).info
  if (!imprint.hash) throw new RecordError('unknown-algorithm', 'The hash of the timestamp')
  const information = only(stamp, 'CryptographicInformationList')
  const beside = information ? inOrder(information, 'CryptographicInformation', recordLimits.timestamps) : []
  const ofType = (type: string) => beside.filter((one) => attributeOf(one, 'Type') === type).map(base64Of)
  return {
    lists: tree ? readTree(tree, digestLength(hash)) : [],
    token,
    imprint: { hash: imprint.hash, digest: imprint.bytes },
    time: genTime,
    renewable: new TextEncoder().encode(canonicalElement(stamp, form)),
    certificates: ofType('CERT'),
    crls: ofType('CRL'),
    ocspResponses: ofType('OCSP'),
  }
}

function readTree(element: XmlElement, length: number): Uint8Array[][] {
  refuseOthers(element, ['Sequence'])
  return inOrder(element, 'Sequence', recordLimits.lists).map((list) => {
    refuseOthers(list, ['DigestValue'])
    const values = childrenCalled(list, recordNamespace, 'DigestValue')
    if (values.length === 0) throw new XmlError('An empty list')
    if (values.length > recordLimits.hashes) throw new RecordError('too-much', 'Too many hashes')
    return values.map((value) => {
      const digest = base64Of(value)
      if (digest.length !== length) throw new XmlError('Not a hash of this length')
      return digest
    })
  })
}

/**
 * The sequence as it was before a chain was added. No standard says what happens to the white space around the chain,
 * so each way of removing it is tried; white space between chains means nothing.
 */
function olderIn(list: XmlElement, notOlder: readonly XmlElement[], form: CanonicalForm): Uint8Array[] {
  const isTaken = (node: XmlNode | undefined) => notOlder.some((one) => one === node)
  const isSpace = (node: XmlNode) => node.kind === 'text' && node.text.trim() === ''
  const { children } = list
  const ways = [
    children.filter((node) => !isTaken(node)),
    children.filter((node, i) => !isTaken(node) && !(isSpace(node) && isTaken(children[i + 1]))),
    children.filter((node, i) => !isTaken(node) && !(isSpace(node) && isTaken(children[i - 1]))),
    children.filter((node) => !isTaken(node) && !isSpace(node)),
  ]
  const texts = ways.map((kept) => canonicalElement({ ...list, children: kept }, form))
  return [...new Set(texts)].map((text) => new TextEncoder().encode(text))
}

function needed(element: XmlElement, local: string): XmlElement {
  const child = childCalled(element, recordNamespace, local)
  if (!child) throw new XmlError(`Not one ${local}`)
  return child
}

/** The only element of this name, or null. */
function only(element: XmlElement, local: string): XmlElement | null {
  const [child, ...more] = childrenCalled(element, recordNamespace, local)
  if (more.length > 0) throw new XmlError(`More than one ${local}`)
  return child ?? null
}

/** Checks that the attribute Order counts from 1 and that the elements stand in its order. */
function inOrder(element: XmlElement, local: string, most: number): XmlElement[] {
  const all = childrenCalled(element, recordNamespace, local)
  if (all.length === 0) throw new XmlError(`No ${local}`)
  if (all.length > most) throw new RecordError('too-much', `Too many ${local}`)
  for (const [i, one] of all.entries()) {
    if (attributeOf(one, 'Order') !== String(i + 1)) throw new XmlError(`${local} out of order`)
  }
  return all
}

/** Refuses unknown elements, which could mean something to another reader. */
function refuseOthers(element: XmlElement, known: readonly string[]): void {
  for (const child of element.children) {
    const isKnown =
      child.kind === 'element' && child.namespace === recordNamespace && known.includes(child.local)
    const isText = child.kind === 'text' && child.text.trim() !== ''
    if ((child.kind === 'element' && !isKnown) || isText)
      throw new XmlError('Something unknown in the record')
  }
}
