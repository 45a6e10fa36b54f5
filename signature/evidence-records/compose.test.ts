import { expect, test } from 'vitest'
import { hash } from '../algorithms/hash.ts'
import { stamp } from '../signer/timestamp-authority.ts'
import { foundNation, settingIn } from '../testing/nation.ts'
import { recordedFile, serviceOf, year } from '../testing/records.ts'
import { messageImprint } from '../timestamps/timestamp.ts'
import {
  batchOver,
  composedRecord,
  largestBatch,
  leafOfDocument,
  packedHashes,
  unpackedHashes,
  type KeptChain,
} from './compose.ts'
import { examineRecord } from './examine.ts'

test('a batch gives every document a record, which is renewed by timestamp and by hash', async () => {
  const nation = await foundNation('gost-kz-512', 'Composed')
  const clock = await serviceOf(nation, 2025, 2034)
  const stamped = (name: 'sha-256' | 'sha-512', root: Uint8Array, at: Date) =>
    stamp({
      authority: clock,
      request: { imprint: messageImprint(name, root), nonce: null, certReq: true },
      policy: '1.2.3',
      serial: Uint8Array.of(1),
      genTime: at,
    })
  const documents = Array.from({ length: 37 }, (_, i) =>
    [`document ${i}`, `signature ${i}`].map((text) => new TextEncoder().encode(text)),
  )
  const digestsBy = (name: 'sha-256' | 'sha-512') =>
    documents.map((files) => files.map((one) => hash(name, one)))

  const first = digestsBy('sha-256')
  const night = batchOver(
    'sha-256',
    first.map((digests) => leafOfDocument('sha-256', digests, [])),
  )
  const token = await stamped('sha-256', night.root, year(2026))
  const renewal = batchOver('sha-256', [hash('sha-256', token), hash('sha-256', Uint8Array.of(1))])
  const renewed = await stamped('sha-256', renewal.root, year(2028))
  const kept = first.map((digests, i): KeptChain[] => [
    {
      hash: 'sha-256',
      digests,
      timestamps: [
        { token, siblings: night.siblingsOf(i) },
        { token: renewed, siblings: renewal.siblingsOf(0) },
      ],
    },
  ])
  const second = digestsBy('sha-512')
  const again = batchOver(
    'sha-512',
    second.map((digests, i) => leafOfDocument('sha-512', digests, kept[i]!)),
  )
  const last = await stamped('sha-512', again.root, year(2030))
  for (const [i, files] of documents.entries()) {
    const record = composedRecord([
      ...kept[i]!,
      { hash: 'sha-512', digests: second[i]!, timestamps: [{ token: last, siblings: again.siblingsOf(i) }] },
    ])
    const given = files.map((file) => recordedFile('', file))
    const found = await examineRecord(record, given, settingIn(nation, { at: year(2031) }))
    expect(found).toMatchObject({ findings: [], existedAt: year(2026), others: 0 })
  }
})

test('the hashes that a document keeps of the largest batch take less than a kilobyte', () => {
  const leaves = Array.from({ length: largestBatch }, (_, i) =>
    hash('sha-256', Uint8Array.of(i >> 8, i & 255)),
  )
  const { root, siblingsOf } = batchOver('sha-256', leaves)
  const packed = packedHashes(siblingsOf(largestBatch - 1))
  expect(packed.length).toBeLessThanOrEqual(14 * 32)
  expect(unpackedHashes('sha-256', packed)).toEqual(siblingsOf(largestBatch - 1))
  expect(root).toHaveLength(32)
  expect(() => batchOver('sha-256', [...leaves, root])).toThrow(RangeError)
})
