import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
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
    /** Proved by signing a challenge: at sign-in or in the application. */
    iin: string | null
    /** The sign-in service told it; false: it was proved in the application. */
    isIinFromSignIn: Generated<boolean>
    /** The IIN of the key this person signs documents with, where no IIN is proved. */
    signingIin: string | null
    agreementVersion: string | null
    agreementAcceptedAt: Date | null
    createdAt: Date
  }
  sessions: {
    tokenHash: Buffer
    userId: string | null
    outsiderId: string | null
    providerSession: string | null
    idToken: string | null
    createdAt: Date
    lastSeenAt: Date
    expiresAt: Date
  }
  outsiders: {
    id: string
    issuer: string
    subject: string
    iin: string
    bin: string | null
    fullName: string
    organization: string | null
    givenKey: Generated<'head' | 'signingRight' | 'employee' | 'individual'>
    language: Language
    createdAt: Date
    lastCameAt: Date
  }
  organizationChallenges: {
    id: string
    sessionHash: Buffer
    content: Buffer
    createdAt: Date
    expiresAt: Date
    usedAt: Date | null
  }
  organizationSignatures: {
    id: string
    organizationId: string
    by: string
    at: Date
    content: Buffer
    cms: Buffer
    verdict: string
    evidence: JSONColumnType<object>
  }
  joinRequests: {
    id: string
    organizationId: string
    userId: string
    signatureId: string
    createdAt: Date
    decidedAt: Date | null
    decidedBy: string | null
    isAccepted: boolean | null
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
    documentsUploadXml: Generated<boolean>
    allowedPointTypesForIncomingSigningRequests: Generated<number>
    isSigningReportGenerationAllowed: Generated<boolean>
    isSignatureSheetCompact: Generated<boolean>
    isFooterMarkPrinted: Generated<boolean>
    isUnclaimed: Generated<boolean>
    /** The address of the installation where it lives; null: here. */
    livesAt: string | null
    version: Generated<number>
  }
  /** Requests addressed to the BIN of an organisation, which moved away with it. */
  movedRequests: { organizationId: string; requestId: string }
  /** Accounts that their people closed. */
  erasures: { userId: string; at: Date }
  memberships: {
    organizationId: string
    userId: string
    roles: number
    /** Acts on what comes to the number of the organisation, as owners do. */
    isAppointed: Generated<boolean>
    joinedAt: Date
  }
  groups: {
    id: string
    organizationId: string
    name: string
    createdAt: Date
    version: Generated<number>
    /** The people of an acknowledgement campaign: it stands in no list of groups. */
    isAudience: Generated<boolean>
  }
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
  /** A person reported by the directory of the organisation (SCIM). */
  directoryPeople: {
    id: string
    organizationId: string
    /** The member, once the person with this e-mail address has joined. */
    userId: string | null
    externalId: string | null
    userName: string
    email: string
    givenName: string | null
    familyName: string | null
    displayName: string | null
    createdAt: Date
    changedAt: Date
  }
  directoryGroups: { groupId: string; externalId: string }
  groupMappings: { organizationId: string; isOn: boolean; claim: string }
  /** What a group of the sign-in service means: a group or a role. */
  groupMappingRows: {
    organizationId: string
    position: number
    providerGroup: string
    groupId: string | null
    role: 'Owner' | 'PointsAdministrator' | 'SignaturePointsRoutesAdministrator' | null
    /** The owner who saved the mapping; null: it was saved by an older version. */
    savedBy: string | null
  }
  invitationGroups: { invitationId: string; groupId: string }
  memberImports: {
    id: string
    organizationId: string
    authorId: string
    fileName: string
    columns: string[]
    language: Language
    pausedUntil: Date | null
    createdAt: Date
  }
  memberImportRows: {
    importId: string
    number: number
    cells: string[]
    problems: JSONColumnType<object[]>
    state: 'new' | 'queued' | 'invited' | 'failed'
    failure: JSONColumnType<{ alias: string; parameters: Record<string, unknown> }> | null
  }
  userOptions: { organizationId: string; userId: string; quickSendGroupId: string | null }
  notificationSettings: {
    organizationId: string
    userId: string
    kind: string
    mode: 'at-once' | 'daily' | 'off'
  }
  programTokens: {
    id: string
    organizationId: string
    name: string
    tokenHash: Buffer
    ending: string
    /** The member in whose name it acts. */
    actsAs: string
    scopes: string[]
    addresses: string[]
    expiresAt: Date
    madeBy: string
    madeAt: Date
    lastUsedAt: Date | null
    lastUsedAddress: string | null
    revokedBy: string | null
    revokedAt: Date | null
  }
  programCalls: {
    tokenId: string
    key: string
    fingerprint: Buffer
    callId: string
    begunAt: Date
    response: string | null
  }
  webhooks: {
    id: string
    organizationId: string
    url: string
    actsAs: string
    secret: string
    previousSecret: string | null
    previousUntil: Date | null
    isOn: boolean
    offReason: string | null
    position: number
    failingSince: Date | null
    lastSuccessAt: Date | null
    madeBy: string
    madeAt: Date
  }
  webhookDeliveries: {
    id: string
    webhookId: string
    requestId: string | null
    position: number
    type: string
    body: string
    state: 'pending' | 'delivered' | 'failed'
    attempts: Generated<number>
    firstTryAt: Date | null
    lastTryAt: Date | null
    nextTryAt: Date | null
    status: number | null
    failure: string | null
    madeAt: Date
    /** The request id of the call that caused it. */
    cause: string | null
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
