import type { Generated } from 'kysely'

export type TransparencyTables = {
  logSize: { isOnly: Generated<boolean>; size: number; edge: Buffer[] }
  logEntries: { index: number; requestId: string; number: number }
  logNodes: { level: number; index: number; hash: Buffer }
  logHeads: { size: number; at: Date; root: Buffer; keyId: Buffer; signature: Buffer }
}
