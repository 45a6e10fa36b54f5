/** Rows of signing requests and of their points, as queries return them. */
import type { Selectable } from 'kysely'
import type { Schema } from '@kelisim/db/schema.ts'

export type RequestRow = Selectable<Schema['signingRequests']> & {
  authorName: string
  /** The name of its package; null: it was sent alone. */
  packageName: string | null
  isTogether: boolean | null
  size: number
  sha256: Buffer
  destroyedAt: Date | null
  /** The status in which the last termination was begun. */
  terminatedFrom: number | null
}

export type PointRow = Selectable<Schema['requestPoints']> & {
  groupName: string | null
  /** The group is the audience of a campaign; null: there is no group. */
  isAudience: boolean | null
  /** The organisation of the group, or the confirmed organisation with the number of an external point. */
  actsForId: string | null
  participants: { id: string; fullName: string }[]
  /**
   * Who is told when the deadline passes: the people now, and the name of the group or person; null: nobody, or
   * deleted.
   */
  escalationPeople: { id: string; fullName: string }[]
  escalationName: string | null
}
