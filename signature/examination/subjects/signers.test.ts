import { describe, expect, test } from 'vitest'
import { hash } from '../../algorithms/hash.ts'
import { constructed } from '../../asn1/read.ts'
import { joined, toHex } from '../../asn1/values.ts'
import { element, octetString, sequence } from '../../asn1/write.ts'
import { mergeAttached, mergeDetached } from '../../cms/build.ts'
import { cmsOids, readSignedData } from '../../cms/signed-data.ts'
import {
  attribute,
  coSign,
  signDetached,
  signerInfo,
  withTimestamp,
  type CmsSigner,
} from '../../signer/sign-cms.ts'
import { foundNation, settingIn } from '../../testing/nation.ts'
import {
  document,
  other,
  options,
  nation,
  stranger,
  person,
  detached,
  attached,
  examined,
  found,
  assembled,
} from '../../testing/examined-signatures.ts'

describe('several signers', () => {
  test('may be merged with the document, with different algorithms', async () => {
    const place = await foundNation('rsa')
    const second = await signDetached(document, place.person, options)
    const { head, tail } = mergeAttached([detached, second], document.length)
    const trust = { roots: [nation.root, place.root], others: [nation.centre, place.centre] }
    const merged = joined([head, document, tail])
    const { findings, signers } = await examined(merged, document, { ...settingIn(nation), trust })
    expect(findings).toEqual([])
    expect(signers.map((signer) => signer.findings)).toEqual([[], []])
    expect(readSignedData(merged)).toMatchObject({ content: [document] })
  })

  test('may co-sign as the desktop program does it', async () => {
    const colleague = await nation.issue('ИВАНОВА АЙГЕРІМ')
    expect(await found(await coSign(attached, colleague, options), null)).toEqual([])
  })

  test('are judged separately if one of them is wrong', async () => {
    const colleague = await nation.issue('ИВАНОВА АЙГЕРІМ')
    const wrong = await signDetached(other, colleague, options)
    const { signers } = await examined(mergeDetached([detached, wrong]))
    expect(signers.map(({ findings }) => findings.join()).toSorted()).toEqual(['', 'other-document'])
  })
})

describe('counter-signatures', () => {
  async function counterSigned(by: CmsSigner, over?: Uint8Array): Promise<Uint8Array> {
    const [signer] = readSignedData(detached).signers
    const digest = hash('streebog-512', over ?? signer!.signature)
    const counter = await signerInfo(by, [attribute(cmsOids.messageDigest, octetString(digest))])
    const unsigned = element(constructed(1), attribute(cmsOids.counterSignature, counter))
    const body = readSignedData(detached).signers[0]!.whole
    const start = body.length - signerInfoContent(body).length
    const whole = sequence(body.subarray(start), unsigned)
    return assembled([whole], { certificates: [person.certificate.der, by.certificate.der] })
  }

  const setting = () => settingIn(nation, { signingCertificate: 'optional' })

  test('that are right are accepted', async () => {
    const notary = await nation.issue('НОТАРИУС')
    expect(await found(await counterSigned(notary), document, setting())).toEqual([])
  })

  test('of something else, or by a stranger, are wrong', async () => {
    const notary = await nation.issue('НОТАРИУС')
    expect(await found(await counterSigned(notary, document), document, setting())).toEqual([
      'counter-signature-wrong',
    ])
    expect(await found(await counterSigned(stranger.person), document, setting())).toEqual([
      'counter-signature-wrong',
    ])
  })
})

function signerInfoContent(whole: Uint8Array): Uint8Array {
  const lengthOctets = whole[1]! < 0x80 ? 0 : whole[1]! & 0x7f
  return whole.subarray(2 + lengthOctets)
}

/** Everything but the version and the name that identifies a signer, which are not signed and prove nothing. */
function provingParts(cms: Uint8Array): unknown {
  const data = readSignedData(cms)
  return {
    content: (data.content ?? []).map(toHex),
    certificates: data.certificates.map(toHex),
    signers: data.signers.map(({ signature, signedAttributes, unsignedAttributes, ...signer }) => [
      toHex(signature),
      signedAttributes && toHex(signedAttributes.der),
      toHex(signer.digestAlgorithm.der),
      toHex(signer.signatureAlgorithm.der),
      'serial' in signer.signerId && toHex(signer.signerId.serial),
      unsignedAttributes.map(({ oid: type, values }) => [type, values.map((one) => provingParts(one.whole))]),
    ]),
  }
}

test('a signature with any bit flipped does not pass, unless only a name is written in another way', async () => {
  const stamped = await withTimestamp(detached, 0, (signature) => nation.stamp(signature))
  const setting = settingIn(nation, { timestamp: 'required' })
  expect(await found(stamped, document, setting)).toEqual([])
  const proving = provingParts(stamped)
  let passed = 0
  // every bit would take half a minute; steps of seven bits touch each byte and, over time, every position in a byte
  for (let bit = 0; bit < stamped.length * 8; bit += 7) {
    const changed = stamped.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
    if ((await found(changed, document, setting)).length > 0) continue
    expect(provingParts(changed), `bit ${bit}`).toEqual(proving)
    passed++
  }
  expect(passed).toBeLessThan(10)
}, 60_000)
