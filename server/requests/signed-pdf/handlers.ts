/** Preparing a signature inside a PDF: the time that it states, and the bytes that it covers. */
import type { Db } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { SignatureForm } from '@kelisim/domain/points/signature-form.ts'
import { downloadPrepared, getPreparation } from '@kelisim/domain/requests/files-contract.ts'
import { processOf } from '@kelisim/domain/requests/life-cycle/request.ts'
import type { Files } from '../../http/files.ts'
import type { Serve } from '../../http/serve.ts'
import { partyOf, visibleRequest, type CallerIdentity, type Party } from '../core/party.ts'
import { actsOf } from '@kelisim/domain/requests/life-cycle/why-not.ts'
import type { LoadedRequest } from '../core/loaded.ts'
import { isPreparedLately, newestRevision, prepareRevision, type PreparingDependencies } from './preparing.ts'
import { findAcceptedInside } from './queries.ts'

type PointCall = {
  input: { signingRequestId: string; pointId: string }
  who: CallerIdentity
  db: Db
  now: Date
}

export function preparingHandlers(serve: Serve, files: Files, dependencies: PreparingDependencies): void {
  serve(getPreparation, async (call) => {
    const { loaded } = await signableRequest(call)
    await newestRevision(call.db, loaded.row.id)
    // A PDF states times without fractions of a second.
    const at = new Date(Math.floor(call.now.getTime() / 1000) * 1000)
    return { at: at.toISOString(), signatures: (await findAcceptedInside(call.db, loaded.row.id)).length }
  })

  files.give(downloadPrepared, async (call) => {
    const { loaded, party } = await signableRequest(call)
    const at = new Date(call.input.at)
    if (!isPreparedLately(at, call.now)) refuse('document-revised')
    const prepared = await prepareRevision(call.db, dependencies, loaded, { at, claimant: claimantOf(party) })
    const { path, size, release } = prepared
    return { path, size, release, name: 'to-sign', mediaType: 'application/octet-stream' }
  })
}

/** Only those who may sign at this point now get the prepared bytes; everybody else may see the document itself. */
async function signableRequest({ input, who, db, now }: PointCall) {
  const party = await partyOf(db, who, now)
  const loaded = await visibleRequest(db, input.signingRequestId, party)
  const acts = actsOf(loaded.request, party.viewer, now)
  const maySign = acts.some(({ act, pointId }) => act === 'sign' && pointId === input.pointId)
  if (!maySign || !isInside(loaded, input.pointId)) refuse('point-not-found')
  return { loaded, party }
}

/** Whether signatures at this point go into the PDF. */
export function isInside(loaded: LoadedRequest, pointId: string): boolean {
  return formAt(loaded, pointId) === 'pades'
}

/** The form of signatures at this point; a terminating document is always signed beside it. */
export function formAt({ signing, request }: LoadedRequest, pointId: string): SignatureForm {
  if (processOf(request) === 'terminating') return 'cms'
  return signing.find((point) => point.pointId === pointId)?.signatureForm ?? 'cms'
}

export function claimantOf({ viewer }: Party): { organization: string; person: string } {
  return { organization: viewer.organizationId ?? viewer.id, person: viewer.id }
}
