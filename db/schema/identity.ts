import type { Generated, GeneratedAlways } from 'kysely'
import type { Language } from '@kelisim/texts/languages.ts'

export type IdentityTables = {
  users: {
    id: string
    issuer: string
    subject: string
    login: string
    fullName: string
    email: string
    isEmailConfirmed: boolean
    language: Generated<Language>
    agreementVersion: string | null
    agreementAcceptedAt: Date | null
    createdAt: Date
  }
  sessions: {
    tokenHash: Buffer
    userId: string
    providerSession: string | null
    idToken: string | null
    createdAt: Date
    lastSeenAt: Date
    expiresAt: Date
  }
  organizations: {
    id: string
    bin: string
    isIndividual: boolean
    shortName: string
    fullName: Generated<string>
    address: Generated<string>
    phone: Generated<string>
    email: Generated<string>
    confirmedAt: Date | null
    createdAt: Date
    isQuickRequestAllowed: Generated<boolean>
    useSignaturePointsRoutesRolePermission: Generated<boolean>
    usePointsRolePermission: Generated<boolean>
    isDateOfSignDisplayedInQrDocument: Generated<boolean>
    documentsUploadPdfOnly: Generated<boolean>
    allowedPointTypesForIncomingSigningRequests: Generated<number>
    isSigningReportGenerationAllowed: Generated<boolean>
    version: Generated<number>
  }
  memberships: { organizationId: string; userId: string; roles: number; joinedAt: Date }
  groups: { id: string; organizationId: string; name: string; createdAt: Date; version: Generated<number> }
  groupParticipants: { organizationId: string; groupId: string; userId: string }
  invitations: {
    id: string
    organizationId: string
    email: string
    roles: number
    language: Language
    tokenHash: Buffer
    invitedBy: string
    createdAt: Date
    sentAt: Date
    expiresAt: Date
    acceptedAt: Date | null
    acceptedBy: string | null
    withdrawnAt: Date | null
  }
  userOptions: { organizationId: string; userId: string; quickSendGroupId: string | null }
  notificationSettings: {
    organizationId: string
    userId: string
    kind: string
    mode: 'at-once' | 'daily' | 'off'
  }
  organizationEvents: {
    id: GeneratedAlways<number>
    organizationId: string
    by: string
    at: Date
    type: string
    subject: string
    details: Generated<Record<string, unknown>>
  }
}
