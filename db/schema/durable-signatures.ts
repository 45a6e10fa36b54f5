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
}
