/** Programs read the registers and register what was sent or received (docs/product/integration.md#w-13). */
import { Refusal } from '@kelisim/domain/errors.ts'
import {
  getProgramEntries,
  getProgramJournals,
  getProgramKinds,
  registerProgramRequest,
} from '@kelisim/domain/integration/calls/registers-contract.ts'
import { getDocumentKinds, getJournalEntries, getJournals } from '@kelisim/domain/registers/contract.ts'
import { getRequest } from '@kelisim/domain/requests/contract.ts'
import { registerRequest } from '@kelisim/domain/requests/sending/registration-contract.ts'
import type { SameHandlers } from '../http/same-handlers.ts'
import type { Serve } from '../http/serve.ts'
import { programRequest } from './request-views.ts'

export function registerCalls(serve: Serve, same: SameHandlers): void {
  serve(getProgramJournals, async (call) => {
    const { organizationId } = call.who.member
    return same.run(getJournals, call, { organizationId })
  })

  serve(getProgramKinds, async (call) => {
    const { organizationId } = call.who.member
    const { items, totalCount } = await same.run(getDocumentKinds, call, { organizationId })
    return {
      items: items.map(({ id, name, journal, registersAtSending, isActive }) => ({
        id,
        name,
        journalId: journal?.id ?? null,
        registersAtSending,
        isActive,
      })),
      totalCount,
    }
  })

  serve(getProgramEntries, async (call) => {
    const { organizationId } = call.who.member
    const list = await same.run(getJournalEntries, call, { organizationId, ...call.input })
    const items = list.items.map(({ signingRequestId: requestId, ...entry }) => ({ ...entry, requestId }))
    return { items, totalCount: list.totalCount }
  })

  serve(registerProgramRequest, async (call) => {
    const { organizationId } = call.who.member
    const { requestId: signingRequestId, journalId } = call.input
    const { begunAt } = call.who.program
    try {
      const view = await same.run(registerRequest, call, { organizationId, signingRequestId, journalId })
      return programRequest(view, organizationId)
    } catch (refusal) {
      if (!(refusal instanceof Refusal) || refusal.alias !== 'already-registered') throw refusal
      // A call that was interrupted and is repeated finds the number that the request was given.
      const view = await same.run(getRequest, call, { organizationId, signingRequestId })
      const own = view.ownRegistration
      const isOurs = own?.journal.id === journalId && own.registeredAt >= begunAt.toISOString()
      if (!isOurs) throw refusal
      return programRequest(view, organizationId)
    }
  })
}
