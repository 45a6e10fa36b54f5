/** A signature in the document that was sent: as NCALayer makes it, and what intruders try. */
import { beforeAll, describe, expect, test } from 'vitest'
import { fullOcspResponse } from '../revocation/ocsp.ts'
import type { CmsSigner } from '../signer/sign-cms.ts'
import { daysLater, foundNation, settingIn, signedOn, type Nation } from '../testing/nation.ts'
import { inclusive, signedXml, type XmlSigning } from '../testing/xml-files.ts'
import { cutSignature, isXmlSignature } from './enveloped-element.ts'
import { examineEnveloped, withSignature, xmlSigningFault } from './enveloped.ts'
import { stampedBytes, withXmlEvidence } from './evidence-properties.ts'
import { examineXml } from './examine-xml.ts'
import { XmlError } from './nodes.ts'
import { readXml } from './read.ts'

let nation: Nation
let person: CmsSigner
let other: CmsSigner
beforeAll(async () => {
  nation = await foundNation('gost-kz-512')
  person = nation.person
  other = await nation.issue('ДРУГОВ ДРУГ')
})

const utf8 = (text: string) => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
const order =
  '\ufeff<?xml version="1.0" encoding="UTF-8"?>\r\n<order xmlns="urn:o" xmlns:z="urn:z">\r\n  <sum z:currency="KZT" Id="s">100</sum>\r\n</order>\r\n'

const certificateOf = ({ certificate }: CmsSigner) => btoa(String.fromCharCode(...certificate.der))

async function signatureOf(text: string, options: XmlSigning = {}, signer = person): Promise<Uint8Array> {
  const form = `${inclusive}#WithComments`
  return utf8(cutSignature(await signedXml(text, signer, { form, ...options }))!)
}

async function faultsOf(signature: Uint8Array, document = order): Promise<string[]> {
  const { findings, signers } = await examineEnveloped(utf8(document), signature, settingIn(nation))
  return [...findings, ...signers.flatMap((signer) => signer.findings)]
}

describe('a document with one signature', () => {
  test.each([
    ['with a mark, line breaks of Windows and namespaces', order],
    ['with an empty root', '<order number="1" />'],
    ['with instructions around', '<?before it?>\n<order>1</order>\n<?after it?>\n'],
    ['with marked sections', '<order><![CDATA[</order>]]> ә</order>'],
  ])('%s keeps every byte, and is valid for any verifier', async (_, text) => {
    expect(xmlSigningFault(utf8(text))).toBeNull()
    const signature = await signatureOf(text.replace(/ ?\/>$/, '></order>'))
    expect(isXmlSignature(signature)).toBe(true)
    expect(await faultsOf(signature, text)).toEqual([])
    const signed = withSignature(utf8(text), signature)
    expect(
      textOf(signed)
        .replace(textOf(signature), '')
        .replace(/ ?><\/order>$/, ' />'),
    ).toBe(text)
    expect((await examineXml(signed, settingIn(nation)))!.signatures).toMatchObject([{ isWhole: true }])
  })

  test('each signer signs the same document, and each signature is independent', async () => {
    const [ours, theirs] = [await signatureOf(order), await signatureOf(order, {}, other)]
    expect([await faultsOf(ours), await faultsOf(theirs)]).toEqual([[], []])
    const examined = await Promise.all(
      [ours, theirs].map((one) => examineEnveloped(utf8(order), one, settingIn(nation))),
    )
    const [first, second] = examined.map(({ signers }) => signers[0]!.act)
    expect(first).not.toEqual(second)
  })

  test.each([
    ['is no XML', '{"a": 1}', 'broken'],
    ['has a document type', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', 'broken'],
    ['is not in UTF-8', '<?xml version="1.0" encoding="windows-1251"?><a/>', 'broken'],
    ['has a comment, which nobody would sign', '<a>1<!-- 2 --></a>', 'comments'],
    ['has a comment behind its end', '<a>1</a><!-- </a> -->', 'comments'],
  ])('cannot be made if the document %s', (_, text, fault) => {
    expect(xmlSigningFault(utf8(text))).toBe(fault)
  })

  test.each(['', '?>', ' ?>\n', '<?a?>', 'no tag', '/>', '<a', '\ufffe'])(
    'cannot be put together with %j, which is refused in limited time',
    (text) => {
      expect(() => withSignature(utf8(text), utf8('<s/>'))).toThrow(XmlError)
    },
  )

  test('cannot be put together with bytes that are not UTF-8', () => {
    expect(() => withSignature(Uint8Array.of(0x3c, 0x61, 0xff), utf8('<s/>'))).toThrow(XmlError)
  })

  test('cannot be signed again inside: that would break the first signature', async () => {
    expect(xmlSigningFault(utf8(await signedXml(order, person)))).toBe('signed')
  })
})

describe('evidence behind a signature', () => {
  test('proves it after the certificate has ended, and the signature itself does not change', async () => {
    const signature = await signatureOf(order)
    const ocsp = await nation.ocsp(person.certificate, 'good', daysLater(1))
    const proved = withXmlEvidence(signature, {
      timestamps: [await nation.stamp(stampedBytes(signature), daysLater(1))],
      certificates: [nation.centre.der],
      ocspResponses: [fullOcspResponse(ocsp.der)],
      crls: [(await nation.crl([], signedOn, nation.rootParty)).der],
    })
    const later = settingIn(nation, { at: daysLater(1000), revocation: 'any' })
    const { findings, signers } = await examineEnveloped(utf8(order), signature, later, proved)
    expect([findings, signers[0]!.findings, signers[0]!.timestampTime]).toEqual([[], [], daysLater(1)])
    const bare = await examineEnveloped(utf8(order), signature, later)
    expect(bare.signers[0]!.findings).toContain('certificate-expired')
    const whole = withSignature(utf8(order), proved)
    expect((await examineXml(whole, later))!.signatures).toMatchObject([
      { format: 'XAdES', isWhole: true, examination: { findings: [] } },
    ])
  })

  test('is not added if there is none, and belongs to its own signature', async () => {
    const signature = await signatureOf(order)
    const none = { timestamps: [], certificates: [], ocspResponses: [], crls: [] }
    expect(withXmlEvidence(signature, none)).toBe(signature)
    const another = withXmlEvidence(await signatureOf(order, {}, other), {
      ...none,
      certificates: [nation.centre.der],
    })
    const examined = await examineEnveloped(utf8(order), signature, settingIn(nation), another)
    expect(examined).toEqual({ findings: ['xml-damaged'], signers: [] })
  })
})

describe('an intruder fails who', () => {
  test('brings the signature of another document, of changed text, or of one with something added', async () => {
    for (const changed of [
      '<order>another</order>',
      order.replace('100', '900'),
      order.replace('</sum>', '</sum><sum>1</sum>'),
    ]) {
      expect(await faultsOf(await signatureOf(changed))).toContain('other-document')
    }
  })

  test('puts comments into the text: only the signature is taken from it', async () => {
    const signed = await signedXml(order, person)
    const commented = signed.replace('100', '1<!-- -->00')
    expect(cutSignature(commented)).toBe(cutSignature(signed))
    expect(await faultsOf(await signatureOf(order), order.replace('100', '1<!-- -->00'))).toEqual([
      'xml-damaged',
    ])
  })

  test('signs a part of the document, or something outside it', async () => {
    expect(await faultsOf(await signatureOf(order, { uri: '#s' }))).toEqual(['xml-wrapped'])
    const outside = await signatureOf(order, {
      change: (markup) => markup.replace('URI=""', 'URI="http://a/"'),
    })
    expect(await faultsOf(outside)).toEqual(['xml-wrapped'])
  })

  test('brings two signatures, something beside one, or something inside it', async () => {
    const signature = textOf(await signatureOf(order))
    const second = textOf(await signatureOf(order, {}, other))
    for (const brought of [
      signature + second,
      `${signature}<sum>1</sum>`,
      `<!-- -->${signature}`,
      signature.replace('</ds:Signature>', '<ds:Object><sum>1</sum></ds:Object></ds:Signature>'),
      signature.replace('</ds:KeyInfo>', '<!-- --></ds:KeyInfo>'),
      signature.replace('</ds:KeyInfo>', '<sum>1</sum></ds:KeyInfo>'),
      signature.replace('<ds:Signature ', '<ds:Signature sum="1" '),
      signature.replaceAll('ds:Signature', 'ds:Signatures'),
      `${signature} \n`,
      signature.replace('</ds:KeyInfo>', '<ds:KeyName>x</ds:KeyName></ds:KeyInfo>'),
      signature.replace('</ds:KeyInfo>', 'x</ds:KeyInfo>'),
      signature.replace('</ds:X509Certificate>', '<ds:KeyName/></ds:X509Certificate>'),
      'no signature',
      '',
    ]) {
      expect(await faultsOf(utf8(brought))).toEqual(['not-a-signature'])
    }
  })

  test('brings another transform, or leaves the signature inside what it signs', async () => {
    const xslt = 'http://www.w3.org/TR/1999/REC-xslt-19991116'
    expect(await faultsOf(await signatureOf(order, { transforms: [xslt] }))).toEqual([
      'xml-transform-refused',
    ])
    expect(await faultsOf(await signatureOf(order, { transforms: [inclusive] }))).toEqual(['xml-wrapped'])
  })

  test('brings a second certificate, so that another person could be taken for the signer without the document', async () => {
    const first = `<ds:X509Certificate>${certificateOf(other)}</ds:X509Certificate>`
    const brought = textOf(await signatureOf(order)).replace(
      '<ds:X509Certificate>',
      `${first}<ds:X509Certificate>`,
    )
    expect(brought).toContain(certificateOf(other))
    expect(await faultsOf(utf8(brought))).toEqual(['not-a-signature'])
  })

  test('declares so many namespaces that each element would copy them', () => {
    const declared = Array.from({ length: 201 }, (_, i) => ` xmlns:a${i}="b"`).join('')
    expect(() => readXml(utf8(`<a${declared}/>`))).toThrow('Too many namespaces')
  })

  test('writes hundreds of thousands of sibling elements, which are just read', () => {
    expect(xmlSigningFault(utf8(`<a>${'<b/>'.repeat(200_000)}</a>`))).toBeNull()
  })

  test('puts another certificate beside the signature', async () => {
    const swapped = textOf(await signatureOf(order)).replace(certificateOf(person), certificateOf(other))
    expect(await faultsOf(utf8(swapped))).toContain('wrong-signature')
  })
})
