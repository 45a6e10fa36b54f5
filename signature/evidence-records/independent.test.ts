import { beforeAll, describe, expect, test } from 'vitest'
import { hash } from '../algorithms/hash.ts'
import type { CmsSigner } from '../signer/sign-cms.ts'
import { isProvedIndependently } from '../testing/independent-record-reader.ts'
import { foundNation, settingIn, type Nation } from '../testing/nation.ts'
import { hasOpenssl, withoutOpenssl } from '../testing/openssl.ts'
import { randomNumbers } from '../testing/random-numbers.ts'
import { recordedFile, serviceOf, timestampOver, year } from '../testing/records.ts'
import { examineRecord } from './examine.ts'
import {
  hashRenewalHashes,
  newRecord,
  renewedByHash,
  renewedByTimestamp,
  timestampRenewalHash,
} from './write.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe.skipIf(!hasOpenssl)(`a reader written from RFC 4998 alone agrees${withoutOpenssl}`, () => {
  const files = [bytesOf('Contract No. 1'), bytesOf('Annex')]
  const leaves = ['a', 'b', 'c', 'd'].map((text) => hash('sha-256', bytesOf(text)))
  let nation: Nation
  let clocks: CmsSigner[]
  let records: Uint8Array[]

  beforeAll(async () => {
    nation = await foundNation('rsa', 'Independent')
    clocks = [
      await serviceOf(nation, 2025, 2028),
      await serviceOf(nation, 2027, 2034),
      await serviceOf(nation, 2029, 2034),
    ]
    const group = files.map((file) => hash('sha-256', file))
    const first = newRecord(await timestampOver(group, { by: clocks[0]!, at: year(2026), others: leaves }))
    const before = timestampRenewalHash(first, 'sha-256')
    const second = renewedByTimestamp(
      first,
      await timestampOver([before], { by: clocks[1]!, at: year(2027), others: leaves }),
    )
    const again = hashRenewalHashes(
      second,
      'sha-512',
      files.map((file) => hash('sha-512', file)),
    )
    const others = leaves.map((leaf) => hash('sha-512', leaf))
    const third = renewedByHash(
      second,
      await timestampOver(again, { by: clocks[2]!, at: year(2030), hash: 'sha-512', others }),
    )
    records = [first, second, third]
  }, 600_000)

  async function isOurs(record: Uint8Array, given: readonly Uint8Array[], at: Date): Promise<boolean> {
    const named = given.map((file, i) => recordedFile(`${i}`, file))
    const { findings } = await examineRecord(record, named, settingIn(nation, { at }))
    return findings.length === 0
  }

  function isTheirs(record: Uint8Array, given: readonly Uint8Array[], at: Date): boolean | null {
    return isProvedIndependently(record, given, { root: nation.root.der, others: [nation.centre.der], at })
  }

  const both = async (record: Uint8Array, given: readonly Uint8Array[], at: Date) => ({
    ours: await isOurs(record, given, at),
    theirs: isTheirs(record, given, at),
  })

  test('that records prove what they should, while they are valid', async () => {
    expect(await both(records[0]!, files, year(2027))).toEqual({ ours: true, theirs: true })
    expect(await both(records[0]!, files, year(2029))).toEqual({ ours: false, theirs: false })
    expect(await both(records[1]!, files, year(2029))).toEqual({ ours: true, theirs: true })
    expect(await both(records[2]!, files, year(2033))).toEqual({ ours: true, theirs: true })
    expect(await both(records[2]!, files.slice(1), year(2033))).toEqual({ ours: true, theirs: true })
    expect(await both(records[2]!, [bytesOf('another')], year(2033))).toEqual({ ours: false, theirs: false })
  })

  test('that changed ones prove nothing', async () => {
    const random = randomNumbers(49)
    for (let i = 0; i < 40; i++) {
      const record = records[2]!.slice()
      record[80 + random(record.length - 80)]! ^= 1 + random(255)
      // Both may tolerate damage that no proof depends on, but the engine accepts nothing that the other reader
      // refuses. It is asked only about records that the engine accepts, because it does not handle damaged input.
      if (await isOurs(record, files, year(2033))) expect(isTheirs(record, files, year(2033))).toBe(true)
    }
  }, 600_000)
})
