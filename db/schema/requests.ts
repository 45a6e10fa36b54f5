import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** JSON with a default, which is written as text. */
type GeneratedJson<T> = ColumnType<T, string | undefined, string>

/** The acting person: with an account or as an outsider, with the name at that time. */
export type StoredActor = {
  id: string
  fullName: string
  iin?: string | null
  bin?: string | null
  /** The absent member for whom they acted. */
  insteadOf?: { id: string; fullName: string }
  /** The program that acted in their name. */
  program?: string
}

/** A power of attorney as it was when a signature was accepted under it. */
/** Another document that the same QR code signs; `signatureId` is set once its signature has arrived. */
export type StoredFurtherSigning = {
  requestId: string
  pointId: string
  attempt: number
  signatureId: string | null
}

export type StoredPower = {
  id: string
  number: string
  holderName: string
  validFrom: string
  validUntil: string
  /** The request in which the head signed it. */
  requestId: string
}

/** A rectangle in fractions of its page. */
export type StoredArea = { left: number; top: number; width: number; height: number }

export type RequestTables = {
  signingRequests: {
    id: string
    organizationId: string
    /** The sender's name when the request was sent. */
    senderName: string
    senderBin: string
    /** When the sender had proved its number by its key. */
    senderConfirmedAt: Date | null
    authorId: string
    documentId: string | null
    fileId: string
    fileName: string
    format: 'pdf' | 'docx' | 'xlsx' | 'doc' | 'xls' | 'xml'
    /** The revision of the document: 1 is what was sent first. */
    revision: Generated<number>
    name: string
    description: string
    signingDate: string
    routeId: string | null
    routeName: string
    isQuick: boolean
    /** The ended request that this one replaces. */
    followsId: string | null
    isFromLanding: Generated<boolean>
    /** The kind of document that the sender chose: a contract, an order. */
    kindId: string | null
    /** The facts by which the conditions of its points were judged (domain/routes/condition-contract.ts). */
    conditions: JSONColumnType<object> | null
    /** The package that the request was sent in; `packagePosition` is its place there. */
    packageId: string | null
    packagePosition: number | null
    /** The SHA-256 of the input of the sending call; null: sent in another way, or by an earlier version. */
    sentDigest: Buffer | null
    /** The last day on which it can be signed. */
    expiresOn: string | null
    /** The earliest deadline of the points whose turn it is. */
    dueOn: string | null
    isTimestampRequired: boolean
    language: 'ru' | 'kk' | 'en'
    additionalComponents: number
    accessCodeExpiresOn: string | null
    status: number
    attempt: Generated<number>
    version: Generated<number>
    eventsCount: Generated<number>
    lockBy: string | null
    lockName: string | null
    lockUntil: Date | null
    lockHeld: JSONColumnType<{ turn: string; by: Record<string, number> }> | null
    createdAt: Date
    changedAt: Date
    statusChangedAt: Date
  }
  packages: {
    id: string
    organizationId: string
    authorId: string
    name: string
    isTogether: boolean
    createdAt: Date
  }
  requestPoints: {
    requestId: string
    attempt: number
    pointId: string
    order: number
    type: number
    name: string
    organizationId: string | null
    groupId: string | null
    bin: string
    organizationName: string
    emails: string[]
    responsible: string[]
    condition: 'any' | 'all'
    quorum: number | null
    isEdsRequired: boolean
    keyHolder: 'head' | 'signingRight' | 'employee' | 'person'
    keyHolderIin: string | null
    signatureForm: Generated<'cms' | 'pades' | 'xades'>
    status: number
    reason: JSONColumnType<{ alias: string; parameters: Record<string, unknown> }> | null
    acted: Generated<string[]>
    stoodIn: Generated<string[]>
    pendingSignature: string | null
    pendingBy: string | null
    /** The signatures of a campaign's point that are being checked. */
    checking: GeneratedJson<{ signatureId: string; by: string }[]>
    turnCameAt: Date | null
    doneAt: Date | null
    termDays: number | null
    remindOn: string | null
    dueOn: string | null
    toldDeadline: Generated<'nothing' | 'reminded' | 'overdue'>
    /** Who is told when the deadline passes: a person, a group, or nobody. */
    escalationUserId: string | null
    escalationGroupId: string | null
    escalationActs: Generated<boolean>
    escalatedAt: Date | null
    /** The number of the proposal that waits for the author. */
    proposal: number | null
    /** Where the point's seal is shown on the document. */
    place: JSONColumnType<{ page: number; left: number; top: number }> | null
  }
  requestInboxes: {
    inbox: string
    requestId: string
    name: string
    arrivedAt: Date
    status: number
    waits: boolean
    isDone: boolean
    /** The earliest deadline of this inbox. */
    dueOn: string | null
  }
  requestEvents: {
    requestId: string
    number: number
    at: Date
    type: string
    attempt: number
    pointId: string | null
    actor: JSONColumnType<StoredActor> | null
    address: string | null
    comment: string
    data: JSONColumnType<Record<string, unknown>>
    before: number
    after: number
    salt: Generated<Buffer> | null
    /** The request id of the call that caused it. */
    cause: string | null
  }
  requestSignatures: {
    id: string
    requestId: string
    attempt: number
    pointId: string
    actor: JSONColumnType<StoredActor>
    actorId: string
    comment: string
    address: string | null
    fileId: string
    /** The revision of the request over which it was given. */
    revision: Generated<number>
    /**
     * The place of the signature in the PDF whose other bytes are the file; null: the signature stands beside the
     * file.
     */
    gapFrom: number | null
    gapTo: number | null
    cms: Buffer
    timestampedCms: Buffer | null
    receivedAt: Date
    state: 'checking' | 'accepted' | 'refused'
    tries: Generated<number>
    nextTryAt: Date | null
    verdict: JSONColumnType<object> | null
    owner: JSONColumnType<{ fullName: string }> | null
    evidence: JSONColumnType<object> | null
    /** The power of attorney under which it counts. */
    power: JSONColumnType<StoredPower> | null
    valueDigests: Generated<string[]>
    checkedAt: Date | null
  }
  requestRevisions: {
    requestId: string
    revision: number
    fileId: string
    fileName: string
    format: 'pdf' | 'docx' | 'xlsx' | 'doc' | 'xls' | 'xml'
    /** The number of the first event that concerns this document. */
    fromEvent: number
  }
  requestProposals: {
    requestId: string
    /** The number of the event with which the proposal came. */
    number: number
    pointId: string
    fileId: string
    fileName: string
    format: 'pdf' | 'docx' | 'xlsx' | 'doc' | 'xls' | 'xml'
  }
  requestTerminations: {
    requestId: string
    attempt: number
    begunBy: JSONColumnType<StoredActor>
    begunAt: Date
    comment: string
    fileId: string
    fromStatus: number
  }
  requestClassifiers: { requestId: string; classifierId: string }
  mobileSignings: {
    id: string
    token: string
    requestId: string
    attempt: number
    pointId: string
    userId: string | null
    outsiderId: string | null
    organizationId: string | null
    comment: string
    backTo: string | null
    state: 'new' | 'meta' | 'data' | 'done' | 'canceled' | 'fail'
    refusal: JSONColumnType<{ alias: string; parameters: Record<string, unknown> }> | null
    signatureId: string | null
    /** Further documents that the same QR code signs. */
    also: JSONColumnType<StoredFurtherSigning[]> | null
    answerHash: Buffer | null
    createdAt: Date
    expiresAt: Date
  }
  powersOfAttorney: {
    id: string
    organizationId: string
    number: string
    bin: string
    holderIin: string
    holderName: string
    direction: 'any' | 'incoming' | 'outgoing'
    counterparties: Generated<string[]>
    note: Generated<string>
    validFrom: string
    validUntil: string
    requestId: string
    fileName: string
    signedBy: string
    signedAt: Date
    registeredBy: string
    registeredAt: Date
    revokedBy: string | null
    revokedAt: Date | null
  }
  campaigns: { requestId: string; organizationId: string; createdAt: Date }
  campaignPeople: { requestId: string; userId: string; fullName: string; groupNames: string[] }
  bulkSendings: {
    id: string
    organizationId: string
    authorId: string
    fileName: string
    columns: string[]
    plan: JSONColumnType<object> | null
    template: string | null
    variables: JSONColumnType<object[]> | null
    language: 'ru' | 'kk' | 'en'
    address: string
    state: 'draft' | 'running' | 'paused' | 'done'
    leaseUntil: Date | null
    createdAt: Date
    changedAt: Date
  }
  bulkRows: {
    bulkId: string
    number: number
    cells: string[]
    problems: JSONColumnType<object[]>
    state: 'waiting' | 'skipped' | 'sent' | 'failed'
    failure: JSONColumnType<{ alias: string; parameters: Record<string, unknown> }> | null
    requestId: string | null
  }
  requestAccessCodes: { requestId: string; kind: 'letters' | 'qr'; hash: Buffer; createdAt: Date }
  codeTries: { source: string; wrong: number; at: Date }
  requestActKeys: { actorId: string; key: string; requestId: string; at: Date }
  commentThreads: {
    id: string
    requestId: string
    /** The organisation whose member began it; null: a person who acts for their own number. */
    organizationId: string | null
    isShared: boolean
    revision: number
    page: number | null
    quote: string
    area: JSONColumnType<StoredArea> | null
    createdAt: Date
    resolvedAt: Date | null
    resolvedBy: JSONColumnType<StoredActor> | null
  }
  comments: {
    id: string
    threadId: string
    actor: JSONColumnType<StoredActor>
    organizationId: string | null
    /** The organisation's name at that time. */
    organizationName: string
    at: Date
    text: string
  }
}
