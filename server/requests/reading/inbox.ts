/** The inbox of somebody who proved a number and has no account. */
import { getInbox } from '@kelisim/domain/requests/entry-contract.ts'
import { maySee, seenOf } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import type { Serve } from '../../http/serve.ts'
import { partyOf } from '../core/party.ts'
import { findRequestsAmong } from '../core/state.ts'
import { senderView } from '../core/views.ts'
import { findByNumbers } from './queries/inbox.ts'

export function inboxHandlers(serve: Serve): void {
  serve(getInbox, async ({ input, who, db, now }) => {
    const { viewer } = await partyOf(db, who, now)
    const { arrivals, totalCount } = await findByNumbers(db, viewer.numbers, input)
    const loaded = await findRequestsAmong(
      db,
      arrivals.map(({ requestId }) => requestId),
    )
    const found = new Map(loaded.map((request) => [request.row.id, request]))
    const items = arrivals.flatMap(({ requestId, arrivedAt, waits }) => {
      const request = found.get(requestId)
      if (!request || !maySee(seenOf(request.row, request.request), viewer)) return []
      const { row } = request
      return {
        id: row.id,
        name: row.name,
        status: row.status,
        organization: senderView(row),
        arrivedAt: arrivedAt.toISOString(),
        isWaiting: waits,
      }
    })
    return { items, totalCount }
  })
}
