/** Two documents side by side: each is visible by the same rule as on its own page. */
import type { Db } from '@kelisim/db/db.ts'
import { countChanges } from '@kelisim/domain/comparison/comparison.ts'
import { fileOfName } from '@kelisim/domain/comparison/compared-file.ts'
import { compareDocuments } from '@kelisim/domain/comparison/contract.ts'
import type { DocumentFormat } from '@kelisim/domain/documents/formats.ts'
import { maySee } from '@kelisim/domain/documents/permissions.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import { findDocument } from '../documents/queries.ts'
import type { Storage } from '../documents/storage/storage.ts'
import { borrowVerified, type KeptFile } from '../documents/storage/verified.ts'

import type { Http } from '../http/open.ts'
import type { Caller } from '../http/serve.ts'
import { partyOf, visibleRequest } from '../requests/core/party.ts'
import { visibleProposals } from '../requests/core/proposals.ts'
import { visibleRevision } from '../requests/core/revisions.ts'
import { findReadPages } from '../search/texts/queries.ts'
import type { Claimant } from '../workers/turns.ts'
import { openComparer } from './comparer.ts'

type Side = KeptFile & { name: string; format: DocumentFormat; at: Date }
type Looking = { db: Db; who: Caller<'party'>; now: Date }

export function openComparison({ app, serve }: Http, storage: Storage): void {
  const comparer = openComparer()
  app.addHook('onClose', () => comparer.close())

  serve(compareDocuments, async ({ input, who, db, now, address }) => {
    const looking = { db, who, now }
    const before = await visibleFile(looking, input.before)
    const after = await visibleFile(looking, input.after)
    const recognised = await findReadPages(db, [before.id, after.id])
    const compared = await borrowedBoth(storage, before, after, (pathBefore, pathAfter) => {
      const job = (path: string, { id, size, format }: Side) => ({
        path,
        size,
        format,
        recognised: recognised.get(id) ?? [],
      })
      return comparer.compare(
        { before: job(pathBefore, before), after: job(pathAfter, after) },
        comparingClaimant(who, address),
      )
    })
    const isCompared = compared !== null && compared.hasTextBefore && compared.hasTextAfter
    return {
      before: sideView(before, compared?.hasTextBefore ?? true),
      after: sideView(after, compared?.hasTextAfter ?? true),
      text: isCompared
        ? { rows: compared.rows, changes: countChanges(compared.rows), isCut: compared.isCut }
        : null,
    }
  })
}

async function visibleFile({ db, who, now }: Looking, name: string): Promise<Side> {
  const file = fileOfName(name)!
  if (file.kind === 'document') {
    const member = 'outsiderId' in who ? null : who.member
    if (member === null || 'outsiderId' in who) return refuse('document-not-found')
    const row = await findDocument(db, member.organizationId, file.documentId)
    const viewer = { userId: who.userId, member }
    if (!row || !maySee({ ...row, isInLiveRequest: false }, viewer)) return refuse('document-not-found')
    return { ...row, id: row.fileId, at: row.createdAt }
  }
  const party = await partyOf(db, who, now)
  const loaded = await visibleRequest(db, file.signingRequestId, party)
  if (file.kind === 'proposal') {
    const proposals = await visibleProposals(db, loaded, party.viewer)
    const proposed = proposals.find(({ number }) => number === file.number) ?? refuse('file-not-found')
    return { ...proposed, id: proposed.fileId, name: proposed.fileName }
  }
  const found = await visibleRevision(db, loaded, party.viewer, file.revision)
  return { ...found, id: found.fileId, name: found.fileName }
}

async function borrowedBoth<T>(
  storage: Storage,
  before: Side,
  after: Side,
  work: (pathBefore: string, pathAfter: string) => Promise<T>,
): Promise<T> {
  const first = await borrowVerified(storage, before)
  try {
    const second = await borrowVerified(storage, after)
    try {
      return await work(first.path, second.path)
    } finally {
      await second.release()
    }
  } finally {
    await first.release()
  }
}

/**
 * A caller who acts for no organisation is counted by network: all such callers share one short queue that is served
 * last, so having more accounts or keys does not bring more turns.
 */
function comparingClaimant(who: Caller<'party'>, address: string): Claimant {
  if ('outsiderId' in who || !who.member) return { network: networkOf(address) }
  return { organization: who.member.organizationId, person: who.userId }
}

function sideView({ name, format, sha256, at }: Side, hasText: boolean) {
  return { name, format, sha256: sha256.toString('hex'), at: at.toISOString(), hasText }
}
