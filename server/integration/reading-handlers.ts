/** Reading calls of programs: requests, their statuses, changes and files; routes, templates, counterparties. */
import { refuse } from '@kelisim/domain/errors.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import {
  getCounterparty,
  getProgramRoutes,
  getProgramTemplate,
  getProgramTemplates,
} from '@kelisim/domain/integration/calls/catalogue-contract.ts'
import {
  downloadFile,
  downloadProgramSignature,
  prepareFile,
} from '@kelisim/domain/integration/calls/files-contract.ts'
import {
  getChanges,
  getProgramRequest,
  getProgramRequests,
  getStatuses,
} from '@kelisim/domain/integration/calls/requests-contract.ts'
import { beginning, cursorOf, positionIn } from '@kelisim/domain/integration/cursor.ts'
import {
  downloadOutput,
  generateEvidence,
  generateSignedDocument,
  generateSigningReport,
} from '@kelisim/domain/outputs/contract.ts'
import { downloadElectronic } from '@kelisim/domain/outputs/electronic-contract.ts'
import { getContractor } from '@kelisim/domain/points/contract.ts'
import { pointTypes } from '@kelisim/domain/points/point-types.ts'
import { getRequest } from '@kelisim/domain/requests/contract.ts'
import {
  downloadRequestFile,
  downloadSignature,
  downloadSignedSet,
} from '@kelisim/domain/requests/files-contract.ts'
import { listOwners } from '@kelisim/domain/bits.ts'
import { getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { getTemplate, getTemplates } from '@kelisim/domain/rich-text/contract.ts'
import { variablesIn } from '@kelisim/domain/rich-text/fill.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import type { Http } from '../http/open.ts'
import type { SameHandlers } from '../http/same-handlers.ts'
import type { Serve } from '../http/serve.ts'
import { findRegistrations } from '../registers/core/queries.ts'
import { shownRegistrations } from '../registers/core/register.ts'
import { partyOf } from '../requests/core/party.ts'
import { sequence } from '../transparency/sequencing.ts'
import { changeView, visibleAmong, visibleChanges } from './changes.ts'
import { findChanges } from './change-queries.ts'
import { programRequest, requestState } from './request-views.ts'

export function readingCalls({ serve, files, database }: Http, same: SameHandlers): void {
  serve(getProgramRequest, async (call) => {
    const { organizationId } = call.who.member
    const signingRequestId = call.input.requestId
    return programRequest(
      await same.run(getRequest, call, { organizationId, signingRequestId }),
      organizationId,
    )
  })

  serve(getProgramRequests, async (call) => {
    const { direction, skip, take } = call.input
    const { organizationId, roles } = call.who.member
    const { items, totalCount } = await same.run(getRequests, call, {
      organizationId,
      route: direction === 'incoming' ? 'incomings' : 'outgoings',
      // Owners see what their colleagues have sent.
      ...(direction === 'outgoing' && isOwner(roles) && { ownScope: listOwners.all }),
      skip,
      take,
    })
    return { items: items.map(requestState), totalCount }
  })

  serve(getStatuses, async ({ input: { ids }, who, db, now }) => {
    const seen = await visibleAmong(db, ids, await partyOf(db, who, now))
    const byId = new Map(seen.map((loaded) => [loaded.row.id, loaded.row]))
    const numbers = await findRegistrations(db, [...byId.keys()])
    return {
      items: ids.flatMap((id) => {
        const row = byId.get(id)
        if (!row) return []
        const { name, status, version: currentVersion } = row
        const { registration, ownRegistration } = shownRegistrations(
          numbers.get(id),
          row.organizationId,
          who.member.organizationId,
        )
        const ownNumber = ownRegistration?.number ?? null
        const changedAt = row.changedAt.toISOString()
        return [requestState({ id, name, status, currentVersion, changedAt, registration, ownNumber })]
      }),
      notFound: ids.filter((id) => !byId.has(id)),
    }
  })

  serve(getChanges, async ({ input: { after, take }, who, db, now }) => {
    // Sequences first, so that whoever has just sent something finds it here.
    await sequence(database)
    const { organizationId } = who.member
    const from = after === undefined ? beginning : positionIn(after, organizationId)
    if (from === null) refuse('cursor-not-known')
    const rows = await findChanges(db, organizationId, from, take)
    const party = await partyOf(db, who, now)
    const seen = await visibleAmong(db, [...new Set(rows.map(({ requestId }) => requestId))], party)
    return {
      items: visibleChanges(rows, seen, party.viewer).map(changeView),
      cursor: cursorOf(organizationId, rows.at(-1)?.position ?? from),
      hasMore: rows.length === take,
    }
  })

  serve(prepareFile, async (call) => {
    const { requestId: signingRequestId, kind } = call.input
    const input = { organizationId: call.who.member.organizationId, signingRequestId }
    const making = {
      printable: generateSignedDocument,
      report: generateSigningReport,
      evidence: generateEvidence,
    }
    const { state, failure, fileName } = await same.run(making[kind], call, input)
    return { kind, state, failure, fileName }
  })

  files.give(downloadFile, (call) => {
    const { requestId: signingRequestId, kind } = call.input
    const input = { organizationId: call.who.member.organizationId, signingRequestId }
    switch (kind) {
      case 'original':
        return same.file(downloadRequestFile, call, { ...input, file: 'original' })
      case 'signed':
        return same.file(downloadSignedSet, call, { ...input, process: 'signing' })
      case 'electronic':
        return same.file(downloadElectronic, call, { ...input, process: 'signing' })
      case 'printable':
      case 'report':
      case 'evidence':
        return same.file(downloadOutput, call, { ...input, kind })
    }
  })

  files.give(downloadProgramSignature, (call) => {
    const { requestId: signingRequestId, signatureId } = call.input
    const { organizationId } = call.who.member
    return same.file(downloadSignature, call, { organizationId, signingRequestId, signatureId })
  })

  catalogueCalls(serve, same)
}

function catalogueCalls(serve: Serve, same: SameHandlers): void {
  serve(getProgramRoutes, async (call) => {
    const { organizationId } = call.who.member
    const list = await same.run(routeCalls.list, call, { organizationId, ...call.input, isActive: 'true' })
    const items = list.items.map(({ id, name, description, currentVersion: version }) => ({
      id,
      name,
      description,
      version,
    }))
    return { items, totalCount: list.totalCount }
  })

  serve(getProgramTemplates, async (call) => {
    const { organizationId } = call.who.member
    const list = await same.run(getTemplates, call, { organizationId, ...call.input })
    const items = list.items.map(({ id, name, description }) => ({ id, name, description }))
    return { items, totalCount: list.totalCount }
  })

  serve(getProgramTemplate, async (call) => {
    const { organizationId } = call.who.member
    const { id, name, description, template } = await same.run(getTemplate, call, {
      organizationId,
      ...call.input,
    })
    return { id, name, description, variables: variablesIn(template) }
  })

  serve(getCounterparty, async (call) => {
    const { organizationId } = call.who.member
    const found = await same.run(getContractor, call, { organizationId, ...call.input })
    const { bin, name, isConfirmedHere, allowedPointTypesForIncomingSigningRequests: mask } = found
    return { bin, name, isConfirmedHere, accepts: pointTypes.list(mask) }
  })
}
