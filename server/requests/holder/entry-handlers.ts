/**
 * Repeats what an e-mail said to whoever followed its link. The request's id alone tells nothing: the link is signed
 * by the server for one request and one number, so a guessed id, or the link of another request, is refused like one
 * that does not exist.
 */
import { refuse } from '@kelisim/domain/errors.ts'
import { actOf } from '@kelisim/domain/points/point-types.ts'
import { openByLetter } from '@kelisim/domain/requests/entry-contract.ts'
import { pointsOf, processOf, type SigningRequest } from '@kelisim/domain/requests/life-cycle/request.ts'
import { awaitedPoints } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import type { Serve } from '../../http/serve.ts'
import type { SignedLinks } from '../../mail/signed-links.ts'
import { findRequest } from '../core/state.ts'
import { senderView } from '../core/views.ts'

export function entryHandlers(
  serve: Serve,
  { signedLinks }: { signedLinks: () => Promise<SignedLinks> },
): void {
  serve(openByLetter, async ({ input, db }) => {
    const link = (await signedLinks()).readEntry(input.letter)
    if (link?.requestId !== input.signingRequestId) refuse('access-denied')
    const { row, request } = (await findRequest(db, link.requestId)) ?? refuse('access-denied')
    return {
      name: row.name,
      organization: row.senderConfirmedAt === null ? null : senderView(row),
      number: link.number,
      asks: link.number === null ? null : askedOf(request, link.number),
    }
  })
}

function askedOf(
  request: SigningRequest,
  number: string,
): 'sign' | 'approve' | 'confirm' | 'terminate' | null {
  const points = pointsOf(request)
  const awaited = awaitedPoints(request.status, points)
  const asked = points.find(({ pointId, bin }) => bin === number && awaited.includes(pointId))
  if (!asked) return null
  const act = actOf(asked.type)
  if (act === 'inform') return null
  return processOf(request) === 'terminating' ? 'terminate' : act
}
