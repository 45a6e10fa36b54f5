import type { Generated } from 'kysely'

export type PointTables = {
  points: {
    id: string
    organizationId: string
    authorId: string
    name: string
    description: string
    type: number
    scope: 'personal' | 'common'
    groupId: string | null
    agreementCondition: 'any' | 'all'
    quorum: number | null
    isEdsPresentationRequired: boolean
    bin: string | null
    organizationName: string
    keyHolder: 'head' | 'signingRight' | 'employee' | 'person'
    keyHolderIin: string | null
    signatureForm: Generated<'cms' | 'pades' | 'xades'>
    isActive: Generated<boolean>
    version: Generated<number>
    createdAt: Date
  }
  pointCounts: {
    organizationId: string
    authorId: string
    scope: 'personal' | 'common'
    type: number
    count: number
  }
  pointEmails: { pointId: string; email: string; place: number }
  pointResponsiblePersons: { pointId: string; groupId: string; userId: string }
  contractorNames: { bin: string; name: string | null; askedAt: Date }
}
