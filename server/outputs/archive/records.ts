/** Evidence records of archived signatures, put together when somebody asks for them. */
import type { Db } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'
import {
  composedRecord,
  unpackedHashes,
  type KeptChain,
} from '@kelisim/signature/evidence-records/compose.ts'
import { findProofEnd, findProofs, findTimestampLine } from './queries.ts'

/** How long before their end timestamps and hashes are renewed. */
export const renewedBefore = { timestamp: 90 * day, hash: 365 * day }

/** The chains of proofs of a signature; empty: it is under no timestamp yet. */
export async function findChains(db: Db, signatureId: string): Promise<KeptChain[]> {
  const chains: KeptChain[] = []
  for (const { timestampId, digests, siblings } of await findProofs(db, signatureId)) {
    const line = await findTimestampLine(db, timestampId)
    const { hash } = line[0]!
    chains.push({
      hash,
      digests: unpackedHashes(hash, digests),
      timestamps: line.map(({ token, siblings: between }) => ({
        token,
        siblings: unpackedHashes(hash, between ?? siblings),
      })),
    })
  }
  return chains
}

/** The evidence record of a signature; null: there is none yet. */
export async function findRecord(db: Db, signatureId: string): Promise<Uint8Array | null> {
  const chains = await findChains(db, signatureId)
  return chains.length === 0 ? null : composedRecord(chains)
}

/**
 * Until when everything of a request is proved, and when the proof will be renewed; null: not all of it is proved
 * yet.
 */
export async function findProofLife(
  db: Db,
  requestId: string,
): Promise<{ holdsUntil: Date; renewedFrom: Date } | null> {
  const holdsUntil = await findProofEnd(db, requestId)
  return holdsUntil && { holdsUntil, renewedFrom: new Date(Number(holdsUntil) - renewedBefore.timestamp) }
}
