/** Files that the other side proposed instead of the document of a request. */
import type { Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'

export type ProposalRow = Awaited<ReturnType<typeof findProposals>>[number]

/** By number, each with the act that proposed it. */
export function findProposals(db: Db, requestId: string) {
  return db
    .selectFrom('requestProposals as p')
    .innerJoin('files as f', 'f.id', 'p.fileId')
    .innerJoin('requestEvents as e', (join) =>
      join.onRef('e.requestId', '=', 'p.requestId').onRef('e.number', '=', 'p.number'),
    )
    .select(['p.number', 'p.pointId', 'p.fileId', 'p.fileName', 'p.format'])
    .select(['f.organizationId', 'f.size', 'f.sha256', 'f.destroyedAt', 'e.at', 'e.actor', 'e.comment'])
    .where('p.requestId', '=', requestId)
    .orderBy('p.number')
    .execute()
}

export async function addProposal(tx: Tx, row: Insertable<Schema['requestProposals']>): Promise<void> {
  await tx.insertInto('requestProposals').values(row).execute()
}
