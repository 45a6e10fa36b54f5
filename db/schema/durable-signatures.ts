import type { JSONColumnType } from 'kysely'

export type DurableSignatureTables = {
  signatureTimestamps: {
    signatureId: string
    token: Buffer
    time: Date
    evidence: JSONColumnType<object>
    keptAt: Date
  }
  revocationLists: { sha256: Buffer; packed: Buffer; size: number; keptAt: Date }
  archivedSignatures: { signatureId: string; cms: Buffer; archivedAt: Date }
  longTermSignatures: {
    signatureId: string
    number: number
    cms: Buffer
    time: Date
    endsAt: Date
    service: string
  }
  archiveTimestamps: {
    id: string
    hash: string
    token: Buffer
    time: Date
    endsAt: Date
    service: string
  }
  archiveRenewals: { timestampId: string; renewedBy: string; siblings: Buffer }
  archiveProofs: {
    signatureId: string
    chain: number
    timestampId: string
    digests: Buffer
    siblings: Buffer
  }
}
