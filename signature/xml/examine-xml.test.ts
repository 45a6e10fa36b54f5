/** Signed XML as programs make it, and as attackers change it. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { CmsSigner } from '../signer/sign-cms.ts'
import { randomNumbers } from '../testing/random-numbers.ts'
import { daysLater, foundNation, settingIn, signedOn, type Nation } from '../testing/nation.ts'
import { exclusive, inclusive, signedXml, type XmlSigning } from '../testing/xml-files.ts'
import { examineXml } from './examine-xml.ts'

let nation: Nation
let person: CmsSigner
beforeAll(async () => {
  nation = await foundNation('rsa')
  person = nation.person
})

const order =
  '<?xml version="1.0" encoding="UTF-8"?>\n<order xmlns="urn:o" xmlns:z="urn:z"><sum z:currency="KZT">100</sum></order>'
const message =
  '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Header></e:Header><e:Body Id="b1"><pay>100</pay></e:Body></e:Envelope>'

const sign = (text: string, options?: XmlSigning) => signedXml(text, person, options)
// A setting for XMLDSig, which does not bind a certificate.
const plain = (country = nation) => settingIn(country, { signingCertificate: 'optional' })

async function examined(text: string, setting = plain()) {
  return (
    (await examineXml(new TextEncoder().encode(text), setting)) ?? { findings: ['unsigned'], signatures: [] }
  )
}

async function faultsIn(text: string): Promise<string[]> {
  const { findings, signatures } = await examined(text)
  return [
    ...findings,
    ...signatures.flatMap(({ examination }) => [
      ...examination.findings,
      ...examination.signers.flatMap((signer) => signer.findings),
    ]),
  ]
}

describe('signed XML', () => {
  test.each([inclusive, `${inclusive}#WithComments`, exclusive, 'http://www.w3.org/2006/12/xml-c14n11'])(
    'is valid if enveloped and canonical by %s',
    async (form) => {
      const { signatures } = await examined(await sign(order, { form }))
      expect(signatures).toMatchObject([{ format: 'XMLDSig', covers: ['/'], isWhole: true }])
      expect(await faultsIn(await sign(order, { form }))).toEqual([])
      expect(signatures[0]!.signed[0]).toContain('>100<')
    },
  )

  test.each(['gost-kz-512', 'gost-kz-2004'] as const)('is valid by a key of %s', async (kind) => {
    const country = await foundNation(kind)
    const { signatures } = await examined(await signedXml(order, country.person), plain(country))
    expect(signatures[0]!.examination).toMatchObject({ findings: [], signers: [{ findings: [] }] })
  })

  test('may cover one element by its identifier', async () => {
    const text = await sign(message, { uri: '#b1', form: exclusive, before: '</e:Header>' })
    expect((await examined(text)).signatures).toMatchObject([{ covers: ['/Envelope/Body'], isWhole: false }])
    expect(await faultsIn(text)).toEqual([])
  })

  test('may be signed twice: the second signature covers the first as well', async () => {
    const other = await nation.issue('ДРУГОВ ДРУГ')
    const text = await signedXml(await sign('<a><b Id="x">1</b></a>', { uri: '#x' }), other)
    expect(await faultsIn(text)).toEqual([])
    expect((await examined(text)).signatures.map(({ isWhole }) => isWhole)).toEqual([false, true])
  })

  test('XAdES: the time and the certificate are signed, a timestamp proves when', async () => {
    const stamped = await sign(order, {
      signingTime: signedOn,
      unsigned: async ({ element }) => {
        const token = await nation.stamp(new TextEncoder().encode(element), daysLater(1))
        return `<xades:SignatureTimeStamp><xades:EncapsulatedTimeStamp>${Buffer.from(token).toString('base64')}</xades:EncapsulatedTimeStamp></xades:SignatureTimeStamp>`
      },
    })
    const later = settingIn(nation, { at: daysLater(1000), signingCertificate: 'optional' })
    const { signatures } = await examined(stamped, later)
    expect(signatures).toMatchObject([{ format: 'XAdES', covers: ['/'], examination: { findings: [] } }])
    const [signer] = signatures[0]!.examination.signers
    expect(signer).toMatchObject({ signingTime: signedOn, timestampTime: daysLater(1), findings: [] })
    // Without the timestamp the certificate has expired.
    const bare = await examined(await sign(order, { signingTime: signedOn }), later)
    expect(bare.signatures[0]!.examination.signers[0]!.findings).toContain('certificate-expired')
  })

  test('is not recognised without a signature, and if it is not XML', async () => {
    expect(await examineXml(new TextEncoder().encode(order), plain())).toBeNull()
    expect(await examineXml(new TextEncoder().encode('{"a": 1}'), plain())).toBeNull()
  })
})

describe('an attack is detected:', () => {
  test('another sum', async () => {
    expect(await faultsIn((await sign(order)).replace('>100<', '>900<'))).toEqual(['other-document'])
  })

  test('a comment that makes other programs read a part of the sum', async () => {
    const signed = await sign(order)
    expect(await faultsIn(signed.replace('>100<', '>1<!-- -->00<'))).toEqual(['xml-commented'])
    const part = await sign(message, { uri: '#b1', form: exclusive, before: '</e:Header>' })
    expect(await faultsIn(part.replace('>100<', '><!-- -->100<'))).toEqual(['xml-commented'])
    // A comment between elements, or in a part that is not signed, splits no text that is read.
    expect(await faultsIn(signed.replace('<ds:Signature ', '<!-- --><ds:Signature '))).toEqual([])
    expect(await faultsIn(part.replace('<e:Header>', '<e:Header>x<!-- -->'))).toEqual([])
  })

  test('the signed element is moved aside, and another one is in its place', async () => {
    const text = await sign(message, { uri: '#b1', form: exclusive, before: '</e:Header>' })
    const body = '<e:Body Id="b1"><pay>100</pay></e:Body>'
    const fake = '<e:Body Id="b2"><pay>900</pay></e:Body>'
    const aside = text.replace(body, fake).replace('</e:Header>', `<w>${body}</w></e:Header>`)
    expect(await faultsIn(aside)).toEqual(['xml-wrapped'])
    const twin = text.replace(body, `${body.replace('100', '900')}${body}`)
    expect(await faultsIn(twin)).toContain('xml-wrapped')
    const inside = text
      .replace(body, fake)
      .replace('</ds:Signature>', `<ds:Object>${body}</ds:Object></ds:Signature>`)
    expect(await faultsIn(inside)).toContain('xml-wrapped')
  })

  test.each([
    'http://www.w3.org/TR/1999/REC-xslt-19991116',
    'http://www.w3.org/TR/1999/REC-xpath-19991116',
    'http://www.w3.org/2002/06/xmldsig-filter2',
    'http://www.w3.org/2000/09/xmldsig#base64',
    'urn:anything',
  ])('the transform %s', async (transform) => {
    const text = await sign(order, {
      change: (markup) =>
        markup.replace('<ds:Transforms>', `<ds:Transforms><ds:Transform Algorithm="${transform}"/>`),
    })
    expect(await faultsIn(text)).toEqual(['xml-transform-refused'])
  })

  test.each(['http://example.com/order.xml', 'file:///etc/passwd', '#xpointer(/)'])(
    'a reference to %s',
    async (uri) => {
      const text = (await sign(order)).replace('URI=""', `URI="${uri}"`)
      expect(await faultsIn(text)).toContain('xml-reference-outside')
    },
  )

  test.each([
    ['a document type', '<!DOCTYPE order [<!ENTITY x SYSTEM "file:///etc/passwd">]>'],
    ['entities that repeat themselves', '<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>'],
  ])('%s', async (_, type) => {
    expect(await faultsIn((await sign(order)).replace('<order', `${type}<order`))).toEqual(['xml-damaged'])
  })

  test.each([
    ['an unknown entity', (text: string) => text.replace('100', '&sum;')],
    ['an attribute twice', (text: string) => text.replace('<sum ', '<sum a="1" a="2" ')],
    [
      'an attribute twice by two prefixes',
      (text: string) => text.replace('<sum ', '<sum xmlns:q="urn:z" q:currency="USD" '),
    ],
    ['a prefix of nobody', (text: string) => text.replace('<sum ', '<sum y:a="1" ')],
    ['no end', (text: string) => text.slice(0, -3)],
    ['something behind the end', (text: string) => `${text}<order/>`],
    ['another encoding', (text: string) => text.replace('UTF-8', 'windows-1251')],
  ])('malformed: %s', async (_, change) => {
    expect(await faultsIn(change(await sign(order)))).toEqual(['xml-damaged'])
  })

  test('the key of somebody else, a weak hash, and a signature of nothing', async () => {
    const abroad = await foundNation('rsa', 'Abroad')
    expect(await faultsIn(await signedXml(order, abroad.person))).toContain('issuer-unknown')
    const text = await sign(order)
    const certificate = /X509Certificate>([^<]+)</.exec(text)![1]!
    const others = Buffer.from((await nation.issue('ДРУГОЙ')).certificate.der).toString('base64')
    expect(await faultsIn(text.replace(certificate, others))).toContain('wrong-signature')
    const weak = text.replaceAll(
      'http://www.w3.org/2001/04/xmlenc#sha256',
      'http://www.w3.org/2000/09/xmldsig#sha1',
    )
    expect(await faultsIn(weak)).toContain('weak-algorithm')
    const ofItself = await sign(order, {
      signingTime: signedOn,
      change: (markup) => markup.replace(/<ds:Reference URI="">.*?<\/ds:Reference>/, ''),
    })
    expect(await faultsIn(ofItself)).toContain('document-missing')
  })

  test('properties that nobody signed', async () => {
    const text = await sign(order, {
      signingTime: signedOn,
      change: (markup) => markup.replace(/<ds:Reference URI="#props".*?<\/ds:Reference>/, ''),
    })
    expect(await faultsIn(text)).toContain('attributes-wrong')
  })

  test(
    'ten thousand changed files: none with other content passes, and none causes an exception',
    { timeout: 300_000 },
    async () => {
      const text = await sign(order)
      const whole = new TextEncoder().encode(text)
      const before = (await examined(text)).signatures[0]!.signed
      const random = randomNumbers(11)
      for (let i = 0; i < 10_000; i++) {
        const at = random(whole.length)
        const changed = Buffer.from(whole)
        if (random(3) === 0) changed.copyWithin(at, at + 1 + random(9))
        else changed[at] = random(256)
        const result = await examineXml(changed, plain())
        const faults = (result?.signatures ?? []).flatMap(({ examination }) => [
          ...examination.findings,
          ...examination.signers.flatMap(({ findings }) => findings),
        ])
        const isAccepted = result !== null && result.findings.length === 0 && faults.length === 0
        if (isAccepted) expect(result.signatures.map(({ signed }) => signed)).toEqual([before])
      }
    },
  )
})
