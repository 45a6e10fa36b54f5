/** Search over everything that the caller may see. */
import { search, searchKinds } from '@kelisim/domain/search/contract.ts'
import { readQuery } from '@kelisim/domain/search/query.ts'
import { corrected } from '@kelisim/domain/search/typos.ts'
import type { Http } from '../http/open.ts'
import { partyOf } from '../requests/core/party.ts'
import { findOwnWords, findThings, newestThings } from './finding.ts'
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
    const page = { skip, take }
    if (query.length === 0) {
      return { groups: await newestThings(db, viewer, looking, kinds, page), corrected: null }
    }
    const groups = await findThings(db, viewer, looking, { query, kinds, page })
    if (groups.length > 0) return { groups, corrected: null }
    const meant = corrected(q, await findOwnWords(db, viewer))
    if (meant === null) return { groups, corrected: null }
    const others = await findThings(db, viewer, looking, { query: readQuery(meant), kinds, page })
    // The corrected query is not shown if it finds nothing: its word may come from a thing that the viewer cannot
    // see.
    return { groups: others, corrected: others.length > 0 ? meant : null }
  })
}
