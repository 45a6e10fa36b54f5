/** Search over everything that the caller may see. */
import { search, searchKinds } from '@kelisim/domain/search/contract.ts'
import { readQuery } from '@kelisim/domain/search/query.ts'
import type { Http } from '../http/open.ts'
import { partyOf } from '../requests/core/party.ts'
import { findThings, newestThings } from './finding.ts'
import { viewerOf } from './queries/sources.ts'

export function openSearch({ serve }: Http): void {
  serve(search, async ({ input: { q, kind, skip, take }, who, db, now }) => {
    const { organizationId, roles } = who.member
    const [viewer, party] = await Promise.all([
      viewerOf(db, { userId: who.userId, organizationId, roles }, now),
      partyOf(db, who, now),
    ])
    const looking = { who, party }
    const kinds = kind === undefined ? searchKinds : [kind]
    const query = readQuery(q)
    const groups =
      query.length === 0
        ? await newestThings(db, viewer, looking, kinds, { skip, take })
        : await findThings(db, viewer, looking, { query, kinds, page: { skip, take } })
    return { groups }
  })
}
