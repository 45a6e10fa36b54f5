/** Reads `ds:Signature` (XMLDSig) with the properties of XAdES, as data. */
import { formNamed, type CanonicalForm } from './canonical.ts'
import {
  attributeOf,
  childCalled,
  childrenCalled,
  elementsOf,
  textOf,
  XmlError,
  type XmlDocument,
  type XmlElement,
} from './nodes.ts'

export const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'
const xadesNamespaces = ['http://uri.etsi.org/01903/v1.3.2#', 'http://uri.etsi.org/01903/v1.4.1#']
const securityNamespace = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'
const utilityNamespace = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd'
const enveloped = `${signatureNamespace}enveloped-signature`

const limits = { signatures: 50, references: 50, transforms: 5, values: 200 }

export type XmlReference = {
  /** Empty: the whole document; `#…`: the element with this identifier. */
  uri: string
  isEnveloped: boolean
  /** The last one counts, because those before it result in the same nodes. */
  form: CanonicalForm | null
  digestMethod: string
  digest: Uint8Array
}

export type XmlSignature = {
  element: XmlElement
  signedInfo: XmlElement
  signedInfoForm: CanonicalForm
  signatureMethod: string
  value: Uint8Array
  valueElement: XmlElement
  references: XmlReference[]
  /** The certificates as DER, in document order. */
  certificates: Uint8Array[]
  properties: XadesProperties | null
}

export type XadesProperties = {
  /** The element that a reference must cover for these properties to count. */
  signed: XmlElement | null
  signingTime: Date | null
  certificateDigests: { method: string; digest: Uint8Array }[]
  timestamps: { token: Uint8Array; form: CanonicalForm | null }[]
  certificates: Uint8Array[]
  crls: Uint8Array[]
  ocspResponses: Uint8Array[]
}

export function findSignatures({ root }: XmlDocument): XmlElement[] {
  const found = [...elementsOf(root)].filter(
    (one) => one.namespace === signatureNamespace && one.local === 'Signature',
  )
  if (found.length > limits.signatures) throw new XmlError('Too many signatures')
  return found
}

export function readSignature(element: XmlElement, document: XmlDocument): XmlSignature {
  const signedInfo = needed(element, 'SignedInfo')
  const valueElement = needed(element, 'SignatureValue')
  const references = childrenCalled(signedInfo, signatureNamespace, 'Reference')
  if (references.length === 0 || references.length > limits.references) throw new XmlError('No references')
  const signedInfoForm = formOf(needed(signedInfo, 'CanonicalizationMethod'))
  if (!signedInfoForm) throw new XmlError('A canonical form that is not known')
  return {
    element,
    signedInfo,
    signedInfoForm,
    signatureMethod: algorithmOf(needed(signedInfo, 'SignatureMethod')),
    value: base64Of(valueElement),
    valueElement,
    references: references.map(readReference),
    certificates: certificatesOf(element, document),
    properties: propertiesOf(element),
  }
}

function needed(element: XmlElement, local: string): XmlElement {
  const child = childCalled(element, signatureNamespace, local)
  if (!child) throw new XmlError(`Not one ${local}`)
  return child
}

export function algorithmOf(element: XmlElement): string {
  return attributeOf(element, 'Algorithm') ?? ''
}

export function formOf(element: XmlElement): CanonicalForm | null {
  const listed = element.children.find((one) => one.kind === 'element' && one.local === 'InclusiveNamespaces')
  const prefixes = listed?.kind === 'element' ? (attributeOf(listed, 'PrefixList') ?? '') : ''
  const names = prefixes.split(/\s+/).filter(Boolean)
  return formNamed(algorithmOf(element), new Set(names.map((name) => (name === '#default' ? '' : name))))
}

/**
 * Reads a reference. Transforms could rewrite a document at will, so only those that leave it as it is are accepted.
 */
function readReference(element: XmlElement): XmlReference {
  const uri = attributeOf(element, 'URI')
  if (uri === null) throw new XmlError('A reference to nothing')
  const list = childCalled(element, signatureNamespace, 'Transforms')
  const transforms = list ? childrenCalled(list, signatureNamespace, 'Transform') : []
  if (transforms.length > limits.transforms) throw new XmlError('Too many transforms')
  let form: CanonicalForm | null = null
  let isEnveloped = false
  for (const transform of transforms) {
    const canonical = formOf(transform)
    if (canonical) form = canonical
    // After a canonical form the content is bytes, from which no signature can be removed.
    else if (algorithmOf(transform) === enveloped && form === null) isEnveloped = true
    else throw new TransformError(algorithmOf(transform))
  }
  return {
    uri,
    isEnveloped,
    form,
    digestMethod: algorithmOf(needed(element, 'DigestMethod')),
    digest: base64Of(needed(element, 'DigestValue')),
  }
}

/** A transform that is not accepted. */
export class TransformError extends XmlError {}

/** The certificates in X509Data, or in a security token of the same message (WS-Security). */
function certificatesOf(element: XmlElement, document: XmlDocument): Uint8Array[] {
  const info = childCalled(element, signatureNamespace, 'KeyInfo')
  if (!info) return []
  const direct = childrenCalled(info, signatureNamespace, 'X509Data').flatMap((data) =>
    childrenCalled(data, signatureNamespace, 'X509Certificate'),
  )
  const tokens = childrenCalled(info, securityNamespace, 'SecurityTokenReference').flatMap((reference) => [
    ...childrenCalled(reference, securityNamespace, 'KeyIdentifier').filter((one) =>
      (attributeOf(one, 'ValueType') ?? '').endsWith('X509v3'),
    ),
    ...childrenCalled(reference, securityNamespace, 'Reference').flatMap((one) => {
      const id = (attributeOf(one, 'URI') ?? '').replace(/^#/, '')
      const found = elementsWithId(document, id)
      return found.length === 1 && found[0]!.local === 'BinarySecurityToken' ? found : []
    }),
  ])
  return [...direct, ...tokens].slice(0, limits.values).map(base64Of)
}

function propertiesOf(signature: XmlElement): XadesProperties | null {
  const all = childrenCalled(signature, signatureNamespace, 'Object').flatMap((object) =>
    childrenCalled(object, xadesNamespaces[0]!, 'QualifyingProperties'),
  )
  const [properties, ...more] = all
  if (!properties) return null
  if (more.length > 0) throw new XmlError('Two sets of properties')
  const signed = childCalled(properties, xadesNamespaces[0]!, 'SignedProperties') ?? null
  const inSigned = (local: string) =>
    signed ? [...elementsOf(signed)].filter((one) => isXades(one, local)) : []
  const unsigned = childCalled(properties, xadesNamespaces[0]!, 'UnsignedProperties')
  const inUnsigned = (local: string) =>
    unsigned ? [...elementsOf(unsigned)].filter((one) => isXades(one, local)).slice(0, limits.values) : []
  const [time] = inSigned('SigningTime')
  return {
    signed,
    signingTime: time ? timeIn(textOf(time).trim()) : null,
    certificateDigests: inSigned('CertDigest').map((one) => ({
      method: algorithmOf(needed(one, 'DigestMethod')),
      digest: base64Of(needed(one, 'DigestValue')),
    })),
    timestamps: inUnsigned('SignatureTimeStamp').flatMap((stamp) => {
      const method = childCalled(stamp, signatureNamespace, 'CanonicalizationMethod')
      const form = method ? formOf(method) : null
      const tokens = [...elementsOf(stamp)].filter((one) => isXades(one, 'EncapsulatedTimeStamp'))
      return tokens.map((one) => ({ token: base64Of(one), form }))
    }),
    certificates: inUnsigned('EncapsulatedX509Certificate').map(base64Of),
    crls: inUnsigned('EncapsulatedCRLValue').map(base64Of),
    ocspResponses: inUnsigned('EncapsulatedOCSPValue').map(base64Of),
  }
}

function isXades({ namespace, local }: XmlElement, wanted: string): boolean {
  return local === wanted && xadesNamespaces.includes(namespace)
}

function timeIn(text: string): Date | null {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? null : time
}

/** Decodes base64, in which only line breaks and spaces are allowed besides. */
export function base64Of(element: XmlElement): Uint8Array {
  const text = textOf(element).replaceAll(/\s+/g, '')
  if (!/^[A-Za-z\d+/]*={0,2}$/.test(text) || text.length % 4 !== 0) throw new XmlError('Not base64')
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/**
 * The elements with an identifier. Without a schema any attribute may be an identifier, so the names in use count.
 */
export function elementsWithId({ root }: XmlDocument, id: string): XmlElement[] {
  return [...elementsOf(root)].filter((one) =>
    one.attributes.some((attribute) => isId(attribute) && attribute.value === id),
  )
}

function isId({ local, namespace }: { local: string; namespace: string }): boolean {
  if (namespace === utilityNamespace) return local === 'Id'
  if (namespace === 'http://www.w3.org/XML/1998/namespace') return local === 'id'
  return namespace === '' && /^id$/i.test(local)
}
