/**
 * Makes evidence records in XML (RFC 6283), without white space between elements, so that no hashed byte can be lost.
 */
import { hash as hashOf, type HashName } from '../algorithms/hash.ts'
import { toBase64 } from '../asn1/values.ts'
import { compareBytes } from '../asn1/write.ts'
import { digestAddress } from '../xml/algorithms.ts'
import { canonicalElement, exclusiveAddress, formNamed } from '../xml/canonical.ts'
import { childCalled } from '../xml/nodes.ts'
import { readXml } from '../xml/read.ts'
import { readXmlRecord, recordNamespace } from './read-xml.ts'
import type { NewTimestamp } from './write.ts'

/** Chains of timestamps, the oldest first; all timestamps of a chain have the same hash. */
export function xmlRecord(chains: readonly (readonly NewTimestamp[])[]): Uint8Array {
  const text =
    `<EvidenceRecord xmlns="${recordNamespace}" Version="1.0"><ArchiveTimeStampSequence>` +
    chains.map((chain, i) => chainText(chain, i + 1)).join('') +
    '</ArchiveTimeStampSequence></EvidenceRecord>'
  return new TextEncoder().encode(text)
}

/** The hash that the next timestamp of the last chain has to cover. */
export function xmlTimestampRenewalHash(record: Uint8Array): Uint8Array {
  const { hash, timestamps } = readXmlRecord(record)!.chains.at(-1)!
  return hashOf(hash, timestamps.at(-1)!.renewable)
}

/** The hash that the first timestamp of a new chain has to cover beside the documents. */
export function xmlHashRenewalHash(record: Uint8Array, name: HashName): Uint8Array {
  const list = childCalled(readXml(record).root, recordNamespace, 'ArchiveTimeStampSequence')!
  return hashOf(name, new TextEncoder().encode(canonicalElement(list, formNamed(exclusiveAddress)!)))
}

function chainText(chain: readonly NewTimestamp[], order: number): string {
  const stamps = chain.map(({ lists, token }, i) => timestampText(lists, token, i + 1))
  return (
    `<ArchiveTimeStampChain Order="${order}"><DigestMethod Algorithm="${digestAddress(chain[0]!.hash)}"/>` +
    `<CanonicalizationMethod Algorithm="${exclusiveAddress}"/>${stamps.join('')}</ArchiveTimeStampChain>`
  )
}

function timestampText(lists: NewTimestamp['lists'], token: Uint8Array, order: number): string {
  const tree = lists.map((list, i) => {
    const values = list.toSorted(compareBytes).map((one) => `<DigestValue>${toBase64(one)}</DigestValue>`)
    return `<Sequence Order="${i + 1}">${values.join('')}</Sequence>`
  })
  return (
    `<ArchiveTimeStamp Order="${order}">${tree.length > 0 ? `<HashTree>${tree.join('')}</HashTree>` : ''}` +
    `<TimeStamp><TimeStampToken Type="RFC3161">${toBase64(token)}</TimeStampToken></TimeStamp></ArchiveTimeStamp>`
  )
}
