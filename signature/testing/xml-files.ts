/** For tests: XML signed as programs do it, assembled from parts so that each part can be made wrong. */
import { hash, type HashName } from '../algorithms/hash.ts'
import type { CmsSigner } from '../signer/sign-cms.ts'
import { canonicalDocument, canonicalElement, formNamed } from '../xml/canonical.ts'
import { readXml } from '../xml/read.ts'
import { elementsWithId, findSignatures } from '../xml/signature-element.ts'

export const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
export const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const national = 'urn:ietf:params:xml:ns:pkigovkz:xmlsec:algorithms:'
const more = 'http://www.w3.org/2001/04/xmldsig-more#'

const methods: Readonly<Record<string, { signature: string; digest: string; hash: HashName }>> = {
  'gost-kz-512': {
    signature: `${national}gostr34102015-gostr34112015-512`,
    digest: `${national}gostr34112015-512`,
    hash: 'streebog-512',
  },
  'gost-kz-2004': {
    signature: `${more}gost34310-gost34311`,
    digest: `${more}gost34311`,
    hash: 'gost-34.311',
  },
  rsa: {
    signature: `${more}rsa-sha256`,
    digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
    hash: 'sha-256',
  },
}

export type XmlSigning = {
  /** The signed element; empty: the whole document. */
  uri?: string
  form?: string
  transforms?: string[]
  /** Adds XAdES properties with this signing time. */
  signingTime?: Date
  /** Changes parts of the signature before it is computed. */
  change?: (markup: string) => string
  /** The signature is placed before this text. */
  before?: string
  /** Returns unsigned properties for the finished signature. */
  unsigned?: (signature: { value: string; element: string }) => Promise<string>
}

const utf8 = (text: string) => new TextEncoder().encode(text)
const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

/** Puts a signature before the end of the root, or before a given text. */
export async function signedXml(
  text: string,
  { key, certificate }: CmsSigner,
  options: XmlSigning = {},
): Promise<string> {
  const { uri = '', form = inclusive, change = (markup) => markup } = options
  const transforms = options.transforms ?? (uri === '' ? [enveloped, form] : [form])
  const method = methods[key.kind]!
  const list = transforms.map((one) => `<ds:Transform Algorithm="${one}"/>`).join('')
  const reference = (to: string, digest: string, all: string, type = '') =>
    `<ds:Reference URI="${to}"${type}><ds:Transforms>${all}</ds:Transforms><ds:DigestMethod Algorithm="${method.digest}"/><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference>`
  const isXades = options.signingTime !== undefined
  const properties = isXades ? propertiesMarkup(options.signingTime!, certificate.der) : ''
  const skeleton = (first: string, second: string, value: string, unsigned: string) =>
    change(
      [
        '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>',
        `<ds:CanonicalizationMethod Algorithm="${form}"/><ds:SignatureMethod Algorithm="${method.signature}"/>`,
        reference(uri, first, list),
        isXades
          ? reference(
              '#props',
              second,
              `<ds:Transform Algorithm="${form}"/>`,
              ' Type="http://uri.etsi.org/01903#SignedProperties"',
            )
          : '',
        `</ds:SignedInfo><ds:SignatureValue>${value}</ds:SignatureValue>`,
        `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64(certificate.der)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`,
        properties.replace('<!--unsigned-->', unsigned),
        '</ds:Signature>',
      ].join(''),
    )
  const placed = (signature: string) => {
    const at = options.before === undefined ? text.lastIndexOf('</') : text.indexOf(options.before)
    return text.slice(0, at) + signature + text.slice(at)
  }
  const canonical = formNamed(form)!
  const digestsIn = (whole: string): [string, string] => {
    const document = readXml(utf8(whole))
    const signature = findSignatures(document).at(-1)!
    const of = (id: string) =>
      canonicalElement(elementsWithId(document, id)[0]!, { ...canonical, hasComments: false })
    const target =
      uri === ''
        ? canonicalDocument(document, { ...canonical, hasComments: false }, signature)
        : of(uri.slice(1))
    const digest = (one: string) => base64(hash(method.hash, utf8(one)))
    return [digest(target), isXades ? digest(of('props')) : '']
  }
  const [first, second] = digestsIn(placed(skeleton('', '', '', '')))
  const unsignedYet = readXml(utf8(placed(skeleton(first, second, '', ''))))
  const info = findSignatures(unsignedYet)
    .at(-1)!
    .children.find((one) => one.kind === 'element' && one.local === 'SignedInfo')
  if (info?.kind !== 'element') throw new RangeError('No SignedInfo')
  const value = base64(await key.sign(utf8(canonicalElement(info, canonical))))
  const whole = placed(skeleton(first, second, value, ''))
  if (!options.unsigned) return whole
  const made = findSignatures(readXml(utf8(whole))).at(-1)!
  const element = made.children.find((one) => one.kind === 'element' && one.local === 'SignatureValue')
  if (element?.kind !== 'element') throw new RangeError('No SignatureValue')
  const added = await options.unsigned({ value, element: canonicalElement(element, formNamed(inclusive)!) })
  return placed(skeleton(first, second, value, added))
}

function propertiesMarkup(time: Date, der: Uint8Array): string {
  const digest = base64(hash('sha-256', der))
  return (
    '<ds:Object><xades:QualifyingProperties xmlns:xades="http://uri.etsi.org/01903/v1.3.2#" Target="#s">' +
    `<xades:SignedProperties Id="props"><xades:SignedSignatureProperties><xades:SigningTime>${time.toISOString()}</xades:SigningTime>` +
    '<xades:SigningCertificateV2><xades:Cert><xades:CertDigest><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>' +
    `<ds:DigestValue>${digest}</ds:DigestValue></xades:CertDigest></xades:Cert></xades:SigningCertificateV2>` +
    '</xades:SignedSignatureProperties></xades:SignedProperties>' +
    '<xades:UnsignedProperties><xades:UnsignedSignatureProperties><!--unsigned--></xades:UnsignedSignatureProperties></xades:UnsignedProperties>' +
    '</xades:QualifyingProperties></ds:Object>'
  )
}
