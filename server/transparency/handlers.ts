/** The public calls of the transparency log. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { refuse } from '@kelisim/domain/errors.ts'
import { getLogConsistency, getLogHead, getLogKeys } from '@kelisim/domain/transparency/contract.ts'
import type { Http } from '../http/open.ts'
import { signHead } from './heads.ts'
import { findNewestHead, sizeOfTree } from './queries.ts'
import { consistencyProof } from './tree.ts'

export function openTransparency({ serve, database }: Http, key: KeyObject): void {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')

  serve(getLogHead, async ({ db, now }) => {
    // A job signs heads on schedule; only before the first one must a caller wait for it.
    const head = (await findNewestHead(db)) ?? (await signHead(database, key, now))
    return {
      size: head.size,
      at: head.at.toISOString(),
      publicKey,
      root: head.root.toString('hex'),
      log: head.keyId.toString('hex'),
      signature: head.signature.toString('base64'),
    }
  })

  serve(getLogKeys, async () => ({ keys: [publicKey] }))

  serve(getLogConsistency, async ({ input: { first, second }, db }) => {
    if (first > second || second > (await sizeOfTree(db))) refuse('log-has-no-such-size')
    const proof = await consistencyProof(db, first, second)
    return { proof: proof.map((hash) => Buffer.from(hash).toString('hex')) }
  })
}
