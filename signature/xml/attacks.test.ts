/** What attackers do to signed XML beyond examine-xml.test.ts, found in a review of this code. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { CmsSigner } from '../signer/sign-cms.ts'
import { foundNation, settingIn, signedOn, type Nation } from '../testing/nation.ts'
import { exclusive, signedXml, type XmlSigning } from '../testing/xml-files.ts'
import { examineXml } from './examine-xml.ts'

let nation: Nation
let person: CmsSigner
beforeAll(async () => {
  nation = await foundNation('rsa')
  person = nation.person
})

const order = '<order><sum Id="a">100</sum></order>'
const sign = (text: string, options?: XmlSigning) => signedXml(text, person, options)
const examined = (text: string) =>
  examineXml(new TextEncoder().encode(text), settingIn(nation, { signingCertificate: 'optional' }))

async function faultsIn(text: string): Promise<string[]> {
  const result = await examined(text)
  return [
    ...(result?.findings ?? ['unsigned']),
    ...(result?.signatures ?? []).flatMap(({ examination }) => [
      ...examination.findings,
      ...examination.signers.flatMap((signer) => signer.findings),
    ]),
  ]
}

describe('algorithms with the names of properties that every object has are refused', () => {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']

  test.each(names)('a transform: %s', async (name) => {
    const change = (markup: string) =>
      markup.replace('<ds:Transforms>', `<ds:Transforms><ds:Transform Algorithm="${name}"/>`)
    expect(await faultsIn(await sign(order, { change }))).toEqual(['xml-transform-refused'])
  })

  test.each(names)('a hash, a signature or a canonical form: %s', async (name) => {
    const text = await sign(order)
    const replaced = (element: string) =>
      text.replace(new RegExp(`<ds:${element} Algorithm="[^"]*"`), `<ds:${element} Algorithm="${name}"`)
    expect(await faultsIn(replaced('DigestMethod'))).toContain('unknown-algorithm')
    expect(await faultsIn(replaced('SignatureMethod'))).toContain('unknown-algorithm')
    expect(await faultsIn(replaced('CanonicalizationMethod'))).toEqual(['damaged'])
  })

  test.each(names)('an entity: %s', async (name) => {
    expect(await faultsIn((await sign(order)).replace('100', `&${name};`))).toEqual(['xml-damaged'])
  })
})

test('a canonical form that would be endless from a few kilobytes is refused', async () => {
  const text = await sign(`<order>${'<sum/>'.repeat(2000)}</order>`, { form: exclusive })
  const grown = text
    .replace('<order', `<order xmlns:a="urn:${'x'.repeat(100_000)}"`)
    .replaceAll('<sum/>', '<a:sum/>')
  expect(await faultsIn(grown)).toEqual(['damaged'])
})

test('properties that only look as if they were signed do not count', async () => {
  const text = await sign(order, { uri: '#a', form: exclusive })
  const forged =
    '<ds:Object><xades:QualifyingProperties xmlns:xades="http://uri.etsi.org/01903/v1.3.2#" xmlns:x="urn:x">' +
    '<xades:SignedProperties x:Id="a"><xades:SignedSignatureProperties><xades:SigningTime>2001-01-01T00:00:00Z</xades:SigningTime>' +
    '</xades:SignedSignatureProperties></xades:SignedProperties></xades:QualifyingProperties></ds:Object>'
  expect(await faultsIn(text)).toEqual([])
  const added = text.replace('</ds:Signature>', `${forged}</ds:Signature>`)
  expect(await faultsIn(added)).toContain('attributes-wrong')
  const result = await examined(added)
  expect(result!.signatures[0]!.examination.signers[0]!.signingTime).toBeNull()
})

test('a signature over a part of itself does not cover the document', async () => {
  const change = (markup: string) => markup.replace('<ds:KeyInfo>', '<ds:KeyInfo Id="k">')
  const text = await sign('<order><sum>100</sum></order>', { uri: '#k', form: exclusive, change })
  expect(await faultsIn(text)).toContain('document-missing')
  expect((await examined(text))!.signatures[0]!.covers).toEqual([])
  const both = await sign(order, { uri: '#a', form: exclusive, signingTime: signedOn })
  expect(await faultsIn(both)).toEqual([])
})
