/**
 * Signs XML like the desktop program (XMLDSig): the whole document with the signature in it, or one element by its Id.
 * The output equals the program's, down to its line breaks, because others compare it.
 */
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import type { KeyKind } from '@kelisim/signature/signer/keys.ts'
import type { CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import type { Document, Element } from '@xmldom/xmldom'
import { canonical, canonicalDocument, documentText } from './canonical.ts'
import { elementAt, readXml } from './read-xml.ts'
import { XmlError } from './xml-error.ts'

export type XmlPlaces = {
  /** XPath of the element to be signed; empty for the whole document. */
  signed: string
  /** XPath of the element to which the signature is appended; empty for the root. */
  parent: string
}

/**
 * commonUtils breaks lines. basics does not any more, because sites that drop white space between tags broke such
 * signatures.
 */
export type XmlLayout = 'broken lines' | 'compact'

const wholeDocument: XmlPlaces = { signed: '', parent: '' }

export async function signXml(
  text: string,
  { key, certificate }: CmsSigner,
  layout: XmlLayout,
  places = wholeDocument,
): Promise<string> {
  const names = algorithmNames[key.kind]
  if (!names) throw new XmlError('UNKNOWN_ALGORITHM')
  const document = readXml(text)
  const target = places.signed === '' ? null : targetAt(document, places.signed)
  const parent = (places.parent !== '' && elementAt(document, places.parent)) || document.documentElement!
  const digested = target ? canonical(target.element, 'inclusive') : canonicalDocument(document)
  const digest = hash(key.hash, utf8(digested))

  const base64 = layout === 'compact' ? inOneLine : inLines
  const signature = addedTo(
    document,
    parent,
    markup(
      [
        '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#">',
        '<ds:SignedInfo>',
        `<ds:CanonicalizationMethod Algorithm="${target ? exclusive : inclusive}"/>`,
        `<ds:SignatureMethod Algorithm="${names.signature}"/>`,
        `<ds:Reference URI="${target ? `#${escaped(target.id)}` : ''}">`,
        '<ds:Transforms>',
        ...(target ? [] : [`<ds:Transform Algorithm="${enveloped}"/>`]),
        `<ds:Transform Algorithm="${inclusive}#WithComments"/>`,
        '</ds:Transforms>',
        `<ds:DigestMethod Algorithm="${names.digest}"/>`,
        `<ds:DigestValue>${base64(digest).trim()}</ds:DigestValue>`,
        '</ds:Reference>',
        '</ds:SignedInfo>',
        '<ds:SignatureValue></ds:SignatureValue>',
        '<ds:KeyInfo>',
        '<ds:X509Data>',
        `<ds:X509Certificate>${base64(certificate.der)}</ds:X509Certificate>`,
        '</ds:X509Data>',
        '</ds:KeyInfo>',
        '</ds:Signature>',
      ],
      layout,
    ),
  )
  const info = childCalled(signature, 'SignedInfo')
  const value = base64(await key.sign(utf8(canonical(info, target ? 'exclusive' : 'inclusive'))))
  childCalled(signature, 'SignatureValue').textContent = value
  return heading + withProgramBreaks(documentText(document), value)
}

const heading = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

const national = 'urn:ietf:params:xml:ns:pkigovkz:xmlsec:algorithms:'
const more = 'http://www.w3.org/2001/04/xmldsig-more#'

const algorithmNames: Partial<Record<KeyKind, { signature: string; digest: string }>> = {
  'gost-kz-512': {
    signature: `${national}gostr34102015-gostr34112015-512`,
    digest: `${national}gostr34112015-512`,
  },
  'gost-kz-256': {
    signature: `${national}gostr34102015-gostr34112015-256`,
    digest: `${national}gostr34112015-256`,
  },
  'gost-kz-2004': { signature: `${more}gost34310-gost34311`, digest: `${more}gost34311` },
  rsa: { signature: `${more}rsa-sha256`, digest: 'http://www.w3.org/2001/04/xmlenc#sha256' },
}

/** Errors have the program's messages, which are Russian in every language. */
function targetAt(document: Document, path: string): { element: Element; id: string } {
  const element = elementAt(document, path)
  if (!element) {
    throw new XmlError(`Указанный для подписи элемент ${path} не найден`)
  }
  const id = element.getAttribute('Id')
  if (!id) {
    throw new XmlError(`Указанный для подписи элемент ${path} не содержит атрибут 'Id'`)
  }
  return { element, id }
}

function markup(tags: readonly string[], layout: XmlLayout): string {
  return tags.join(layout === 'compact' ? '' : '\n')
}

function addedTo(document: Document, parent: Element, signature: string): Element {
  const added = document.importNode(readXml(signature).documentElement!, true)
  parent.appendChild(added)
  return added
}

function childCalled(parent: Element, name: string): Element {
  const found = [...parent.childNodes].find((node) => node.nodeName === `ds:${name}`)
  // the element exists: this file has created it
  return found as Element
}

const inOneLine = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const inLines = (bytes: Uint8Array) => `\n${inOneLine(bytes).replaceAll(/.{1,76}/g, '$&\n')}`

/**
 * The program writes Windows line breaks in the signature; parsers normalise them to the plain ones that were signed.
 */
function withProgramBreaks(text: string, value: string): string {
  const at = text.indexOf(value)
  const start = text.lastIndexOf('<ds:Signature', text.lastIndexOf('<ds:SignedInfo', at) - 1)
  const end = text.indexOf('</ds:Signature>', at)
  return text.slice(0, start) + text.slice(start, end).replaceAll('\n', '\r\n') + text.slice(end)
}

const utf8 = (text: string) => new TextEncoder().encode(text)
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
