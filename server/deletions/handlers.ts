/** Puts back what somebody has just deleted. */
import { isForeignKeyViolation } from '@kelisim/db/db.ts'
import { restoreDeleted } from '@kelisim/domain/deletions/contract.ts'
import { mayRestore, type Deletion } from '@kelisim/domain/deletions/deletion.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { Http } from '../http/open.ts'
import { lockDeletion, putBack, type DeletionRow } from './queries.ts'

export function openDeletions({ serve }: Http): void {
  serve(restoreDeleted, async ({ input: { deletionId }, who, now, write }) => {
    try {
      return await write(async (tx) => {
        const deletion = await lockDeletion(tx, who.member.organizationId, deletionId)
        if (!deletion || !mayRestore(factsOf(deletion), who, now)) refuse('deletion-not-found')
        await putBack(tx, deletion)
        return { kind: deletion.kind, id: deletion.subjectId }
      })
    } catch (error) {
      // The point of a route, the group of a point or the file of a document is gone as well.
      if (isForeignKeyViolation(error)) refuse('restore-error')
      throw error
    }
  })
}

function factsOf({ kind, rows, deletedBy, deletedAt }: DeletionRow): Deletion {
  const thing = rows[0]!.row
  const isCommon = thing['visibility'] === 'public' || thing['scope'] === 'common'
  return { kind, authorId: String(thing['author_id']), isCommon, deletedBy, deletedAt }
}
