/** Requests as programs see them: the view of the browser with words instead of numbers. */
import type * as z from 'zod/mini'
import type { ProgramRequest, RequestState } from '@kelisim/domain/integration/calls/requests-contract.ts'
import { typeOf } from '@kelisim/domain/points/point-types.ts'
import type { RequestPointView, SigningRequest } from '@kelisim/domain/requests/contract.ts'
import { pointStatusOf, requestStatusOf } from '@kelisim/domain/requests/status.ts'

type View = z.output<typeof SigningRequest>

export function programRequest(view: View, organizationId: string): z.input<typeof ProgramRequest> {
  const { shortName, bin, id: senderId } = view.organization
  const { id: documentId, fileName, size, sha256 } = view.document
  const own = view.ownRegistration
  return {
    id: view.id,
    name: view.name,
    description: view.description,
    status: requestStatusOf(view.status),
    direction: senderId === organizationId ? 'outgoing' : 'incoming',
    sender: { name: shortName, bin },
    document: { id: documentId, fileName, size, sha256 },
    kind: view.kind && { id: view.kind.id, name: view.kind.name },
    registration: view.registration,
    ownRegistration: own && {
      number: own.number,
      registeredAt: own.registeredAt,
      journalId: own.journal.id,
    },
    signingDate: view.signingDate,
    createdAt: view.createdAt,
    changedAt: view.changedAt,
    version: view.currentVersion,
    revision: view.revision,
    points: view.points.map(programPoint),
    awaitsSignatureAt: view.acts.flatMap(({ act, pointId }) =>
      act === 'sign' && pointId !== null && view.points.some((point) => point.pointId === pointId)
        ? [pointId]
        : [],
    ),
  }
}

function programPoint(
  point: z.output<typeof RequestPointView>,
): z.input<typeof ProgramRequest>['points'][number] {
  const { pointId, order, name, bin, organizationName, doneAt, statusDescriptionData: reason } = point
  const comment = reason?.parameters['comment']
  return {
    pointId,
    order,
    type: typeOf(point.type)!,
    name,
    bin,
    organizationName,
    status: pointStatusOf(point.status),
    reason: reason && { alias: reason.alias, comment: typeof comment === 'string' ? comment : null },
    doneAt,
    signatures: point.signatures.map(({ id, state, receivedAt, verdict }) => ({
      id,
      state,
      receivedAt,
      code: verdict?.code ?? null,
    })),
  }
}

export function requestState(line: {
  id: string
  name: string
  status: number
  currentVersion: number
  changedAt: string
  registration: { number: string } | null
  ownNumber: string | null
}): z.input<typeof RequestState> {
  const { id, name, status, registration, ownNumber, currentVersion: version, changedAt } = line
  const number = registration?.number ?? null
  return { id, name, status: requestStatusOf(status), number, ownNumber, version, changedAt }
}
