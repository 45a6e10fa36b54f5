import type { Generated, JSONColumnType } from 'kysely'

export type DocumentTables = {
  files: {
    id: string
    organizationId: string
    sha256: Buffer
    size: number
    createdAt: Date
    releasedAt: Date | null
    /** When an act of destruction was carried out; the row stays. */
    destroyedAt: Date | null
    removedAt: Date | null
  }
  documents: {
    id: string
    organizationId: string
    authorId: string
    fileId: string
    name: string
    description: string
    visibility: 'private' | 'public'
    format: 'pdf' | 'docx' | 'xlsx' | 'doc' | 'xls' | 'xml'
    version: Generated<number>
    createdAt: Date
  }
  /** Digests of documents by the algorithms of signatures, by the SHA-256 of the same bytes. */
  fileDigests: { sha256: Buffer; algorithm: string; digest: Buffer }
  fileFindings: {
    sha256: Buffer
    kind: string
    version: number
    fault: string | null
    foundAt: Date
    expiresAt: Date
  }
  /** The search index, maintained by triggers (docs/decisions/026-search.md). */
  searchEntries: {
    kind: 'request' | 'document' | 'template' | 'route' | 'routeTemplate' | 'point' | 'person'
    id: string
    words: string
  }
  /** The texts of documents, read by a job. */
  searchTexts: {
    fileId: string
    keys: string[]
    state: Generated<'waiting' | 'read' | 'scan' | 'failed'>
    tries: Generated<number>
    claimedUntil: Date | null
    words: string | null
    pages: string[] | null
  }
  /** What can still be put back. */
  deletions: {
    id: string
    organizationId: string
    kind: 'document' | 'documentTemplate' | 'point' | 'route' | 'routeTemplate'
    subjectId: string
    deletedBy: string
    deletedAt: Date
    rows: JSONColumnType<{ table: string; row: Record<string, unknown> }[]>
    referring: JSONColumnType<{ table: string; column: string; key: string; keys: string[] }[]>
  }
  fileBytes: {
    organizationId: string
    bytes: number
  }
  documentCounts: {
    organizationId: string
    authorId: string
    visibility: 'private' | 'public'
    count: number
  }
}
