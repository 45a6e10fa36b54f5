/** A request as it was loaded: its rows, and the same in the form of the rules. */
import { isSigningType, typeOf } from '@kelisim/domain/points/point-types.ts'
import { isAnsweredBySigning, type SigningRequest } from '@kelisim/domain/requests/life-cycle/request.ts'
import type { PointRow, RequestRow } from './queries/rows.ts'

export type LoadedRequest = {
  row: RequestRow
  /** The points of the signing process, by order. */
  signing: PointRow[]
  /** The points of the last termination, by order. */
  terminating: PointRow[]
  /** In the form of the rules. */
  request: SigningRequest
}

/** The point of a campaign in which everybody signs. */
export function campaignPointIds(points: readonly PointRow[]): string[] {
  return points
    .filter(({ type, isEdsRequired, isAudience }) => {
      const isPersonal = isAudience === true
      return isPersonal && isAnsweredBySigning({ type: typeOf(type)!, isEdsRequired, isPersonal })
    })
    .map(({ pointId }) => pointId)
}

/** The points that are completed by a signature of their side; approvals with a key are internal to an organisation. */
export function signingPointIds(points: readonly PointRow[]): string[] {
  return points.filter(({ type }) => isSigningType(typeOf(type)!)).map(({ pointId }) => pointId)
}
