/**
 * A signature inside an XML document, stored apart from it: as NCALayer makes it (XMLDSig, enveloped, over the whole
 * document). Every signer signs the document as it was sent, so the signed XML is always those bytes with one
 * signature before the end of the root (docs/decisions/096-signatures-inside-xml.md).
 */
import { isSame, joined } from '../asn1/values.ts'
import type { SignerExamination } from '../examination/examine.ts'
import type { Setting } from '../examination/policy.ts'
import type { Finding } from '../findings/findings.ts'
import { canonicalDocument, defaultForm } from './canonical.ts'
import { examineXml } from './examine-xml.ts'
import { hasComments, readEnveloped } from './enveloped-element.ts'
import { XmlError } from './nodes.ts'
import { readXml } from './read.ts'
import { findSignatures, signatureNamespace, TransformError } from './signature-element.ts'

/** Why no signature can be put into an XML document. */
export const xmlSigningFaults = [
  'broken',
  /** Comments are not covered by a signature of NCALayer, so anybody could change them afterwards. */
  'comments',
  /** The document is signed already; a second signature would break the first. */
  'signed',
] as const
export type XmlSigningFault = (typeof xmlSigningFaults)[number]

export function xmlSigningFault(bytes: Uint8Array): XmlSigningFault | null {
  try {
    const document = readXml(bytes)
    if (findSignatures(document).length > 0) return 'signed'
    if (hasComments(document)) return 'comments'
    const probe = readXml(withSignature(bytes, utf8(`<Signature xmlns="${signatureNamespace}"/>`)))
    const [signature = null] = findSignatures(probe)
    const isKept =
      canonicalDocument(probe, defaultForm, signature) === canonicalDocument(document, defaultForm)
    return signature?.parent === probe.root && isKept ? null : 'broken'
  } catch (error) {
    if (error instanceof XmlError) return 'broken'
    throw error
  }
}

/** The document with the signature as the last node of its root; all other bytes are those of the document. */
export function withSignature(document: Uint8Array, signature: Uint8Array): Uint8Array {
  const text = textOf(document)
  const end = endOfRoot(text)
  const rest = text.slice(end)
  const isEmpty = text.slice(0, end).endsWith('/>')
  const at = isEmpty ? end - 2 : text.lastIndexOf('</', end)
  if (at < 0) throw new XmlError('No root')
  const [before, after] = isEmpty
    ? [`${text.slice(0, at)}>`, `</${nameOfRoot(document)}>${rest}`]
    : [text.slice(0, at), text.slice(at)]
  return joined([utf8(before), signature, utf8(after)])
}

/** White space, and perhaps processing instructions, may follow the root. */
function endOfRoot(text: string): number {
  let end = text.trimEnd().length
  while (end > 1 && text.startsWith('?>', end - 2)) {
    const at = text.lastIndexOf('<?', end)
    if (at < 0) throw new XmlError('An instruction that was not begun')
    end = text.slice(0, at).trimEnd().length
  }
  return end
}

function textOf(document: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(document)
  } catch (error) {
    throw new XmlError('Not UTF-8', { cause: error })
  }
}

function nameOfRoot(document: Uint8Array): string {
  return readXml(document).root.name
}

export type EnvelopedExamination = { findings: Finding[]; signers: SignerExamination[] }

/**
 * Examines a signature in the document that it is said to sign. `proved`: the same signature with evidence appended
 * (evidence-properties.ts), which signers do not send.
 */
export async function examineEnveloped(
  document: Uint8Array,
  signature: Uint8Array,
  setting: Setting,
  proved: Uint8Array = signature,
): Promise<EnvelopedExamination> {
  let whole: Uint8Array
  try {
    const { uri, isEnveloped } = readEnveloped(signature).references[0]!
    if (uri !== '' || !isEnveloped) return refused('xml-wrapped')
    if (!isContinued(signature, proved) || xmlSigningFault(document) !== null) return refused('xml-damaged')
    whole = withSignature(document, proved)
  } catch (error) {
    if (error instanceof TransformError) return refused('xml-transform-refused')
    if (error instanceof XmlError) return refused('not-a-signature')
    throw error
  }
  const examined = await examineXml(whole, setting)
  const [only, ...more] = examined?.signatures ?? []
  return only && more.length === 0 ? only.examination : refused('xml-damaged')
}

/** Whether the longer one is the same signature, byte for byte, with something inserted before its end tag. */
function isContinued(signature: Uint8Array, proved: Uint8Array): boolean {
  const at = signature.lastIndexOf(0x3c)
  const end = signature.subarray(at)
  return (
    proved.length >= signature.length &&
    isSame(proved.subarray(0, at), signature.subarray(0, at)) &&
    isSame(proved.subarray(proved.length - end.length), end)
  )
}

function refused(finding: Finding): EnvelopedExamination {
  return { findings: [finding], signers: [] }
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
