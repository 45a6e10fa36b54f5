/** Records who of the people asked has opened the document, and when; only a page opened by a person reports it. */
import { openRequest } from '@kelisim/domain/requests/contract.ts'
import { unopenedPoints } from '@kelisim/domain/requests/openings/openings.ts'
import { processOf } from '@kelisim/domain/requests/life-cycle/request.ts'
import type { Serve } from '../../http/serve.ts'
import { lockVisibleRequest, partyOf } from '../core/party.ts'
import { findOpenings } from '../core/queries/events.ts'
import { recordEvents } from '../core/saving.ts'

export function openingHandlers(serve: Serve): void {
  serve(openRequest, ({ input, who, now, write }) =>
    write(async (tx) => {
      const party = await partyOf(tx, who, now)
      const loaded = await lockVisibleRequest(tx, input.signingRequestId, party)
      const { row, request } = loaded
      const opened = await findOpenings(tx, row.id, row.attempt)
      const process = processOf(request)
      const events = unopenedPoints(request, party.viewer, opened).map((pointId) => ({
        type: 'opened' as const,
        process,
        pointId,
        by: party.actor.id,
      }))
      await recordEvents(tx, loaded, events, { actor: party.actor, address: null, comment: '' }, now)
      return {}
    }),
  )
}
