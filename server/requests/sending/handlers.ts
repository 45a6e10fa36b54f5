/** Sending a request along a route or quickly, and trying first what would happen. */
import { isUniqueViolation, type Db } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { mayQuickSend } from '@kelisim/domain/identity/permissions.ts'
import { formOfAll } from '@kelisim/domain/points/signature-form.ts'
import { createQuickRequest, createRequest, tryRequest } from '@kelisim/domain/requests/contract.ts'
import type { Serve } from '../../http/serve.ts'
import { rehearsalView } from '../../routes/views.ts'
import type { LoadedRequest } from '../core/loaded.ts'
import { partyOf, type Party } from '../core/party.ts'
import { getOrganization } from '../core/queries/people.ts'
import { findRequest } from '../core/state.ts'
import { requestView } from '../core/views.ts'
import { visibleRequestView } from '../core/visible-view.ts'
import { refuseToFollow } from './again.ts'
import { conditionsView, verdictsOf } from './conditions.ts'
import { refusePlacesBeyond, type CountPages } from './places.ts'
import {
  formOfRoute,
  routeToSend,
  sendableDocument,
  tryToSend,
  type SendingDependencies,
} from './sendable.ts'
import { addRequest } from './sending.ts'
import {
  digestOfSending,
  holdExistingDocument,
  refuseOtherSending,
  requestFields,
  senderFacts,
  senderOf,
  type SentCall,
} from './sent-fields.ts'
import { quickPoints } from './sent-points.ts'

export function sendingHandlers(
  serve: Serve,
  sending: SendingDependencies & { countPages: CountPages },
): void {
  serve(createRequest, async (call) => {
    const { input, db, write, now } = call
    const sender = senderOf(call.who)
    const party = await partyOf(db, call.who, now)
    const form = await formOfRoute(db, sender, input)
    const document = await sendableDocument(db, sending, sender, input.documentId, form)
    await refusePlacesBeyond(sending, sender, document, input.places ?? [])
    const fields = requestFields(call)
    return onceOnly(call, party, async () => {
      await write(async (tx) => {
        await refuseToFollow(tx, input, party)
        const { route, points, conditions } = await routeToSend(tx, sender, input)
        // Somebody changed a point meanwhile: the document was tried for another form than is asked for now.
        if (formOfAll(points) !== form) refuse('outdated-route', { currentVersion: route.version })
        await holdExistingDocument(tx, sender, document.id)
        const facts = senderFacts(await getOrganization(tx, sender.organizationId))
        const sentDigest = digestOfSending(input)
        const sent = { ...fields, sentDigest, sender: facts, document, route, points, conditions }
        const newRequest = { ...sent, isQuick: false }
        await addRequest(tx, sender, party, newRequest, now)
      })
      return visibleRequestView(db, fields.id, party, now)
    })
  })

  serve(createQuickRequest, async (call) => {
    const { input, db, write, now } = call
    const sender = senderOf(call.who)
    if (!mayQuickSend(sender.member.roles, sender.member.options)) refuse('quick-send-not-allowed')
    const party = await partyOf(db, call.who, now)
    const document = await sendableDocument(db, sending, sender, input.documentId, 'cms')
    const fields = requestFields(call)
    return onceOnly(call, party, async () => {
      await write(async (tx) => {
        await refuseToFollow(tx, input, party)
        const organization = await getOrganization(tx, sender.organizationId)
        const points = await quickPoints(tx, { ...sender, ...organization }, input, now)
        const route = { id: null, name: '' }
        await holdExistingDocument(tx, sender, document.id)
        const facts = senderFacts(organization)
        const sentDigest = digestOfSending(input)
        const newRequest = { ...fields, sentDigest, sender: facts, document, route, points, isQuick: true }
        await addRequest(tx, sender, party, newRequest, now)
      })
      return visibleRequestView(db, fields.id, party, now)
    })
  })

  serve(tryRequest, async ({ input, who, db, now }) => {
    const sender = senderOf(who)
    const { refusals, points, way } = await tryToSend(db, sending, sender, { ...input, now })
    return {
      refusals: refusals.map(({ alias, parameters }) => ({ alias, parameters: { ...parameters } })),
      rehearsal:
        points.length === 0 ? null : rehearsalView(points, [], sender.organizationId, verdictsOf(way)),
      conditions: conditionsView(way),
    }
  })
}

/**
 * A client may repeat a call that got no response, even while the first one is running: the same person gets the same
 * request.
 */
async function onceOnly<V>(
  { input, db, now }: Pick<SentCall, 'input' | 'now'> & { db: Db },
  party: Party,
  send: () => Promise<V>,
): Promise<V | Awaited<ReturnType<typeof requestView>>> {
  const { signingRequestId } = input
  const sentBefore = async (id: string) => {
    const there = await ownRequest(db, id, party)
    if (there) refuseOtherSending(there.row, input)
    return there && requestView(db, there, party, now)
  }
  const there = signingRequestId && (await sentBefore(signingRequestId))
  if (there) return there
  try {
    return await send()
  } catch (error) {
    if (!signingRequestId || !isUniqueViolation(error, 'signing_requests_pkey')) throw error
    return (await sentBefore(signingRequestId))!
  }
}

async function ownRequest(db: Db, id: string, { viewer }: Party): Promise<LoadedRequest | undefined> {
  const there = await findRequest(db, id)
  const isTheirs = there?.row.authorId === viewer.id && there.row.organizationId === viewer.organizationId
  return there && !isTheirs ? refuse('document-not-found') : there
}
