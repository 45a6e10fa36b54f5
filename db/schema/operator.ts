import type { GeneratedAlways, JSONColumnType } from 'kysely'

export type OperatorTables = {
  operatorActs: {
    id: GeneratedAlways<number>
    at: Date
    by: string | null
    type: string
    details: JSONColumnType<Record<string, unknown>>
  }
  backups: {
    id: string
    beganAt: Date
    /** Null: the backup is in progress or was interrupted. */
    endedAt: Date | null
    place: string
    failure: string | null
    isVerified: boolean
    rows: number
    files: number
    bytes: number
  }
  signatureRechecks: {
    signatureId: string
    tries: number
    checkedAt: Date
    outcome: 'good' | 'revoked-later' | 'revoked-before' | 'unknown' | null
    revokedAt: Date | null
    nextTryAt: Date | null
  }
  subscriptionLetters: { subscriptionId: string; kind: 'began' | 'ending' | 'ended'; at: Date }
}
