import { beforeAll, describe, expect, test } from 'vitest'
import { hash, type HashName } from '../algorithms/hash.ts'
import { constructed, elements, inside, read, tags, take } from '../asn1/read.ts'
import { isSame } from '../asn1/values.ts'
import { explicit, octetString, oid, sequence, setOf } from '../asn1/write.ts'
import { archivedBytes, newIndex } from '../cms/archive-timestamp.ts'
import { addArchiveTimestamp, addEvidence } from '../cms/build.ts'
import { cmsOids, readSignedData } from '../cms/signed-data.ts'
import { signAttached, signDetached, type CmsSigner } from '../signer/sign-cms.ts'
import { foundNation, settingIn, signedOn, type Nation } from '../testing/nation.ts'
import { serviceOf, year } from '../testing/records.ts'
import { examineSignature } from './examine.ts'
import type { Policy } from './policy.ts'
import { trustBasis } from './trust-basis.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const contract = bytesOf('Contract No. 1')

let nation: Nation
let clocks: CmsSigner[]
let durable: Uint8Array
beforeAll(async () => {
  nation = await foundNation('gost-kz-512', 'Archive')
  clocks = [
    await serviceOf(nation, 2025, 2029),
    await serviceOf(nation, 2028, 2032),
    await serviceOf(nation, 2031, 2034),
  ]
  const bare = await signDetached(contract, nation.person, { signingTime: signedOn })
  const { signature } = readSignedData(bare).signers[0]!
  durable = addEvidence(bare, 0, {
    timestamps: [await nation.stamp(signature, signedOn, clocks[0])],
    certificates: [nation.centre.der],
    crls: [(await nation.crl()).der],
  })
})

type ArchivedOptions = { by?: CmsSigner; at?: Date; content?: Uint8Array; name?: HashName }

/** Adds an archive timestamp over everything that is there. `content`: what is hashed as the document. */
async function archived(
  cms: Uint8Array,
  { by = clocks[0]!, at = year(2027), content = contract, name = 'sha-512' }: ArchivedOptions = {},
) {
  const data = readSignedData(cms)
  const signer = data.signers[0]!
  const index = newIndex(data, signer, name)
  const token = await nation.stamp(archivedBytes(data, signer, hash(name, content), index), at, by, name)
  return addArchiveTimestamp(cms, 0, token, index)
}

async function examined(cms: Uint8Array, at = year(2027), policy: Partial<Policy> = {}, document = contract) {
  const strict = { timestampLife: 'until-check', ...policy } as const
  const { findings, signers } = await examineSignature(cms, [document], settingIn(nation, { at, ...strict }))
  const [signer] = signers
  return { findings: [...findings, ...(signer?.findings ?? [])], signer: signer! }
}

test('an archive timestamp covers the document, the signature and all its evidence, attached or detached', async () => {
  const { findings, signer } = await examined(await archived(durable))
  expect(findings).toEqual([])
  expect(signer.archiveTimestamps).toMatchObject([{ covers: 'document', time: year(2027) }])
  expect(trustBasis(signer)?.timestamps.map(({ time }) => time)).toEqual([signedOn, year(2027)])
  const attached = await signAttached(contract, nation.person, { signingTime: signedOn })
  expect(
    (await examined(await archived(attached, { at: new Date('2026-12-01T00:00:00Z') }), year(2028))).findings,
  ).toEqual([])
})

test('an archive timestamp proves the timestamp after its service has ended, and is renewed itself', async () => {
  expect((await examined(durable, year(2030))).findings).toContain('record-expired')
  const once = await archived(durable, { by: clocks[1]!, at: new Date('2028-06-01T00:00:00Z') })
  expect((await examined(once, year(2030))).findings).toEqual([])
  expect((await examined(once, year(2033))).findings).toContain('record-expired')
  const twice = await archived(once, { by: clocks[2]!, at: new Date('2031-06-01T00:00:00Z') })
  expect((await examined(twice, year(2033))).findings).toEqual([])
  const late = await archived(durable, { by: clocks[1]!, at: year(2029) })
  expect((await examined(late, year(2030))).findings).toContain('record-expired')
})

test('an archive timestamp proves the document after the hash of the signature has ended', async () => {
  const hashEnds = { 'streebog-512': new Date('2028-01-01T00:00:00Z') }
  const policy = { hashEnds, timestampLife: 'own-time' } as const
  expect((await examined(durable, year(2028), policy)).findings).toContain('weak-algorithm')
  const before = await archived(durable, { at: year(2027) })
  expect((await examined(before, year(2027), policy)).findings).toEqual([])
  const after = await archived(durable, { at: year(2028) })
  expect((await examined(after, year(2028), policy)).findings).toContain('weak-algorithm')
})

test('evidence that is added later does not affect an archive timestamp', async () => {
  const cms = await archived(durable)
  const more = addEvidence(cms, 0, { crls: [(await nation.crl([], year(2026))).der] })
  expect((await examined(more)).findings).toEqual([])
})

describe('an empty content in place of the document, as NCALayer hashes it', () => {
  test('is reported and proves nothing about the document', async () => {
    const cms = await archived(durable, { content: new Uint8Array() })
    const { findings, signer } = await examined(cms)
    expect(findings).toEqual([])
    expect(signer.archiveTimestamps).toMatchObject([{ covers: 'signature' }])
    expect(signer.timestampTime).toEqual(signedOn)
    const bare = await signDetached(contract, nation.person, { signingTime: signedOn })
    const alone = await examined(await archived(bare, { content: new Uint8Array() }), year(2027))
    expect(alone.signer.timestampTime).toBe(null)
    expect(trustBasis(alone.signer)?.timestamps).toEqual([])
    expect(alone.findings).toContain('certificate-expired')
    const ends = { 'streebog-512': new Date('2028-01-01T00:00:00Z') }
    const ended = await examined(cms, year(2028), { hashEnds: ends, timestampLife: 'own-time' })
    expect(ended.findings).toContain('weak-algorithm')
  })

  test('is right if the document is empty', async () => {
    const cms = await signDetached(new Uint8Array(), nation.person, { signingTime: signedOn })
    const { signer } = await examined(
      await archived(cms, { content: new Uint8Array() }),
      year(2027),
      {},
      new Uint8Array(),
    )
    expect(signer.archiveTimestamps).toMatchObject([{ covers: 'document' }])
  })
})

describe('a change of anything that is covered is found', () => {
  const without = (cms: Uint8Array, type: string) => changed(cms, (one) => (one === type ? null : undefined))

  /** The same with some unsigned attributes removed (null) or replaced. */
  function changed(cms: Uint8Array, change: (type: string) => Uint8Array | null | undefined): Uint8Array {
    const outer = elements(read(cms, tags.sequence, 'ber'))
    const fields = elements(elements(outer[1]!)[0]!)
    const signers = elements(fields.pop()!).map((signer) => {
      const parts = elements(signer)
      const unsigned = elements(parts.pop()!).flatMap((attribute) => {
        const cursor = inside(attribute)
        const type = take(cursor, tags.oid)
        const name = Object.values(cmsOids).find((known) => isSame(oid(known), type.whole)) ?? ''
        const next = change(name)
        return next === undefined ? [attribute.whole] : next === null ? [] : [next]
      })
      return sequence(...parts.map(({ whole }) => whole), setOf(unsigned, constructed(1)))
    })
    return sequence(
      outer[0]!.whole,
      explicit(0, sequence(...fields.map(({ whole }) => whole), setOf(signers))),
    )
  }

  test.each([
    ['the timestamp', cmsOids.signatureTimestamp],
    ['the certificates', cmsOids.certificateValues],
    ['the revocation data', cmsOids.revocationValues],
  ])('%s removed', async (_, type) => {
    const { findings } = await examined(without(await archived(durable), type))
    expect(findings).toContain('timestamp-of-other')
  })

  test('revocation data replaced', async () => {
    const other = sequence(explicit(0, sequence((await nation.crl([], year(2026))).der)))
    const attribute = sequence(oid(cmsOids.revocationValues), setOf([other]))
    const cms = changed(await archived(durable), (type) =>
      type === cmsOids.revocationValues ? attribute : undefined,
    )
    expect((await examined(cms)).findings).toContain('timestamp-of-other')
  })

  test('another document, or a changed byte of the signature or of the signer', async () => {
    const cms = await archived(durable)
    const other = await examined(cms, year(2027), {}, bytesOf('Contract No. 2'))
    expect(other.findings).toEqual(expect.arrayContaining(['other-document', 'timestamp-of-other']))
    const { signature, signedAttributes } = readSignedData(cms).signers[0]!
    for (const part of [signature, signedAttributes!.der.subarray(4)]) {
      const at = indexOf(cms, part)
      for (const offset of [0, Math.floor(part.length / 2), part.length - 1]) {
        const spoiled = cms.with(at + offset, cms[at + offset]! ^ 1)
        expect((await examined(spoiled)).findings).not.toEqual([])
      }
    }
  })

  test('an empty index, one of another signature, and none', async () => {
    const data = readSignedData(durable)
    const signer = data.signers[0]!
    const index = newIndex(data, signer, 'sha-256')
    const token = await nation.stamp(
      archivedBytes(data, signer, hash('sha-256', contract), index),
      year(2027),
      clocks[0],
    )
    const empty = sequence(
      ...elements(read(index))
        .slice(0, 1)
        .map(({ whole }) => whole),
      sequence(),
      sequence(),
      sequence(),
    )
    expect((await examined(addArchiveTimestamp(durable, 0, token, empty))).findings).toContain(
      'timestamp-of-other',
    )
    const foreign = sequence(
      ...elements(read(index))
        .slice(0, 3)
        .map(({ whole }) => whole),
      sequence(octetString(hash('sha-256', contract))),
    )
    expect((await examined(addArchiveTimestamp(durable, 0, token, foreign))).findings).toContain(
      'timestamp-of-other',
    )
  })
})

function indexOf(bytes: Uint8Array, part: Uint8Array): number {
  return Buffer.from(bytes).indexOf(Buffer.from(part))
}
