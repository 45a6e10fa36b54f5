import { beforeAll, describe, expect, test } from 'vitest'
import { hash } from '../algorithms/hash.ts'
import type { CmsSigner } from '../signer/sign-cms.ts'
import { foundNation, settingIn, type Nation } from '../testing/nation.ts'
import { randomNumbers } from '../testing/random-numbers.ts'
import { recordedFile, serviceOf, timestampOver, year } from '../testing/records.ts'
import { canonicalDocument, exclusiveAddress, formNamed } from '../xml/canonical.ts'
import { readXml } from '../xml/read.ts'
import { examineRecord } from './examine.ts'
import { xmlHashRenewalHash, xmlRecord, xmlTimestampRenewalHash } from './write-xml.ts'
import type { NewTimestamp } from './write.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const contract = bytesOf('Contract No. 1')
const annex = bytesOf('Annex')
const leaves = ['a', 'b', 'c'].map((text) => hash('sha-256', bytesOf(text)))

let nation: Nation
let clocks: CmsSigner[]
let chains: NewTimestamp[][]
beforeAll(async () => {
  nation = await foundNation('gost-kz-512', 'XML records')
  clocks = [
    await serviceOf(nation, 2025, 2028),
    await serviceOf(nation, 2027, 2031),
    await serviceOf(nation, 2030, 2034),
  ]
  chains = await longChains([contract, annex])
})

async function longChains(files: readonly Uint8Array[]): Promise<NewTimestamp[][]> {
  const group = files.map((file) => hash('sha-256', file))
  const first = await timestampOver(group, { by: clocks[0]!, at: year(2026), others: leaves })
  const before = xmlTimestampRenewalHash(xmlRecord([[first]]))
  const second = await timestampOver([before], { by: clocks[1]!, at: year(2027), others: leaves })
  const older = xmlHashRenewalHash(xmlRecord([[first, second]]), 'sha-512')
  const again = [...files.map((file) => hash('sha-512', file)), older]
  const third = await timestampOver(again, { by: clocks[2]!, at: year(2030), hash: 'sha-512' })
  return [[first, second], [third]]
}

async function findingsOf(record: Uint8Array | string, files: readonly Uint8Array[], at = year(2033)) {
  const bytes = typeof record === 'string' ? bytesOf(record) : record
  const named = files.map((file, i) => recordedFile(`${i}`, file))
  return (await examineRecord(bytes, named, settingIn(nation, { at }))).findings
}

test('a record with one timestamp is valid, and so when renewed by another timestamp and by another hash', async () => {
  const [[first, second]] = chains as [[NewTimestamp, NewTimestamp]]
  expect(await findingsOf(xmlRecord([[first]]), [contract, annex], year(2026))).toEqual([])
  expect(await findingsOf(xmlRecord([[first, second]]), [contract, annex], year(2029))).toEqual([])
  expect(await findingsOf(xmlRecord(chains), [contract, annex])).toEqual([])
  expect(await findingsOf(xmlRecord(chains), [annex])).toEqual([])
})

test('a document that is XML is hashed in its canonical form', async () => {
  const order = bytesOf('<order><sum  value = "1"/></order>')
  const canonical = bytesOf(canonicalDocument(readXml(order), formNamed(exclusiveAddress)!))
  const stamp = await timestampOver([hash('sha-256', canonical)], { by: clocks[0]!, at: year(2026) })
  expect(await findingsOf(xmlRecord([[stamp]]), [order], year(2026))).toEqual([])
  expect(
    await findingsOf(xmlRecord([[stamp]]), [bytesOf('<order><sum value="2"/></order>')], year(2026)),
  ).toEqual(['record-of-other'])
})

test('spaces, prefixes of another document and a declaration do not affect a record', async () => {
  const spaced = textOf(xmlRecord(chains))
    .replaceAll('<ArchiveTimeStampChain', '\n  <ArchiveTimeStampChain')
    .replace('<EvidenceRecord', '<?xml version="1.0" encoding="UTF-8"?>\n<!-- kept --><EvidenceRecord')
  // the spaces around the first chain were there when the second was made, but those of the second were not
  expect(
    await findingsOf(spaced.replace('\n  <ArchiveTimeStampChain', '<ArchiveTimeStampChain'), [contract]),
  ).toEqual([])
})

describe('what is refused', () => {
  const changed = (from: string, to: string) => textOf(xmlRecord(chains)).replace(from, to)

  test.each([
    ['another version', 'Version="1.0"', 'Version="1.1"', 'record-damaged'],
    ['no version', ' Version="1.0"', '', 'record-damaged'],
    ['chains out of order', 'Chain Order="1"', 'Chain Order="3"', 'record-damaged'],
    ['something unknown', '<TimeStamp>', '<Other/><TimeStamp>', 'record-damaged'],
    ['an unknown hash', 'xmlenc#sha256', 'xmlenc#ripemd160', 'unknown-algorithm'],
    ['an unknown canonical form', 'xml-exc-c14n#', 'xml-exc-c15n#', 'unknown-algorithm'],
    ['another kind of timestamp', 'Type="RFC3161"', 'Type="XMLENTRUST"', 'record-form-unknown'],
    [
      'encrypted documents',
      '<ArchiveTimeStampSequence>',
      '<EncryptionInformation/><ArchiveTimeStampSequence>',
      'record-form-unknown',
    ],
    ['a document type', '<EvidenceRecord', '<!DOCTYPE a><EvidenceRecord', 'record-damaged'],
  ])('%s', async (_, from, to, expected) => {
    expect(await findingsOf(changed(from, to), [contract])).toEqual([expected])
  })

  test('a record for another document, without its tree, or with a renewal of something else', async () => {
    const [[first, second], [third]] = chains as [[NewTimestamp, NewTimestamp], [NewTimestamp]]
    expect(await findingsOf(xmlRecord(chains), [bytesOf('another')])).toContain('record-of-other')
    const bare = { ...first, lists: [] }
    expect(await findingsOf(xmlRecord([[bare]]), [contract, annex], year(2026))).toEqual(['record-of-other'])
    expect(await findingsOf(xmlRecord([[first], [third]]), [contract])).toContain('record-broken')
    expect(await findingsOf(xmlRecord([[second], [third]]), [contract])).toContain('record-broken')
  })
})

test('2 000 changed records: none is accepted with other content, and none causes an exception', async () => {
  const record = xmlRecord(chains)
  const random = randomNumbers(6283)
  for (let i = 0; i < 2000; i++) {
    const changed = record.slice()
    for (let j = random(3); j >= 0; j--) changed[random(changed.length)] = 32 + random(95)
    expect(await findingsOf(changed, [bytesOf(`Contract No. ${2 + random(8)}`)])).not.toEqual([])
  }
}, 600_000)
