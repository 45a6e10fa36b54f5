/** Signing requests: sending, reading and acting (docs/product/requests.md). */
import * as z from 'zod/mini'
import { flags } from '../bits.ts'
import { documentFormats } from '../documents/formats.ts'
import { endpoint } from '../endpoint.ts'
import type { Alias } from '../errors.ts'
import {
  day,
  requiredDay,
  Email,
  Id,
  line,
  listOf,
  Moment,
  Nothing,
  OfOrganization,
  Page,
  paragraphs,
  requiredLine,
  TwelveDigits,
  Version,
} from '../fields.ts'
import { keyHolders } from '../points/key-holder.ts'
import { signatureForms } from '../points/signature-form.ts'
import { areDifferent } from '../points/emails.ts'
import { agreementConditions, mostEmails } from '../points/point.ts'
import { OnePointType, pointTypes } from '../points/point-types.ts'
import { KnownFacts, RequestConditions, TypedFacts } from '../routes/condition-contract.ts'
import { Rehearsal } from '../routes/contract.ts'
import { PointPlaces, SealPlace } from './places/place.ts'
import { ActName, OneStatus, Organization, Person, Registration } from './parts.ts'
import { pointStatuses, processKinds } from './status.ts'

export const longestRequestName = 250
export const longestRequestDescription = 1000
export const longestComment = 2000
/** Enough for a CMS with the signature and its certificates, but without the document. */
const longestSignature = 200_000

/** Access codes on the printable document. */
export const accessCodes = flags({ AlphaNumericAccessCode: 1, QrAccessCode: 2 })

const OnePointStatus = z.literal(Object.values(pointStatuses))

/** The access codes of a request; only a code of letters and digits expires. */
export const GenerationSetting = z.object({
  additionalComponents: accessCodes.schema,
  accessCodeExpirationDate: z.nullable(day()),
})

/** Ids, or objects with `classificatorId`, as the accounting software sends them. */
const ClassifierIds = z.pipe(
  z.array(z.union([Id, z.object({ classificatorId: Id })])).check(z.maxLength(20)),
  z.transform((tags) => [
    ...new Set(tags.map((one) => (typeof one === 'string' ? one : one.classificatorId))),
  ]),
)

/** The actor, the absent colleague they acted for, and the program that acted in their name. */
const Doer = z.object({
  fullName: z.string(),
  insteadOf: z.optional(z.string()),
  program: z.optional(z.string()),
})

/** The details of a signature: its certificate and the result of its check. */
export const SignatureView = z.object({
  id: Id,
  by: Doer,
  comment: z.string(),
  receivedAt: Moment,
  state: z.enum(['checking', 'accepted', 'refused']),
  /** While it is being checked: the time of the next try. */
  nextTryAt: z.nullable(Moment),
  /** When the certification centre last answered about the certificate; null: not yet. */
  checkedAt: z.nullable(Moment),
  verdict: z.nullable(
    z.object({
      verdict: z.enum(['TOTAL-PASSED', 'TOTAL-FAILED', 'INDETERMINATE']),
      subIndication: z.nullable(z.string()),
      code: z.nullable(z.string()),
    }),
  ),
  certificate: z.nullable(
    z.object({
      fullName: z.string(),
      iin: z.nullable(z.string()),
      bin: z.nullable(z.string()),
      organization: z.nullable(z.string()),
      serialNumber: z.string(),
      issuer: z.string(),
      validFrom: Moment,
      validTo: Moment,
      algorithm: z.string(),
      revocation: z.nullable(z.enum(['ocsp', 'crl'])),
      timestampTime: z.nullable(Moment),
    }),
  ),
  /** The power of attorney under which the signature counts. */
  power: z.nullable(z.object({ number: z.string(), validFrom: z.iso.date(), validUntil: z.iso.date() })),
})

export const RequestPointView = z.object({
  pointId: Id,
  order: z.int(),
  name: z.string(),
  type: OnePointType,
  /** Internal 0, External 1, CounterParty 2. */
  pointType: z.int(),
  bin: z.string(),
  organizationName: z.string(),
  groupName: z.nullable(z.string()),
  agreementCondition: z.enum(agreementConditions),
  /** How many must act, if neither one nor all. */
  quorum: z.nullable(z.int()),
  isEdsPresentationRequired: z.boolean(),
  keyHolder: z.enum(keyHolders),
  /**
   * The IIN of the person whose key is taken, if `keyHolder` is `person`; only for the sender and for people asked.
   */
  keyHolderIin: z.nullable(z.string()),
  signatureForm: z.enum(signatureForms),
  status: OnePointStatus,
  statusDescriptionData: z.nullable(
    z.object({ alias: z.string(), parameters: z.record(z.string(), z.unknown()) }),
  ),
  turnCameAt: z.nullable(Moment),
  doneAt: z.nullable(Moment),
  /** The last day in time (Asia/Almaty), once its turn came; null: any time. */
  dueOn: z.nullable(z.iso.date()),
  /** Who is told when the deadline passes, and when they were told; only for people of the sender. */
  escalation: z.nullable(z.object({ name: z.string(), mayAct: z.boolean(), at: z.nullable(Moment) })),
  /** The participants; empty for other organisations. */
  participants: z.array(Person),
  /** The acts at the point, in order. */
  acts: z.array(
    z.extend(Doer, {
      act: z.enum(['signed', 'approved', 'confirmed', 'rejected']),
      at: Moment,
      comment: z.string(),
      signatureId: z.nullable(Id),
    }),
  ),
  /** Which of the people who are asked have opened this document, and when first. */
  openings: z.array(z.extend(Doer, { at: Moment })),
  /** Where the seal of the signature is shown on the document; null: nowhere. */
  place: z.nullable(SealPlace),
  /**
   * The file that this side proposed and the author has not answered; only for that side and people of the sender.
   */
  proposal: z.nullable(
    z.object({
      number: z.int(),
      fileName: z.string(),
      format: z.enum(documentFormats),
      size: z.int(),
      by: z.nullable(Doer),
      at: Moment,
      comment: z.string(),
    }),
  ),
  signatures: z.array(SignatureView),
  /** Whether the caller may act at this point. */
  isMine: z.boolean(),
  /** False if the point does not take the caller's key: it has another role, or is not that of the named person. */
  takesMyKey: z.boolean(),
  /** Whether the caller holds a power of attorney for this document now. */
  hasPower: z.boolean(),
  /** The absent colleague for whom the next act of the caller counts. */
  actsInsteadOf: z.nullable(z.string()),
})

export const RevisionView = z.object({
  revision: z.int(),
  fileName: z.string(),
  format: z.enum(documentFormats),
  size: z.int(),
  sha256: z.string(),
  /** When this revision was sent or replaced the one before, by whom and why. */
  at: Moment,
  by: z.nullable(Doer),
  comment: z.string(),
})

const OtherRequest = z.object({ id: Id, name: z.string(), status: OneStatus })

const RequestAct = z.object({ act: ActName, pointId: z.nullable(Id) })

/** All documents of the package, including this one, in their order, as far as the caller may see them. */
export const PackageView = z.object({
  id: Id,
  name: z.string(),
  /** The documents are decided together: nobody answers for one of them alone. */
  isTogether: z.boolean(),
  requests: z.array(z.extend(OtherRequest, { revision: z.int(), acts: z.array(RequestAct) })),
})

export const SigningRequest = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  status: OneStatus,
  signingDate: z.iso.date(),
  isTimestampRequired: z.boolean(),
  isQuick: z.boolean(),
  generationSetting: GenerationSetting,
  classificators: z.array(z.object({ classificatorId: Id, name: z.string() })),
  document: z.object({
    /** Null if the document was deleted; the signed file remains. */
    id: z.nullable(Id),
    fileName: z.string(),
    format: z.enum(documentFormats),
    size: z.int(),
    sha256: z.string(),
    /** When an act of destruction had the bytes removed; signatures and proofs remain. */
    destroyedAt: z.nullable(Moment),
  }),
  /** The current revision of the document: 1 is the document that was sent, and every correction adds 1. */
  revision: z.int(),
  /** All documents of the request, the newest last; empty if it was never corrected. */
  revisions: z.array(RevisionView),
  /** The kind of document that the sender chose; only for people of the sender. */
  kind: z.nullable(z.object({ id: Id, name: z.string(), journalId: z.nullable(Id) })),
  /** The number of the request in the journal of the sender, with the day in Almaty. */
  registration: z.nullable(Registration),
  /** The number of the request in the journal of the caller's organisation. */
  ownRegistration: z.nullable(
    z.object({
      number: z.string(),
      registeredAt: Moment,
      registeredBy: z.string(),
      journal: z.object({ id: Id, name: z.string() }),
    }),
  ),
  /** Whether the caller may register the request now. */
  canRegister: z.boolean(),
  /** Which points were passed over and why; only for people of the sender, null if the route has no conditions. */
  conditions: z.nullable(RequestConditions),
  /** Only for people of the sender. */
  route: z.nullable(z.object({ id: z.nullable(Id), name: z.string() })),
  author: Person,
  organization: Organization,
  createdAt: Moment,
  changedAt: Moment,
  currentVersion: Version,
  points: z.array(RequestPointView),
  termination: z.nullable(
    z.object({
      attempt: z.int(),
      /** The title of the terminating document, in the language of the request. */
      title: z.string(),
      fileName: z.string(),
      begunBy: Doer,
      begunAt: Moment,
      comment: z.string(),
      points: z.array(RequestPointView),
    }),
  ),
  canEdit: z.boolean(),
  signingRequestActions: z.object({ CanEdit: z.boolean() }),
  /** What the caller may do now, and at which point. */
  acts: z.array(RequestAct),
  /** Whether the caller may correct the ended request and send it as a new one. */
  canSendAgain: z.boolean(),
  /** The ended request that this one replaces, if the caller may see it. */
  follows: z.nullable(OtherRequest),
  /** The request that was sent instead of this one, if the caller may see it. */
  followedBy: z.nullable(OtherRequest),
  /** Null: the request was sent alone. */
  package: z.nullable(PackageView),
  /** The last day on which it can be signed; null: any time. */
  expiresOn: z.nullable(z.iso.date()),
  /** When the system withdrew the request, because its last day had passed. */
  expiredAt: z.nullable(Moment),
  /** The withdrawal, with its comment. */
  withdrawal: z.nullable(z.extend(Doer, { at: Moment, comment: z.string() })),
  /** The caller is asked and has not opened the document before: their page must report it by `openRequest`. */
  isFirstLook: z.boolean(),
  /** The other person who has the signing dialog open. */
  lock: z.nullable(z.object({ fullName: z.string(), until: Moment })),
})

/** Refusals of sending, which a trial reports in advance. */
export const sendingRefusals = [
  'document-not-found',
  'outdated-document',
  'file-not-found',
  'file-storage-error',
  'document-not-printable',
  'document-not-signable',
  'signature-form-unfit',
  'route-not-found',
  'unavailable-route',
  'outdated-route',
  'points-not-found',
  'inactive-point',
  'unsuccessful_point_state',
  'group-smaller-than-quorum',
  'organization-point-not-found',
  'forbidden_external_point_by_options',
  'receiver-paused',
  'forbidden_counter_party_point_by_options',
  'internal_point_not_belong_to_organization',
  'private_point_in_public_route',
  'counter_party_targets_creator_organization',
  'unsuccessful_route_state',
  'classificator-not-found',
  'kind-not-found',
  'journal-not-found',
  'journal-closed',
  'organization-restricted',
  'organization-not-confirmed',
  'access-code-date-past',
  'no-point-taken',
  'expiry-date-past',
] as const satisfies readonly Alias[]

/** The input that every kind of sending has. */
export const Sent = z.object({
  documentId: Id,
  name: requiredLine(longestRequestName),
  description: z._default(paragraphs(longestRequestDescription), ''),
  /** The date of the document; today (Asia/Almaty) by default. */
  signingDate: z.optional(requiredDay()),
  /** The last day on which it can be signed (Asia/Almaty); afterwards the system withdraws the request. */
  expiresOn: z.optional(requiredDay()),
  isTimestampRequired: z._default(z.boolean(), false),
  generationSetting: z._default(GenerationSetting, {
    additionalComponents: 0,
    accessCodeExpirationDate: null,
  }),
  classificatorsV2: z._default(ClassifierIds, []),
  /** A kind of document of the organisation; its journal may give the request a number. */
  kindId: z.optional(Id),
  /** Chosen by the client, so that a repeated call is idempotent and creates one request. */
  signingRequestId: z.optional(Id),
  /** The rejected or withdrawn request that this one replaces. */
  followsId: z.optional(Id),
})

export const followingRefusals = [
  'signing-request-not-found',
  'not-the-author',
  'wrong-request-status',
  'request-sent-again',
] as const satisfies readonly Alias[]

export const createRequest = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId',
  access: 'member',
  summary: 'Send a document along a route',
  input: z.extend(OfOrganization, {
    ...Sent.shape,
    routeId: Id,
    /** The version of the route that the sender saw. */
    routeVersion: z.optional(Version),
    /** The facts for the conditions of the route. */
    facts: z.optional(TypedFacts),
    /** Where the seals of signing points are shown on the pages of a PDF; they have no legal effect. */
    places: z.optional(PointPlaces),
  }),
  result: SigningRequest,
  refusals: [
    ...sendingRefusals,
    ...followingRefusals,
    'sent-before',
    'place-beyond-pages',
    'place-needs-pdf',
    'place-without-signature',
  ],
})

/**
 * The addresses to which a request without a route is announced, with the same rules as those of an external point.
 */
export const RecipientEmails = z
  .array(Email)
  .check(
    z.minLength(1, 'email-not-chosen'),
    z.maxLength(mostEmails, 'too-many-emails'),
    z.refine(areDifferent, 'emails-repeat'),
  )

export const createQuickRequest = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/quick',
  access: 'member',
  summary: 'Send a document to a group of ours and to a number outside, without a route of its own',
  input: z.extend(OfOrganization, {
    ...Sent.shape,
    /** The group that signs; left out by somebody who is alone in the organisation. */
    groupId: z.optional(Id),
    /** The recipient is only informed about the document and signs nothing. */
    isForInformation: z._default(z.boolean(), false),
    bin: TwelveDigits,
    organizationName: z._default(line(250), ''),
    emails: RecipientEmails,
  }),
  result: SigningRequest,
  refusals: [
    ...sendingRefusals,
    ...followingRefusals,
    'sent-before',
    'group-not-found',
    'organization-group-not-found',
    'user-group-not-found',
    'group-empty',
    'quick-send-not-allowed',
    'recipient-is-own',
  ],
})

/** Saves nothing: lists all refusals, and who would get what in which order. */
export const tryRequest = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/trial',
  access: 'member',
  summary: 'Whether a request could be sent now: everything that would be refused, and who would get what',
  input: z.extend(OfOrganization, {
    documentId: Id,
    routeId: Id,
    kindId: z.optional(Id),
    facts: z.optional(TypedFacts),
  }),
  result: z.object({
    refusals: z.array(z.object({ alias: z.string(), parameters: z.record(z.string(), z.unknown()) })),
    rehearsal: z.nullable(Rehearsal),
    /** The facts that the conditions of the route need, and those that are known; null: no conditions. */
    conditions: z.nullable(
      z.object({
        asked: z.object({ kind: z.boolean(), amount: z.boolean(), variables: z.array(z.string()) }),
        /** The facts from the document itself, which nobody needs to type. */
        said: z.object({ amount: z.nullable(z.number()), variables: z.record(z.string(), z.string()) }),
        facts: KnownFacts,
      }),
    ),
  }),
  refusals: [],
})

/**
 * With the empty id instead of an organisation a person acts only for their own numbers, as outsiders do.
 */
export const OfRequest = z.extend(OfOrganization, { signingRequestId: Id })

export const getRequest = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId',
  access: 'party',
  summary: 'One request, as far as the caller may see it',
  input: z.extend(OfRequest, {
    /** Ignored: both processes are returned. */
    associationType: z.optional(z.pipe(z.coerce.number(), z.literal([0, ...Object.values(processKinds)]))),
  }),
  result: SigningRequest,
  refusals: ['signing-request-not-found', 'signing-request-access-failure'],
})

/**
 * Called only by a page that a person looks at: fetching the document, as programs and mail scanners do, is no
 * opening.
 */
export const openRequest = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/opened',
  access: 'party',
  summary: 'The caller, who is asked, has opened the document; recorded once',
  input: OfRequest,
  result: z.object({}),
  refusals: ['signing-request-not-found', 'signing-request-access-failure'],
})

export const RequestEventView = z.object({
  number: z.int(),
  at: Moment,
  type: z.string(),
  /** null: the system. */
  actor: z.nullable(Doer),
  pointName: z.nullable(z.string()),
  comment: z.string(),
  data: z.record(z.string(), z.unknown()),
  before: z.int(),
  after: z.int(),
})

export const getRequestHistory = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/history/:skip/:take',
  access: 'party',
  summary: 'What happened to a request, the latest first',
  input: z.extend(OfRequest, Page.shape),
  result: listOf(RequestEventView),
  refusals: ['signing-request-not-found', 'signing-request-access-failure'],
})

export const updateRequest = endpoint({
  method: 'PUT',
  path: '/api/SigningRequests/:organizationId/update',
  access: 'member',
  summary: 'Change the tags, or what the printable document carries',
  input: z.extend(OfRequest, {
    generationSetting: z.optional(GenerationSetting),
    classificatorsV2: z.optional(ClassifierIds),
    currentVersion: z.optional(Version),
  }),
  result: SigningRequest,
  refusals: [
    'signing-request-not-found',
    'improper-role',
    'classificator-not-found',
    'request-changed',
    'access-code-date-past',
  ],
})

/** The common input of acts. */
export const Acting = z.extend(OfRequest, {
  /** The version that the client saw; an outdated one is refused. */
  currentVersion: z.optional(Version),
  /** Chosen by the client, so that a repeated call acts once. */
  key: z.optional(Id),
})

export const actRefusals = [
  'signing-request-not-found',
  'signing-request-access-failure',
  'request-changed',
  'wrong-request-status',
  'wrong-request-configuration',
  'document-is-on-signing-process',
  'package-together',
] as const satisfies readonly Alias[]

export const revokeRequest = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/revoke',
  access: 'member',
  summary: 'Withdraw a request; its author may, until everybody has signed',
  input: z.extend(Acting, { comment: paragraphs(longestComment).check(z.minLength(1, 'required')) }),
  result: SigningRequest,
  refusals: [...actRefusals, 'signature-being-checked'],
})

export const pointActs = ['sign', 'approve', 'confirm', 'reject'] as const

export const Signature = z.string().check(z.maxLength(longestSignature, 'too-long'))

/** The refusals of every answer at a point. */
export const answerRefusals = [
  ...actRefusals,
  'point-not-found',
  'point-already-processed',
  'process-wrong-order',
  'signature-being-checked',
  'key-not-taken',
  'signature-needed',
  'timestamp-needed',
  'too-many-refused-signatures',
  'signature-refused',
  'signature-used-before',
  'signature-inside-needed',
  'document-revised',
] as const satisfies readonly Alias[]

const Prepared = z.object({
  at: Moment,
  /** The SHA-256 of the signed bytes, in hexadecimal digits. */
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
})

export const actAtPoint = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/:pointTypeName/:action',
  access: 'party',
  summary: 'Sign, approve, confirm or reject at a point',
  input: z
    .extend(Acting, {
      pointTypeName: z.enum(pointTypes.names),
      action: z.enum(pointActs),
      /** The revision of the document that the caller saw; if given, the act is refused for any other. */
      revision: z.optional(Version),
      pointId: Id,
      comment: z._default(paragraphs(longestComment), ''),
      /** CMS in base64 or PEM; if a timestamp is required, a second CMS by the same certificate contains it. */
      signature: z.optional(Signature),
      timestampedSignature: z.optional(Signature),
      /** For a signature inside the PDF: what was signed, from `getPreparation` and the prepared file. */
      prepared: z.optional(Prepared),
    })
    .check(
      z.refine(({ action, comment }) => action !== 'reject' || comment !== '', {
        path: ['comment'],
        error: 'required',
      }),
      z.refine(({ action, signature }) => action !== 'sign' || signature !== undefined, {
        path: ['signature'],
        error: 'required',
      }),
    ),
  result: SigningRequest,
  refusals: [
    ...answerRefusals,
    'signature-inside-being-checked',
    'file-not-found',
    'outdated-document',
    'file-storage-error',
  ],
})

/** Locks for five minutes; the dialog renews the lock while it is open. */
export const lockRequest = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/lock',
  access: 'party',
  summary: 'Hold a document while signing it; others are told who does',
  input: OfRequest,
  result: z.object({ until: Moment }),
  refusals: ['signing-request-not-found', 'signing-request-access-failure', 'document-is-on-signing-process'],
})

export const unlockRequest = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/unlock',
  access: 'party',
  summary: 'Let go of a document; nothing happens if the caller does not hold it',
  input: OfRequest,
  result: Nothing,
  refusals: ['signing-request-not-found', 'signing-request-access-failure'],
})

/** Announces versions of a request without its content; version 0 means that changes may have been missed. */
export const watchRequest = endpoint({
  method: 'GET',
  path: '/api/SigningRequests/:organizationId/:signingRequestId/changes',
  access: 'party',
  summary:
    'A line that stays open (server-sent events): the version of the request, now and with each change',
  streams: true,
  input: OfRequest,
  result: z.object({ signingRequestId: Id, currentVersion: Version }),
  refusals: ['signing-request-not-found', 'signing-request-access-failure'],
})
