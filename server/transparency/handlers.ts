/** The public calls of the transparency log. */
import { createPublicKey } from 'node:crypto'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  getLogConsistency,
  getLogHead,
  getLogKeys,
  getLogState,
  type witnessFailures,
} from '@kelisim/domain/transparency/contract.ts'
import { writeVerifierKey } from '@kelisim/signature/transparency/note.ts'
import type { Http } from '../http/open.ts'
import { findWitnessed, findWitnesses } from './checkpoint-queries.ts'
import { noteKeyOf, type Log } from './checkpoints.ts'
import { signHead } from './heads.ts'
import { findHead, findNewestHead, sizeOfTree } from './queries.ts'
import { openTiles } from './tile-routes.ts'
import { consistencyProof } from './tree.ts'
import { namesOf, type Witnessing } from './witnesses.ts'

export function openTransparency(http: Http, log: Log, witnessing: Witnessing): void {
  const { serve, database } = http
  const { key } = log
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')
  const { witnesses, quorum } = witnessing
  const witnessKeys = witnesses.map((witness) => writeVerifierKey(witness.key))

  // A job signs heads on schedule; only before the first one must a caller wait for it.
  const newestHead = async (now: Date) =>
    (await findNewestHead(database.db)) ?? (await signHead(database, key, now))

  serve(getLogHead, async ({ now }) => {
    const head = await newestHead(now)
    return {
      size: head.size,
      at: head.at.toISOString(),
      publicKey,
      root: head.root.toString('hex'),
      log: head.keyId.toString('hex'),
      signature: head.signature.toString('base64'),
    }
  })

  serve(getLogKeys, async () => ({ keys: [publicKey], witnesses: witnessKeys, quorum }))

  serve(getLogState, async ({ db, now }) => {
    const head = await newestHead(now)
    const kept = await findWitnesses(db)
    const newest = quorum > 0 ? await findWitnessed(db, namesOf(witnessing), quorum) : undefined
    const witnessed = newest && (await findHead(db, newest.size))
    return {
      key: writeVerifierKey(noteKeyOf(log)),
      head: { size: head.size, at: head.at.toISOString(), root: head.root.toString('hex') },
      witnessed: witnessed ? { size: witnessed.size, at: witnessed.at.toISOString() } : null,
      quorum,
      witnesses: witnesses.map((witness, i) => {
        const known = kept.find(({ name }) => name === witness.key.name)
        const hasSigned = known && known.size !== null && known.at !== null
        return {
          key: witnessKeys[i]!,
          name: witness.key.name,
          last: hasSigned ? { size: known.size!, at: known.at!.toISOString() } : null,
          failure: (known?.failure ?? null) as (typeof witnessFailures)[number] | null,
        }
      }),
    }
  })

  serve(getLogConsistency, async ({ input: { first, second }, db }) => {
    if (first > second || second > (await sizeOfTree(db))) refuse('log-has-no-such-size')
    const proof = await consistencyProof(db, first, second)
    return { proof: proof.map((hash) => Buffer.from(hash).toString('hex')) }
  })

  openTiles(http, log, witnessing)
}
