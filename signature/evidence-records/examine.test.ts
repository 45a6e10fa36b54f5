import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { hash, type HashName } from '../algorithms/hash.ts'
import { constructed, elements, inside, read, tags, take } from '../asn1/read.ts'
import { isSame } from '../asn1/values.ts'
import { element, integer, nothing, octetString, oid, sequence, setOf } from '../asn1/write.ts'
import { digestIdentifier } from '../certificates/algorithm-identifier.ts'
import type { Setting } from '../examination/policy.ts'
import type { CmsSigner } from '../signer/sign-cms.ts'
import { foundNation, settingIn, type Nation } from '../testing/nation.ts'
import { randomNumbers } from '../testing/random-numbers.ts'
import { recordedFile, serviceOf, timestampOver, year, type StampOptions } from '../testing/records.ts'
import { examineRecord } from './examine.ts'
import { parentOf } from './hash-tree.ts'
import {
  hashRenewalHashes,
  newRecord,
  renewedByHash,
  renewedByTimestamp,
  timestampRenewalHash,
} from './write.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const contract = bytesOf('Contract No. 1')
const annex = bytesOf('Annex to contract No. 1')
const leaves = ['a', 'b', 'c', 'd', 'e'].map((text) => hash('sha-256', bytesOf(text)))

let nation: Nation
let clocks: CmsSigner[]
beforeAll(async () => {
  nation = await foundNation('gost-kz-512', 'Records')
  clocks = [
    await serviceOf(nation, 2025, 2028),
    await serviceOf(nation, 2027, 2031),
    await serviceOf(nation, 2030, 2034),
  ]
})

async function judged(
  record: Uint8Array,
  files: readonly Uint8Array[],
  at = year(2026),
  policy: Partial<Setting['policy']> = {},
) {
  const named = files.map((file, i) => recordedFile(`file ${i}`, file))
  return examineRecord(record, named, settingIn(nation, { at, ...policy }))
}
const findingsOf = async (...args: Parameters<typeof judged>) => (await judged(...args)).findings

/** A record with one timestamp over these files. */
async function recordOver(files: readonly Uint8Array[], options: Partial<StampOptions> = {}) {
  const name = options.hash ?? 'sha-256'
  const group = files.map((file) => hash(name, file))
  return newRecord(await timestampOver(group, { by: clocks[0]!, at: year(2026), ...options }))
}

/** A record that was renewed in 2027 by a timestamp and in 2030 by another hash. */
async function longRecord(files: readonly Uint8Array[]) {
  const first = await recordOver(files, { others: leaves })
  const second = renewedByTimestamp(
    first,
    await timestampOver([timestampRenewalHash(first, 'sha-256')], {
      by: clocks[1]!,
      at: year(2027),
      others: leaves,
    }),
  )
  const group = hashRenewalHashes(
    second,
    'sha-512',
    files.map((file) => hash('sha-512', file)),
  )
  const others = leaves.map((leaf) => hash('sha-512', leaf))
  const third = renewedByHash(
    second,
    await timestampOver(group, { by: clocks[2]!, at: year(2030), hash: 'sha-512', others }),
  )
  return { first, second, third }
}

describe('records that prove', () => {
  test.each(['sha-256', 'sha-384', 'sha-512', 'streebog-256', 'streebog-512', 'gost-34.311'] as HashName[])(
    'one document by %s, alone and in a tree',
    async (name) => {
      expect(
        await findingsOf(await recordOver([contract], { hash: name, isBare: true }), [contract]),
      ).toEqual([])
      expect(await findingsOf(await recordOver([contract], { hash: name }), [contract])).toEqual([])
      const others = leaves.map((leaf) => hash(name, leaf))
      expect(await findingsOf(await recordOver([contract], { hash: name, others }), [contract])).toEqual([])
    },
  )

  test('with the times since when and until when they prove', async () => {
    const { third } = await longRecord([contract, annex])
    const found = await judged(third, [contract, annex], year(2033))
    expect(found).toMatchObject({
      format: 'asn1',
      existedAt: year(2026),
      holdsUntil: new Date('2034-01-01T00:00:00Z'),
      files: [{ isCovered: true }, { isCovered: true }],
      others: 0,
      findings: [],
    })
    expect(found.timestamps.map(({ time, isRehashed }) => [time.getUTCFullYear(), isRehashed])).toEqual([
      [2026, false],
      [2027, false],
      [2030, true],
    ])
  })

  test('one document of a group, with the number of others', async () => {
    const { third } = await longRecord([contract, annex])
    expect(await judged(third, [annex], year(2033))).toMatchObject({ findings: [], others: 1 })
  })

  test('with a sibling in the first list, as in the example of RFC 4998', async () => {
    const own = hash('sha-256', contract)
    const upper = parentOf('sha-256', [own, leaves[0]!])
    const root = parentOf('sha-256', [upper, leaves[1]!])
    const { token } = await timestampOver([root], { by: clocks[0]!, at: year(2026), isBare: true })
    const lists = [[leaves[0]!, own], [leaves[1]!]]
    expect(await findingsOf(newRecord({ hash: 'sha-256', lists, token }), [contract])).toEqual([])
  })

  test('with a single first hash that was hashed once more, as the RFC can be read', async () => {
    const own = hash('sha-256', contract)
    const root = parentOf('sha-256', [parentOf('sha-256', [own]), leaves[1]!])
    const { token } = await timestampOver([root], { by: clocks[0]!, at: year(2026), isBare: true })
    const record = newRecord({ hash: 'sha-256', lists: [[own], [leaves[1]!]], token })
    expect(await findingsOf(record, [contract])).toEqual([])
    expect(await findingsOf(record, [annex])).not.toEqual([])
  })

  test('without the hash named at the tree, with attributes, with information about the service', async () => {
    const { token, lists } = await timestampOver([hash('sha-256', contract)], {
      by: clocks[0]!,
      at: year(2026),
      others: leaves,
    })
    const attributes = setOf([sequence(oid('1.2.3'), setOf([integer(1)]))], constructed(1))
    const tree = element(constructed(2), ...lists.map((list) => sequence(...list.map(octetString))))
    const info = element(constructed(0), sequence(oid('1.2.3.4'), setOf([nothing()])))
    const bareHash = sequence(oid('2.16.840.1.101.3.4.2.1'))
    const record = sequence(
      integer(1),
      sequence(bareHash),
      info,
      sequence(sequence(sequence(attributes, tree, token))),
    )
    expect(await findingsOf(record, [contract])).toEqual([])
  })

  test('by a token without its certificate, if the certificate is known', async () => {
    const record = await recordOver([contract], { certReq: false })
    expect(await findingsOf(record, [contract])).toEqual(['timestamp-untrusted'])
    const trust = { ...nation.trust, others: [...nation.trust.others, clocks[0]!.certificate] }
    const found = await examineRecord(record, [recordedFile('file', contract)], {
      ...settingIn(nation, { at: year(2026) }),
      trust,
    })
    expect(found.findings).toEqual([])
  })

  test('by SHA-1 while it was secure, if it was renewed in time', async () => {
    const early = await foundNation('gost-kz-512', 'Early')
    const ends = { 'sha-1': new Date('2027-01-01T00:00:00Z') }
    const clock = await serviceOf(early, 2025, 2034)
    const record = newRecord(
      await timestampOver([hash('sha-1', contract)], { by: clock, at: year(2026), hash: 'sha-1' }),
    )
    const renewed = async (at: Date) =>
      renewedByHash(
        record,
        await timestampOver(hashRenewalHashes(record, 'sha-256', [hash('sha-256', contract)]), {
          by: clock,
          at,
        }),
      )
    const judgedIn = async (bytes: Uint8Array, at: Date) =>
      (await examineRecord(bytes, [recordedFile('file', contract)], settingIn(early, { at, hashEnds: ends })))
        .findings
    expect(await judgedIn(record, year(2026))).toEqual([])
    expect(await judgedIn(record, year(2028))).toContain('record-weak')
    expect(await judgedIn(await renewed(new Date('2026-12-01T00:00:00Z')), year(2028))).toEqual([])
    expect(await judgedIn(await renewed(new Date('2027-02-01T00:00:00Z')), year(2028))).toContain(
      'record-weak',
    )
  })
})

describe('records that prove nothing', () => {
  test('for another document, or one that the record does not cover', async () => {
    const record = await recordOver([contract, annex])
    expect(await findingsOf(record, [bytesOf('Contract No. 2')])).toEqual(['record-of-other'])
    expect(await findingsOf(record, [contract, annex, bytesOf('more')])).toEqual(['record-of-other'])
    expect(await findingsOf(record, [])).toEqual(['document-missing'])
  })

  test('two documents under one bare timestamp', async () => {
    expect(await findingsOf(await recordOver([contract], { isBare: true }), [contract, annex])).toEqual([
      'record-of-other',
    ])
  })

  test('an inner hash of the tree as if it were a document', async () => {
    // the concatenation of two leaves is a "document" whose hash is a node of the tree
    const [one, other] = [hash('sha-256', contract), leaves[0]!]
    const record = await recordOver([contract], { others: [other] })
    const pair = [one, other].toSorted((a, b) => (a.join() < b.join() ? -1 : 1))
    for (const [left, right] of [pair, pair.toReversed()] as const) {
      const node = new Uint8Array([...left!, ...right!])
      expect(await findingsOf(record, [node])).toEqual(['record-of-other'])
    }
  })

  test('with renewals of something else', async () => {
    const { first } = await longRecord([contract])
    const other = await timestampOver([leaves[0]!], { by: clocks[1]!, at: year(2027), others: leaves })
    expect(await findingsOf(renewedByTimestamp(first, other), [contract], year(2029))).toEqual([
      'record-broken',
    ])
    expect(await findingsOf(renewedByHash(first, other), [contract], year(2029))).toEqual(['record-broken'])
  })

  test('with a renewal by hash without the older chains, or with both in the other order', async () => {
    const { first } = await longRecord([contract])
    const own = hash('sha-512', contract)
    const older = hash('sha-512', sequence(chainsOf(first)[0]!.whole))
    const wrong = [own, hash('sha-512', new Uint8Array([...older, ...own])), parentOf('sha-512', [own, own])]
    for (const value of wrong) {
      const next = await timestampOver([value], { by: clocks[1]!, at: year(2027), hash: 'sha-512' })
      expect(await findingsOf(renewedByHash(first, next), [contract], year(2029))).toEqual(['record-broken'])
    }
  })

  test('that were renewed after the certificate had ended, or not at all', async () => {
    const { first } = await longRecord([contract])
    const late = await timestampOver([timestampRenewalHash(first, 'sha-256')], {
      by: clocks[2]!,
      at: year(2030),
    })
    expect(await findingsOf(renewedByTimestamp(first, late), [contract], year(2030))).toEqual(['record-late'])
    expect(await findingsOf(first, [contract], year(2029))).toEqual(['record-expired'])
  })

  test('with times that go back', async () => {
    const { first } = await longRecord([contract])
    const early = await timestampOver([timestampRenewalHash(first, 'sha-256')], {
      by: clocks[0]!,
      at: new Date('2026-01-01T00:00:00Z'),
    })
    expect(await findingsOf(renewedByTimestamp(first, early), [contract])).toContain('record-disordered')
  })

  test('with a timestamp from after the check', async () => {
    expect(await findingsOf(await recordOver([contract]), [contract], year(2025))).toContain(
      'timestamp-from-future',
    )
  })

  test('with a timestamp service that nobody trusts', async () => {
    const other = await foundNation('gost-kz-512', 'Foreign')
    const clock = await serviceOf(other, 2025, 2030)
    expect(await findingsOf(await recordOver([contract], { by: clock }), [contract])).toEqual([
      'timestamp-untrusted',
    ])
  })

  test('with a service whose key was stolen before the renewal, but not after it', async () => {
    const { first, second } = await longRecord([contract])
    const crlOf = async (revokedAt: Date, at: Date) =>
      nation.crl([{ certificate: clocks[0]!.certificate, revokedAt, reason: 'keyCompromise' }], at)
    const judgedWith = async (record: Uint8Array, revokedAt: Date, at: Date) => {
      const evidence = { crls: [await crlOf(revokedAt, at)] }
      const found = await examineRecord(
        record,
        [recordedFile('f', contract)],
        settingIn(nation, { at, evidence }),
      )
      return found.findings
    }
    const before = new Date('2026-09-01T00:00:00Z')
    const after = new Date('2027-09-01T00:00:00Z')
    expect(await judgedWith(first, before, year(2027))).toEqual(['timestamp-untrusted'])
    expect(await judgedWith(second, before, year(2028))).toEqual(['timestamp-untrusted'])
    expect(await judgedWith(second, after, year(2028))).toEqual([])
  })

  test('with a forged token', async () => {
    const { token, lists } = await timestampOver([hash('sha-256', contract)], {
      by: clocks[0]!,
      at: year(2026),
    })
    const forged = token.with(token.length - 1, token.at(-1)! ^ 1)
    expect(await findingsOf(newRecord({ hash: 'sha-256', lists, token: forged }), [contract])).toEqual([
      'record-forged',
    ])
  })

  test('with a tree by another hash than the timestamp, two hashes in a chain, or a hash that is not named', async () => {
    const { token } = await timestampOver([hash('sha-256', contract)], { by: clocks[0]!, at: year(2026) })
    const lists = [[hash('streebog-256', contract)]]
    expect(await findingsOf(newRecord({ hash: 'streebog-256', lists, token }), [contract])).toContain(
      'record-broken',
    )
    const { first } = await longRecord([contract])
    const next = await timestampOver([timestampRenewalHash(first, 'sha-512')], {
      by: clocks[1]!,
      at: year(2027),
      hash: 'sha-512',
    })
    expect(await findingsOf(renewedByTimestamp(first, next), [contract])).toEqual(['record-damaged'])
    const chains = chainsOf(first).map(({ whole }) => whole)
    const unnamed = sequence(integer(1), sequence(digestIdentifier('sha-512')), sequence(...chains))
    expect(await findingsOf(unnamed, [contract])).toEqual(['record-damaged'])
  })

  test('with an unknown hash, an encrypted document, another version, bytes behind the end, or nothing', async () => {
    const { first } = await longRecord([contract])
    const chains = sequence(...chainsOf(first).map(({ whole }) => whole))
    const hashes = sequence(digestIdentifier('sha-256'))
    const encryption = element(constructed(1), oid('1.2.3'), nothing())
    expect(await findingsOf(sequence(integer(1), hashes, encryption, chains), [contract])).toEqual([
      'record-form-unknown',
    ])
    expect(await findingsOf(sequence(integer(2), hashes, chains), [contract])).toEqual(['record-damaged'])
    expect(await findingsOf(sequence(integer(1), hashes, chains, nothing()), [contract])).toEqual([
      'record-damaged',
    ])
    expect(await findingsOf(sequence(integer(1), hashes, sequence()), [contract])).toEqual(['record-damaged'])
    expect(await findingsOf(new Uint8Array(), [contract])).toEqual(['record-damaged'])
    const { token, lists } = await timestampOver([hash('sha-256', contract)], {
      by: clocks[0]!,
      at: year(2026),
    })
    const md5 = element(constructed(0), oid('1.2.840.113549.2.5'), nothing())
    const tree = element(constructed(2), ...lists.map((list) => sequence(...list.map(octetString))))
    const unknown = sequence(integer(1), hashes, sequence(sequence(sequence(md5, tree, token))))
    expect(await findingsOf(unknown, [contract])).toEqual(['unknown-algorithm'])
  })
})

test('in any tree every leaf is proved and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 3 }), async (count, size) => {
      const others = Array.from({ length: count - 1 }, (_, i) => hash('sha-256', bytesOf(`${count} ${i}`)))
      const files = Array.from({ length: size }, (_, i) => bytesOf(`file ${i} of ${size}`))
      const record = await recordOver(files, { others })
      expect(await findingsOf(record, files)).toEqual([])
      expect(await findingsOf(record, [...files.slice(1), bytesOf('another')])).toEqual(['record-of-other'])
    }),
    { numRuns: 12 },
  )
})

test('10 000 changed records: none is accepted with other content, and none causes an exception', async () => {
  const { third } = await longRecord([contract, annex])
  const random = randomNumbers(21)
  let accepted = 0
  for (let i = 0; i < 10_000; i++) {
    const changed = third.slice()
    const changes = 1 + random(3)
    for (let j = 0; j < changes; j++) changed[random(changed.length)] = random(256)
    const cut = random(10) === 0 ? changed.subarray(0, random(changed.length)) : changed
    const files = [contract.with(random(contract.length), random(256)), annex]
    const isSameContent = isSame(files[0]!, contract)
    const { findings } = await judged(cut, files, year(2033))
    if (findings.length === 0 && !isSameContent) accepted++
  }
  expect(accepted).toBe(0)
}, 600_000)

test('a changed record is not accepted over the right files either, except for changes where nothing is hashed', async () => {
  const { third } = await longRecord([contract])
  const random = randomNumbers(4998)
  const lastStart = third.length - chainsOf(third).at(-1)!.whole.length
  for (let i = 0; i < 400; i++) {
    // everything before the last chain is covered by it
    const at = lastStart - 1 - random(lastStart - 60)
    const changed = third.with(at, third[at]! ^ (1 + random(255)))
    expect(await findingsOf(changed, [contract], year(2033)), `byte ${at}`).not.toEqual([])
  }
}, 600_000)

function chainsOf(record: Uint8Array) {
  const fields = inside(read(record, tags.sequence))
  take(fields, tags.integer)
  take(fields, tags.sequence)
  return elements(take(fields, tags.sequence))
}
