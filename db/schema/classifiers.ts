import type { Generated } from 'kysely'

export type ClassifierTables = {
  classifiers: {
    id: string
    organizationId: string
    authorId: string
    name: string
    version: Generated<number>
    createdAt: Date
  }
  classifierCounts: { organizationId: string; count: number }
}
