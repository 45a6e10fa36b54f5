/** The package of a request, with those of its requests that the viewer may see (decision 093). */
import type * as z from 'zod/mini'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { PackageView } from '@kelisim/domain/requests/contract.ts'
import type { PersonCommand } from '@kelisim/domain/requests/life-cycle/commands.ts'
import { isAnswer, waitsForSame } from '@kelisim/domain/requests/packages/together.ts'
import { actsFor, maySee, seenOf, type Viewer } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import type { LoadedRequest } from './loaded.ts'
import { findPackageRequests } from './queries/packages.ts'
import { findRequestsAmong } from './state.ts'

export async function packageView(
  db: Db,
  { row: { packageId, packageName, isTogether } }: LoadedRequest,
  viewer: Viewer,
  now: Date,
): Promise<z.input<typeof PackageView> | null> {
  if (packageId === null) return null
  const requests = (await requestsOf(db, packageId)).filter(({ row, request }) =>
    maySee(seenOf(row, request), viewer),
  )
  return {
    id: packageId,
    name: packageName!,
    isTogether: isTogether!,
    requests: requests.map(({ row, request }) => ({
      id: row.id,
      name: row.name,
      status: row.status,
      revision: row.revision,
      acts: actsFor(row, request, viewer, now),
    })),
  }
}

export async function requestsOf(db: Db, packageId: string): Promise<LoadedRequest[]> {
  const found = await findRequestsAmong(db, await findPackageRequests(db, packageId))
  return found.toSorted((one, other) => one.row.packagePosition! - other.row.packagePosition!)
}

export type AnsweredDocument = { requestId: string; pointId: string }

/**
 * Refuses an answer for one document while others of its package wait for the same answer; `answered` lists those of
 * this call.
 */
export async function refuseApart(
  tx: Tx,
  { row, request }: LoadedRequest,
  command: PersonCommand,
  answered: readonly AnsweredDocument[],
  now: Date,
): Promise<void> {
  const { packageId, packageName, isTogether } = row
  if (packageId === null || !isTogether || request.termination !== null || !isAnswer(command)) return
  const isAnswered = (requestId: string) =>
    answered.some((one) => one.requestId === requestId && one.pointId === command.pointId)
  const others = (await requestsOf(tx, packageId)).filter(
    (one) => one.row.id !== row.id && !isAnswered(one.row.id) && waitsForSame(one.request, command, now),
  )
  if (others.length > 0) refuse('package-together', { name: packageName, count: others.length })
}
