import type { JSONColumnType } from 'kysely'

export type OutputTables = {
  requestOutputs: {
    id: string
    requestId: string
    kind: 'printable' | 'terminating' | 'report' | 'evidence'
    view: string
    language: 'ru' | 'kk' | 'en'
    fingerprint: string
    state: 'in-process' | 'ready' | 'failed'
    viewer: JSONColumnType<object>
    askedAt: Date
    fileId: string | null
    fileName: string
    failure: string | null
    madeAt: Date | null
  }
}
