import type { Generated } from 'kysely'

/** Classifiers, and the registers of organisations. */
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
  journals: {
    id: string
    organizationId: string
    name: string
    direction: 'outgoing' | 'incoming'
    prefix: string
    yearPlace: 'none' | 'before' | 'after'
    width: number
    firstNumber: number
    firstYear: number
    isActive: Generated<boolean>
    version: Generated<number>
    createdBy: string
    createdAt: Date
  }
  journalCounters: { journalId: string; year: number; first: number; last: number }
  documentKinds: {
    id: string
    organizationId: string
    name: string
    journalId: string | null
    registersAtSending: boolean
    isActive: Generated<boolean>
    version: Generated<number>
    createdBy: string
    createdAt: Date
  }
  /** How long documents of a kind are kept, and from which day that rule applies; rules are only added. */
  retentionTerms: {
    id: string
    position: Generated<number>
    organizationId: string
    kindId: string | null
    years: number | null
    basis: string
    validFrom: string
    addedBy: string
    addedAt: Date
  }
  legalHolds: {
    id: string
    organizationId: string
    requestId: string
    reason: string
    setBy: string
    setAt: Date
    liftedBy: string | null
    liftedAt: Date | null
  }
  /** Acts by which documents are destroyed after their retention term. */
  destructionActs: {
    id: string
    organizationId: string
    fileId: string
    fileName: string
    documentId: string | null
    preparedBy: string
    preparedAt: Date
    requestId: string | null
    signedBy: string | null
    signedAt: Date | null
    carriedOutBy: string | null
    carriedOutAt: Date | null
  }
  destructionItems: {
    actId: string
    requestId: string
    name: string
    endedOn: string
    keptUntil: string
    basis: string
    sha256: Buffer
  }
  registrations: {
    organizationId: string
    requestId: string
    journalId: string
    year: number
    counter: number
    number: string
    registeredBy: string
    registeredAt: Date
  }
}
