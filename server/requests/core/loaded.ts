/** A request as it was read from the database, together with what the rule knows of it. */
import type { Selectable } from 'kysely'
import type { Schema } from '@kelisim/db/schema.ts'
import { isSigningType, typeOf } from '@kelisim/domain/points/point-types.ts'
import type { SigningRequest } from '@kelisim/domain/requests/life-cycle.ts'

export type RequestRow = Selectable<Schema['signingRequests']> & {
  authorName: string
  shortName: string
  bin: string
  size: number
  sha256: Buffer
  /** The status in which the last attempt to terminate found it. */
  terminatedFrom: number | null
}

export type PointRow = Selectable<Schema['requestPoints']> & {
  groupName: string | null
  /** Whose people they are: of the group, or of the number outside. */
  actsForId: string | null
  participants: { id: string; fullName: string }[]
}

/** The points that are completed by a signature of their side; approvals with a key are internal to an organisation. */
export function signingPointIds(points: readonly PointRow[]): string[] {
  return points.filter(({ type }) => isSigningType(typeOf(type)!)).map(({ pointId }) => pointId)
}

export type Loaded = {
  row: RequestRow
  /** Of the signing process, and of the last attempt to terminate, by order. */
  signing: PointRow[]
  terminating: PointRow[]
  /** As the rule knows it. */
  request: SigningRequest
}
