/**
 * The signatures inside an XML document, each examined over the part that it covers. What is reported as signed is
 * exactly what was hashed. No content of the bytes makes it throw: what cannot be read is a finding.
 */
import { hash } from '../algorithms/hash.ts'
import { verify } from '../algorithms/verify.ts'
import { MalformedError } from '../asn1/read.ts'
import { isSame, joined } from '../asn1/values.ts'
import type { Certificate } from '../certificates/certificate.ts'
import type { SignerCheck } from '../cms/check-signer.ts'
import { readableCertificates } from '../examination/certificates.ts'
import { examineChecked, type SignerExamination } from '../examination/examine.ts'
import type { Evidence, Setting } from '../examination/policy.ts'
import { startWork, type ExaminationWork } from '../examination/work.ts'
import type { Finding } from '../findings/findings.ts'
import { readCrl } from '../revocation/crl.ts'
import { readOcspResponse } from '../revocation/ocsp.ts'
import { digestNamed, signatureNamed } from './algorithms.ts'
import { canonicalDocument, canonicalElement, defaultForm } from './canonical.ts'
import { elementsOf, isInside, pathOf, textOf, XmlError, type XmlDocument, type XmlElement } from './nodes.ts'
import { looksLikeXml, readXml } from './read.ts'
import {
  elementsWithId,
  findSignatures,
  readSignature,
  signatureNamespace,
  TransformError,
  type XmlReference,
  type XmlSignature,
} from './signature-element.ts'

export type XmlExamination = { findings: Finding[]; signatures: XmlSignatureExamination[] }

export type XmlSignatureExamination = {
  format: 'XMLDSig' | 'XAdES'
  /** Paths of the covered elements; `/` is the whole document. Empty: nothing was found that the signature covers. */
  covers: string[]
  isWhole: boolean
  /** The hashed parts, as text. */
  signed: string[]
  examination: { findings: Finding[]; signers: SignerExamination[] }
}

/** Null: the bytes are not XML, or have no signatures. */
export async function examineXml(bytes: Uint8Array, setting: Setting): Promise<XmlExamination | null> {
  if (!looksLikeXml(bytes)) return null
  let document: XmlDocument
  let elements: XmlElement[]
  try {
    document = readXml(bytes)
    elements = findSignatures(document)
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    return mayBeSigned(bytes) ? { findings: ['xml-damaged'], signatures: [] } : null
  }
  if (elements.length === 0) return null
  const covered: XmlElement[] = []
  const examined: { signature: XmlSignatureExamination; targets: XmlElement[] }[] = []
  for (const element of elements) {
    const one = await examineOne(element, document, setting)
    covered.push(...one.targets)
    examined.push(one)
  }
  for (const { signature, targets } of examined) {
    if (targets.some((target) => hasDouble(target, document, covered)))
      signature.examination.findings.push('xml-wrapped')
  }
  return { findings: [], signatures: examined.map(({ signature }) => signature) }
}

/** A file that cannot be read must not be called unsigned if it may be signed. */
function mayBeSigned(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes).includes(signatureNamespace)
}

async function examineOne(
  element: XmlElement,
  document: XmlDocument,
  setting: Setting,
): Promise<{ signature: XmlSignatureExamination; targets: XmlElement[] }> {
  const signature: XmlSignatureExamination = {
    format: 'XMLDSig',
    covers: [],
    isWhole: false,
    signed: [],
    examination: { findings: [], signers: [] },
  }
  const targets: XmlElement[] = []
  const signedElements: XmlElement[] = []
  const { findings, signers } = signature.examination
  try {
    const read = readSignature(element, document)
    signature.format = read.properties ? 'XAdES' : 'XMLDSig'
    for (const reference of read.references) {
      const found = resolved(reference, read, document)
      if (typeof found === 'string') {
        findings.push(found)
        continue
      }
      const digest = digestNamed(reference.digestMethod)
      if (!digest) findings.push('unknown-algorithm')
      else if (digest === 'sha-1') findings.push('weak-algorithm')
      else if (!isSame(hash(digest, utf8(found.text)), reference.digest)) findings.push('other-document')
      signedElements.push(...(found.element ? [found.element] : []))
      // The signature's own properties and key are not part of the document.
      if (found.element && isOfSignature(found.element, read, document)) continue
      targets.push(...(found.element ? [found.element] : []))
      if (isTextSplit(found.element ?? document.root, read.element)) findings.push('xml-commented')
      signature.covers.push(found.element && found.element !== document.root ? pathOf(found.element) : '/')
      signature.signed.push(found.text)
    }
    signature.isWhole = signature.covers.includes('/')
    // A signature that covers only its own properties says nothing about a document.
    if (signature.covers.length === 0 && findings.length === 0) findings.push('document-missing')
    signers.push(await examineSigner(read, signedElements, startWork(setting)))
  } catch (error) {
    if (error instanceof TransformError) findings.push('xml-transform-refused')
    else if (error instanceof XmlError) findings.push('damaged')
    else throw error
  }
  return { signature, targets }
}

/**
 * Whether the element belongs to the signature itself. If a signature is the root of the document, it contains the
 * signed content, too.
 */
function isOfSignature(
  target: XmlElement,
  { element, properties }: XmlSignature,
  { root }: XmlDocument,
): boolean {
  if (target === properties?.signed) return true
  return element === root ? isKeyInfo(target) && target.parent === element : isInside(target, element)
}

function isKeyInfo({ namespace, local }: XmlElement): boolean {
  return namespace === signatureNamespace && local === 'KeyInfo'
}

/**
 * Whether a comment stands beside text. Comments are not signed, so it may be new, and many programs read only the
 * text before it: of `1<!-- -->000` they read 1. Comments between elements change nothing that is read.
 */
function isTextSplit(covered: XmlElement, signature: XmlElement): boolean {
  return [...elementsOf(covered)].some(
    (one) =>
      one.children.some(({ kind }) => kind === 'comment') &&
      textOf(one).trim() !== '' &&
      !isInside(one, signature),
  )
}

type Resolved = { element: XmlElement | null; text: string }

/** A same-document reference excludes comments, whatever canonical form follows (XMLDSig, 4.4.3.3). */
function resolved(
  { uri, isEnveloped, form }: XmlReference,
  { element: signature }: XmlSignature,
  document: XmlDocument,
): Resolved | Finding {
  const plain = { ...(form ?? defaultForm), hasComments: false }
  const without = isEnveloped ? signature : null
  if (uri === '') return { element: null, text: canonicalDocument(document, plain, without) }
  if (!uri.startsWith('#') || uri.startsWith('#xpointer')) return 'xml-reference-outside'
  const found = elementsWithId(document, uri.slice(1))
  const [target, ...more] = found
  if (!target) return 'document-missing'
  // An identifier that occurs twice is refused: some programs take the first element and some the last.
  if (more.length > 0) return 'xml-wrapped'
  const isHidden =
    signatures(target).some((one) => one !== signature) || isMisplaced(target, signature, document)
  return isHidden ? 'xml-wrapped' : { element: target, text: canonicalElement(target, plain, without) }
}

/** The signatures around an element, the nearest first. */
function signatures(element: XmlElement): XmlElement[] {
  const found: XmlElement[] = []
  for (let one = element.parent; one; one = one.parent) {
    if (one.namespace === signatureNamespace && one.local === 'Signature') found.push(one)
  }
  return found
}

/**
 * Whether the element is at a wrong place inside its signature: only the signature's properties and its key belong
 * there and, if the signature is the root, the signed content.
 */
function isMisplaced(target: XmlElement, signature: XmlElement, { root }: XmlDocument): boolean {
  if (!isInside(target, signature) || target === signature) return false
  return signature !== root && target.local !== 'SignedProperties' && target.local !== 'KeyInfo'
}

/**
 * Whether an element of the same name is not signed: an attacker moves a signed element aside and puts another in its
 * place, which the program that reads the document then takes.
 */
function hasDouble(target: XmlElement, { root }: XmlDocument, covered: readonly XmlElement[]): boolean {
  if (target === root) return false
  const isCovered = (element: XmlElement) => covered.some((one) => isInside(element, one))
  return [...elementsOf(root)].some(
    (one) => one.local === target.local && one.namespace === target.namespace && !isCovered(one),
  )
}

async function examineSigner(
  signature: XmlSignature,
  signedElements: readonly XmlElement[],
  work: ExaminationWork,
): Promise<SignerExamination> {
  const { properties } = signature
  const own = readableCertificates(signature.certificates)
  const more = readableCertificates(properties?.certificates ?? [])
  const check = await checkSigner(signature, signedElements, own.certificates, work)
  return examineChecked(
    {
      check,
      // The signed content names neither a signer nor a time, so the signature value distinguishes one act from
      // another.
      act: joined([utf8(canonicalElement(signature.signedInfo, signature.signedInfoForm)), signature.value]),
      certificates: [...work.trust.others, ...own.certificates, ...more.certificates],
      timestamps: (properties?.timestamps ?? []).map(({ token, form }) => ({
        token,
        over: utf8(canonicalElement(signature.valueElement, form ?? defaultForm)),
      })),
      brought: () => evidenceIn(signature, work),
    },
    work,
  )
}

/** Takes the first certificate whose key fits. Unless XAdES binds the certificate, the key is the only proof. */
async function checkSigner(
  { signedInfo, signedInfoForm, signatureMethod, value, properties }: XmlSignature,
  signedElements: readonly XmlElement[],
  certificates: readonly Certificate[],
  work: ExaminationWork,
): Promise<SignerCheck> {
  const algorithm = signatureNamed(signatureMethod)
  // Signed properties count only if a reference covers them.
  const signedProperties = properties?.signed ?? null
  const isBound = signedProperties !== null && signedElements.includes(signedProperties)
  const check: SignerCheck = {
    certificate: null,
    algorithm,
    signingTime: isBound ? (properties?.signingTime ?? null) : null,
    findings: [],
  }
  // Unsigned properties are only later evidence, so no reference needs to cover them.
  if (signedProperties && !isBound) check.findings.push('attributes-wrong')
  if (!algorithm) return { ...check, certificate: certificates[0] ?? null, findings: ['unknown-algorithm'] }
  const bytes = utf8(canonicalElement(signedInfo, signedInfoForm))
  const bound = certificates.filter((one) => isReferredTo(one, properties))
  if (certificates.length === 0) check.findings.push('certificate-missing')
  else if (bound.length === 0) check.findings.push('certificate-other')
  check.certificate = bound[0] ?? null
  let wrong: Finding | null = null
  for (const certificate of bound.slice(0, 8)) {
    const { key } = certificate.publicKey
    work.spend()
    const outcome = key ? await verify(algorithm, key, bytes, value) : 'unknown-algorithm'
    if (outcome === 'valid') return { ...check, certificate }
    wrong ??= outcome
  }
  if (wrong) check.findings.push(wrong)
  return check
}

function isReferredTo({ der }: Certificate, properties: XmlSignature['properties']): boolean {
  const digests = properties?.certificateDigests ?? []
  // The first digest is that of the signer's certificate; the others are of its issuers.
  const [first] = digests
  if (!first) return true
  const name = digestNamed(first.method)
  return name !== null && isSame(hash(name, der), first.digest)
}

function evidenceIn(
  { properties }: XmlSignature,
  { policy }: ExaminationWork,
): Pick<Evidence, 'crls' | 'ocsp'> {
  if (policy.broughtEvidence === 'ignore' || !properties) return { crls: [], ocsp: [] }
  return {
    crls: properties.crls.flatMap((der) => readable(() => readCrl(der))),
    ocsp: properties.ocspResponses.flatMap((der) => readable(() => readOcspResponse(der).basic)),
  }
}

function readable<T>(read: () => T | null): T[] {
  try {
    const one = read()
    return one ? [one] : []
  } catch (error) {
    if (error instanceof MalformedError) return []
    throw error
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text)
