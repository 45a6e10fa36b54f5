/** Evidence records for tests: consecutive timestamp services, and records that they renew. */
import { hash, type HashName } from '../algorithms/hash.ts'
import type { RecordedFile } from '../evidence-records/examine.ts'
import { reducedTree, rootOf, siblingsOf, treeOver } from '../evidence-records/hash-tree.ts'
import type { NewTimestamp } from '../evidence-records/write.ts'
import { extendedKeyUsage, keyUsage, makeName } from '../signer/extensions.ts'
import type { CmsSigner } from '../signer/sign-cms.ts'
import { stamp } from '../signer/timestamp-authority.ts'
import { messageImprint } from '../timestamps/timestamp.ts'
import type { Nation } from './nation.ts'

export const year = (number: number) => new Date(Date.UTC(number, 5, 1))

/** A timestamp service whose certificate is valid for these years. */
export function serviceOf(nation: Nation, from: number, to: number): Promise<CmsSigner> {
  const commonName = `Clock ${from}`
  return nation.issue(commonName, {
    subject: makeName({ commonName, country: 'KZ' }),
    notBefore: new Date(Date.UTC(from, 0, 1)),
    notAfter: new Date(Date.UTC(to, 0, 1)),
    extensions: [keyUsage('digitalSignature'), extendedKeyUsage(['1.3.6.1.5.5.7.3.8'], true)],
  })
}

export type StampOptions = {
  by: CmsSigner
  at: Date
  hash?: HashName
  /** Further leaves of the tree. */
  others?: readonly Uint8Array[]
  /** Whether the token includes the certificate of the service. */
  certReq?: boolean
  /** Whether the group is timestamped alone, without a tree. */
  isBare?: boolean
}

/** A timestamp over a group of hashes, in a tree with others. */
export async function timestampOver(
  group: readonly Uint8Array[],
  { by, at, hash: name = 'sha-256', others = [], certReq = true, isBare = false }: StampOptions,
): Promise<NewTimestamp> {
  const leaf = rootOf(name, [group])
  const levels = treeOver(name, [leaf, ...others])
  const lists = isBare ? [] : reducedTree(group, siblingsOf(levels, 0))
  const token = await stamp({
    authority: by,
    request: { imprint: messageImprint(name, levels.at(-1)![0]!), nonce: null, certReq },
    policy: '1.2.398.3.3.2.6.4',
    serial: hash('sha-256', leaf).subarray(0, 8),
    genTime: at,
  })
  return { hash: name, lists, token }
}

export function recordedFile(name: string, bytes: Uint8Array): RecordedFile {
  return { name, pieces: () => [bytes] }
}
