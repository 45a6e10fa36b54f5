import type { Generated } from 'kysely'

export type TransparencyTables = {
  logSize: { isOnly: Generated<boolean>; size: number; edge: Buffer[] }
  logEntries: { index: number; requestId: string; number: number }
  /** Events that are committed and not in the log yet, in their order; a trigger adds them. */
  logWaiting: { id: Generated<number>; requestId: string; number: number }
  /** What happened to the requests of an organisation; the position is the index of its entry in the log. */
  organizationChanges: { organizationId: string; position: number; requestId: string; number: number }
  logNodes: { level: number; index: number; hash: Buffer }
  logHeads: { size: number; at: Date; root: Buffer; keyId: Buffer; signature: Buffer }
  /** Heads as signed notes. */
  logCheckpoints: { size: number; note: string }
  logCosignatures: { size: number; witness: string; line: string; at: Date }
  /** The head of the log of another installation from which requests came. */
  earlierLogs: {
    id: string
    origin: string
    publicKey: Buffer
    size: number
    at: Date
    root: Buffer
    keyId: Buffer
    signature: Buffer
  }
  earlierLogEntries: { requestId: string; number: number; logId: string; index: number; siblings: Buffer }
  /** The result of the last request to each witness; `failure` is null if it co-signed. */
  logWitnesses: { name: string; askedAt: Date; failure: string | null }
}
