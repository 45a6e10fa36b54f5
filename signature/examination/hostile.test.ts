/** The examination returns a result quickly, whatever hostile bytes it is given. */
import { beforeAll, describe, expect, test } from 'vitest'
import { constructed, elements, read, tags } from '../asn1/read.ts'
import { joined } from '../asn1/values.ts'
import { element, explicit, header, integer, oid, sequence, setOf } from '../asn1/write.ts'
import { addEvidence } from '../cms/build.ts'
import { cmsOids, readSignedData } from '../cms/signed-data.ts'
import { makeCertificate, makeCertificateDer } from '../signer/issue.ts'
import { authority, makeName } from '../signer/extensions.ts'
import { signAttached, signDetached, withTimestamp } from '../signer/sign-cms.ts'
import { foundNation, settingIn, signedOn, type Nation } from '../testing/nation.ts'
import { examineCertificate } from './examine-certificate.ts'
import { examineSignature } from './examine.ts'
import type { Finding } from '../findings/findings.ts'
import { readableEvidence } from './revocation.ts'

const document = new TextEncoder().encode('Шарт')
let nation: Nation
let stamped: Uint8Array

beforeAll(async () => {
  nation = await foundNation('gost-kz-2004')
  const signature = await signDetached(document, nation.person, { signingTime: signedOn })
  const withTime = await withTimestamp(signature, 0, (value) => nation.stamp(value))
  stamped = addEvidence(withTime, 0, {
    certificates: [nation.centre.der],
    crls: [(await nation.crl()).der],
    basicOcspResponses: [(await nation.ocsp(nation.person.certificate)).der],
  })
})

async function found(signature: Uint8Array): Promise<Finding[]> {
  const setting = settingIn(nation, { revocation: 'any' })
  const { findings, signers } = await examineSignature(signature, [document], setting)
  return [...findings, ...signers.flatMap((signer) => signer.findings)]
}

/** Deterministic: a failure can be reproduced by its seed. */
function random(seed: number): () => number {
  let state = seed * 2654435761 + 1
  return () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    return state / 0x80000000
  }
}

function mutated(bytes: Uint8Array, seed: number): Uint8Array {
  const next = random(seed)
  const place = () => Math.floor(next() * bytes.length)
  let result = new Uint8Array(bytes)
  for (let changes = 1 + Math.floor(next() * 3); changes > 0; changes--) {
    const [from, to] = [place(), place()].toSorted((one, other) => one - other) as [number, number]
    switch (Math.floor(next() * 6)) {
      case 0:
        result[place() % result.length] = Math.floor(next() * 256)
        break
      case 1:
        result = joined([result.subarray(0, from), result.subarray(Math.min(to, from + 64))])
        break
      case 2:
        result = joined([result.subarray(0, to), result.subarray(from, to), result.subarray(to)])
        break
      case 3:
        result = result.slice(0, to)
        break
      case 4:
        result = joined([result.subarray(0, from), new Uint8Array(8).fill(0x30), result.subarray(from)])
        break
      default:
        result.set(
          [0x84, 0xff, 0xff, 0xff, 0xff].slice(0, result.length - from),
          Math.min(from, result.length),
        )
    }
    if (result.length === 0) return result
  }
  return result
}

test('ten thousand spoiled signatures: each gets a result, and none that was changed passes', async () => {
  expect(await found(stamped)).toEqual([])
  for (let seed = 0; seed < 10_000; seed++) {
    const bytes = mutated(stamped, seed)
    const isChanged = bytes.length !== stamped.length || bytes.some((byte, i) => byte !== stamped[i])
    const before = process.threadCpuUsage()
    const findings = await found(bytes)
    if (isChanged && findings.length === 0) await expectHarmless(bytes, seed)
    if (process.threadCpuUsage(before).user > 1_000_000) {
      throw new Error(`Mutation ${seed} took more than a second`)
    }
  }
}, 120_000)

/** Unsigned evidence may be removed or repeated, as long as the rest still proves the signature. */
async function expectHarmless(bytes: Uint8Array, seed: number): Promise<void> {
  const [signer] = readSignedData(bytes).signers
  const [original] = readSignedData(stamped).signers
  expect(signer!.signature, `mutation ${seed}`).toEqual(original!.signature)
  expect(signer!.signedAttributes, `mutation ${seed}`).toEqual(original!.signedAttributes)
}

describe('bombs', () => {
  const nested = (depth: number) => {
    const heads: Uint8Array[] = []
    let length = 0
    for (let i = 0; i < depth; i++) {
      const head = header(tags.sequence, length)
      heads.unshift(head)
      length += head.length
    }
    return joined(heads)
  }

  test('elements nested ten thousand deep, with lengths and without', async () => {
    expect(await found(nested(10_000))).toEqual(['not-a-signature'])
    const open = new Uint8Array(20_000).map((_, i) => (i % 2 === 0 ? 0x30 : 0x80))
    expect(await found(open)).toEqual(['not-a-signature'])
    const inside = sequence(oid(cmsOids.signedData), explicit(0, nested(10_000)))
    expect(await found(inside)).toEqual(['damaged'])
  })

  test('lengths beyond all memory', async () => {
    expect(await found(Uint8Array.of(0x30, 0x88, 0x7f, 255, 255, 255, 255, 255, 255, 255))).toEqual([
      'not-a-signature',
    ])
    expect(await found(Uint8Array.of(0x30, 0xff, ...new Uint8Array(127).fill(1)))).toEqual([
      'not-a-signature',
    ])
  })

  test('hundreds of certificates with one name, each needing its signature checked', async () => {
    const issuer = nation.centreParty
    const twins = await Promise.all(
      Array.from({ length: 400 }, (_, i) =>
        makeCertificateDer({ ...issuer, issuer, serial: i + 1, extensions: authority(), isBare: true }),
      ),
    )
    const signature = await signAttached(document, nation.person, { signingTime: signedOn })
    const crowded = addEvidence(signature, 0, { certificates: twins })
    const setting = settingIn(nation)
    const alone = { ...setting, trust: { roots: [nation.root], others: [] } }
    const { signers } = await examineSignature(crowded, null, alone)
    expect(signers[0]!.findings).not.toEqual([])
  })

  test('authorities that certify each other in a circle', async () => {
    const names = ['A', 'B', 'C'].map((commonName) => makeName({ commonName }))
    const keys = nation.person.key
    const circle = await Promise.all(
      names.map((subject, i) =>
        makeCertificate({
          subject,
          keys,
          issuer: { subject: names[(i + 1) % 3]!, keys },
          extensions: authority(),
          isBare: true,
        }),
      ),
    )
    const leaf = await makeCertificate({
      subject: makeName({ commonName: 'LEAF' }),
      keys,
      issuer: { subject: names[0]!, keys },
    })
    const setting = settingIn(nation)
    const trust = { roots: [nation.root], others: circle }
    expect((await examineCertificate(leaf.der, { ...setting, trust })).findings).toEqual(['issuer-unknown'])
  })

  test('a name of a megabyte', async () => {
    const subject = makeName({ commonName: 'x'.repeat(1024 * 1024) })
    const der = await makeCertificateDer({ subject, keys: nation.person.key })
    expect((await examineCertificate(der, settingIn(nation))).findings).toEqual(['certificate-damaged'])
  })

  test('a chain of counter-signatures, each over the one before', async () => {
    const bare = await signDetached(document, nation.person, { signingTime: signedOn })
    const fields = elements(read(readSignedData(bare).signers[0]!.whole)).map(({ whole }) => whole)
    let info: Uint8Array = sequence(...fields)
    for (let i = 0; i < 40; i++) {
      const unsigned = setOf([sequence(oid(cmsOids.counterSignature), setOf([info]))], constructed(1))
      info = sequence(...fields, unsigned)
    }
    const data = sequence(
      oid(cmsOids.signedData),
      explicit(0, sequence(integer(1), setOf([]), sequence(oid(cmsOids.data)), setOf([info]))),
    )
    expect(await found(data)).not.toEqual([])
  })

  test('dozens of timestamps: the work is limited', async () => {
    const values = Array.from({ length: 60 }, (_, i) => element(tags.sequence, integer(i)))
    const crowded = addEvidence(stamped, 0, { timestamps: values })
    expect(await found(crowded)).toContain('timestamp-damaged')
  })
})

test('evidence that cannot be read is left out', () => {
  const garbage = [new Uint8Array(), Uint8Array.of(0x30, 0), document]
  const embedded = { timestamps: [], certificates: [], crls: garbage, basicOcspResponses: garbage }
  expect(readableEvidence(embedded, { crls: garbage, ocspResponses: garbage })).toEqual({
    crls: [],
    ocsp: [],
  })
})
