/**
 * Every expected refusal of the product. An alias names the condition; the table says which class it belongs to and
 * its HTTP status (docs/product/errors-and-limits.md). Its text in three languages is in texts/.../errors.json.
 */

export type ErrorClass =
  | 'CustomValidationException'
  | 'UnauthorizedMiddlewareException'
  | 'PermissionDeniedException'
  | 'PermissionDeniedMiddlewareException'
  | 'CustomNotFoundException'
  | 'OrganizationsNotFoundException'
  | 'ConcurrencyException'
  | 'TemporaryUnavailableException'
  | 'HttpException'
  | 'UnforeseenException'

const validation = ['CustomValidationException', 400] as const
const conflict = ['CustomValidationException', 409] as const
const notFound = ['CustomNotFoundException', 404] as const
const unsupported = ['HttpException', 415] as const
const denied = ['PermissionDeniedException', 403] as const

const table = {
  // every call
  'validation-failure': validation,
  'malformed-body': validation,
  'not-signed-in': ['UnauthorizedMiddlewareException', 401],
  'foreign-origin': ['PermissionDeniedMiddlewareException', 403],
  'organization-not-yours': ['PermissionDeniedMiddlewareException', 403],
  'organization-moved': denied,
  'not-enough-permissions': denied,
  'account-needed': denied,
  'improper-role': denied,
  'roles-filter': denied,
  'page-not-found': ['HttpException', 404],
  'body-too-large': ['HttpException', 413],
  'media-type-not-supported': ['HttpException', 415],
  'range-not-satisfiable': ['HttpException', 416],
  'too-many-requests': ['HttpException', 429],
  'organization-too-many-requests': ['HttpException', 429],
  'upload-too-slow': ['HttpException', 408],
  'files-queue-full': ['TemporaryUnavailableException', 503],
  'own-files-queue-full': ['HttpException', 429],
  'request-timeout': ['HttpException', 504],
  'service-unavailable': ['TemporaryUnavailableException', 503],
  'database-update-error': conflict,
  'unexpected-error': ['UnforeseenException', 500],
  'request-changed': ['ConcurrencyException', 409],

  // identity
  'organization-not-found': ['OrganizationsNotFoundException', 404],
  'organization-already-yours': conflict,
  'organization-of-others': conflict,
  'organization-name-proved': validation,
  'organization-not-confirmed': denied,
  'key-not-taken': denied,
  'power-not-found': notFound,
  'power-document-not-signed': validation,
  'power-over-already': validation,
  'user-not-found': notFound,
  'last-owner': conflict,
  'invitation-not-found': notFound,
  'invitation-expired': conflict,
  'invitation-for-another-email': denied,
  'already-member': conflict,
  'email-limit-reached': ['HttpException', 429],
  'address-refuses-emails': conflict,
  'directory-person-exists': conflict,
  'group-mapping-not-offered': denied,
  'directory-address-missing': validation,
  'directory-filter-not-understood': validation,
  'directory-change-not-understood': validation,
  /** The person is in no group. */
  'group-not-found': notFound,
  'organization-group-not-found': notFound,
  'user-group-not-found': notFound,
  'group-name-already-in-use': conflict,
  'group-not-in-organization': validation,
  'group-is-awaited': conflict,
  'group-effects-changed': ['ConcurrencyException', 409],
  'group-effects-not-seen': conflict,
  'member-effects-changed': ['ConcurrencyException', 409],
  'group-participants-not-found': validation,
  'agreement-not-found': notFound,
  'agreement-needed': denied,
  'challenge-not-found': conflict,
  'iin-already-in-use': conflict,
  'join-request-not-found': notFound,

  // substitutions
  'substitution-not-found': notFound,
  'substitution-over': conflict,
  'substitute-is-oneself': validation,
  'substitution-wrong-period': validation,
  'substitution-too-long': validation,
  'already-substituted': conflict,
  'substitute-is-away': conflict,
  'substitutes-another': conflict,

  // the transparency log
  'log-has-no-such-size': notFound,

  // documents
  'deletion-not-found': notFound,
  'restore-error': conflict,
  'document-not-found': notFound,
  'file-not-found': notFound,
  'document-is-busy': conflict,
  'outdated-document': conflict,
  'file-empty': validation,
  'file-too-large': ['HttpException', 413],
  'storage-quota-exceeded': ['HttpException', 413],
  'file-format-not-supported': unsupported,
  'only-pdf-allowed': unsupported,
  'file-content-mismatch': unsupported,
  'file-encrypted': unsupported,
  'file-broken': unsupported,
  'file-has-macros': unsupported,
  'file-has-dde': unsupported,
  'file-loads-from-elsewhere': unsupported,
  'file-has-objects': unsupported,
  'file-has-entities': unsupported,
  'file-has-scripts': unsupported,
  'file-has-xfa': unsupported,
  'file-unpacks-too-large': unsupported,
  'file-takes-too-much': unsupported,
  'file-of-two-formats': unsupported,
  'document-not-printable': unsupported,
  'document-not-signable': unsupported,
  'signature-form-unfit': unsupported,
  'place-beyond-pages': validation,
  'place-needs-pdf': unsupported,
  'place-without-signature': validation,
  'sas-token-error': ['TemporaryUnavailableException', 503],
  'file-storage-error': ['TemporaryUnavailableException', 503],

  // documents written here, and their templates
  'document-template-not-found': notFound,
  'rich-text-empty': validation,
  'rich-text-too-large': ['HttpException', 413],
  'rich-text-unknown-signs': validation,
  'variables-not-filled': validation,

  // classifiers
  'classificator-not-found': notFound,
  'classificator-name-already-in-use': conflict,

  // registers
  'journal-not-found': notFound,
  'journal-name-already-in-use': conflict,
  'journal-rule-fixed': conflict,
  'journal-closed': conflict,
  'registers-limit': conflict,
  'already-registered': conflict,
  'registers-not-kept': denied,
  'kind-not-found': notFound,
  'kind-name-already-in-use': conflict,
  'kind-without-journal': validation,

  // retention
  'too-many-terms': conflict,
  'already-held': conflict,
  'hold-not-found': notFound,
  'document-not-due': conflict,
  'document-held': conflict,
  'document-shared-outside': conflict,
  'document-in-act': conflict,
  'act-not-found': notFound,
  'email-not-own': validation,
  'leave-organizations-first': conflict,
  'act-not-signed': conflict,
  'act-carried-out': conflict,

  // bulk sending: the parameter `fault` says why a table cannot be read
  'table-unreadable': validation,
  'bulk-not-found': notFound,
  'bulk-already-started': conflict,
  'bulk-not-started': conflict,
  'bulk-not-planned': conflict,
  'bulk-rows-wrong': conflict,

  // import of members
  'member-import-not-found': notFound,
  'member-import-running': conflict,

  // acknowledgement campaigns
  'campaign-not-found': notFound,
  'campaign-without-people': validation,
  'campaign-too-large': validation,

  // comments on documents
  'comment-not-found': notFound,
  'too-many-comments': validation,
  'proposal-not-found': notFound,
  'proposal-open': conflict,
  'too-many-proposals': validation,

  // points and their recipients
  'point-not-found': notFound,
  'point-remove-error': conflict,
  'group-empty': validation,
  'group-smaller-than-quorum': validation,
  /** The conditions of the route pass over every point. */
  'no-point-taken': conflict,
  'expiry-date-past': validation,
  'sent-before': conflict,
  'responsible-not-in-group': validation,
  forbidden_external_point_by_options: conflict,
  'receiver-paused': conflict,
  forbidden_counter_party_point_by_options: conflict,
  counter_party_targets_creator_organization: conflict,
  'contractor-not-found': notFound,
  'business-analyst-unavailable': ['TemporaryUnavailableException', 503],

  // routes and route templates: the parameter `faults` says which points are wrong and why
  'route-not-found': notFound,
  'signature-route-not-found': notFound,
  'signature-route-not-found-by-creator': notFound,
  'route-template-not-found': notFound,
  'points-not-found': notFound,
  'organization-point-not-found': conflict,
  'inactive-point': conflict,
  'common-route-with-personal-points': conflict,
  private_point_in_public_route: conflict,
  internal_point_not_belong_to_organization: conflict,
  unsuccessful_point_state: conflict,
  unsuccessful_route_state: conflict,
  'unavailable-route': conflict,
  'outdated-route': ['ConcurrencyException', 409],
  'error-during-route-update': conflict,
  'error-during-route-activation': conflict,
  'route-remove-error': conflict,
  'template-activation-error': conflict,
  'template-remove-error': conflict,

  // digital signatures: `code` is the DS- code, `reason` its text
  'signature-refused': validation,
  'signature-not-checked': ['TemporaryUnavailableException', 503],
  'timestamp-unavailable': ['TemporaryUnavailableException', 503],

  // requests
  'request-already-in-process': conflict,
  'wrong-request-status': conflict,
  'request-sent-again': conflict,
  'not-the-author': denied,
  'wrong-request-configuration': conflict,
  'process-wrong-order': conflict,
  'point-already-processed': conflict,
  'signature-being-checked': conflict,
  'signature-needed': validation,
  'signing-request-not-found': notFound,
  'terminating-document-not-found': notFound,
  'signing-sign-not-found': notFound,
  'terminating-sign-not-found': notFound,
  'signed-signing-document-not-found': notFound,
  'signed-terminating-document-not-found': notFound,
  'empty-bin-or-iin': validation,
  'organization-restricted': denied,
  'access-code-date-past': validation,
  'quick-send-not-allowed': denied,
  'recipient-is-own': validation,
  'timestamp-needed': validation,
  'mobile-pdf-only': unsupported,
  'mobile-one-sender': validation,
  'mobile-too-large': validation,
  'mobile-not-inside': unsupported,
  'mobile-signing-not-found': notFound,
  'request-not-completed': conflict,
  'document-is-on-signing-process': ['HttpException', 423],
  'signing-request-access-failure': denied,
  'access-denied': denied,
  'too-many-refused-signatures': ['HttpException', 429],
  'too-many-terminations': ['HttpException', 429],
  'side-moved': conflict,
  'archive-too-large': ['HttpException', 413],
  'archive-under-way': ['HttpException', 429],

  // outputs
  'signing-report-not-found': notFound,
  'signing-report-not-allowed': denied,
  'evidence-not-found': notFound,
  'generation-in-progress': conflict,
  'generation-failure': conflict,
  'print-format-not-supported': unsupported,

  // the public pages
  'captcha-needed': validation,
  'quick-send-limit': ['HttpException', 429],
  'transaction-token-not-found': notFound,
  'transaction-not-found': notFound,
  'signature-not-fresh': validation,
  'signature-used-before': conflict,
  'signature-inside-needed': validation,
  'signature-inside-being-checked': conflict,
  'document-revised': conflict,
  'correction-changes-nothing': conflict,
  'correction-needs-sending-again': conflict,
  'too-many-corrections': conflict,
  'step-already-reached': conflict,
  'nobody-left-to-sign': conflict,
  'steps-unchanged': conflict,
  'too-many-points': conflict,
  'package-not-found': notFound,
  'package-together': conflict,
  'package-signed-inside': conflict,
  'follow-link-not-found': notFound,

  // programs that act for an organisation
  'token-not-accepted': ['UnauthorizedMiddlewareException', 401],
  'token-address-not-allowed': denied,
  'token-scope-missing': denied,
  'token-not-found': notFound,
  'too-many-tokens': conflict,
  'token-term-not-allowed': validation,
  'token-signs-for-another': validation,
  'idempotency-key-needed': validation,
  'idempotency-key-reused': conflict,
  'base64-broken': validation,
  'cursor-not-known': validation,
  'webhook-not-found': notFound,
  'webhook-delivery-not-found': notFound,
  'webhook-address-refused': validation,
  'too-many-webhooks': conflict,

  // e-mails about a request
  'letter-not-found': notFound,
  'letter-on-its-way': conflict,
  'letter-resent-recently': ['HttpException', 429],
  'nobody-to-remind': conflict,
  'reminded-recently': ['HttpException', 429],
} as const satisfies Record<string, readonly [ErrorClass, number]>

export type Alias = keyof typeof table
export type Parameters = Readonly<Record<string, unknown>>

export const aliases = Object.keys(table) as Alias[]

/** Aliases that the browser itself reports when it got no response; their texts are with those of the others. */
export const transportAliases = ['connection-lost', 'bad-gateway', 'gateway-timeout'] as const

/** Statuses caused by the connection, the session or the service, not by the input of the call. */
const passingStatuses: readonly number[] = [401, 408, 429, 500, 502, 503, 504]

/** Whether the same call may succeed when it is repeated later. */
export function mayPassLater(alias: string): boolean {
  if (transportAliases.some((one) => one === alias)) return true
  const known = aliases.find((one) => one === alias)
  return known !== undefined && passingStatuses.includes(table[known][1])
}

/** The refusals of every call: endpoints do not repeat these. */
export const commonRefusals: readonly Alias[] = [
  'validation-failure',
  'malformed-body',
  'not-signed-in',
  'foreign-origin',
  'organization-not-yours',
  'organization-moved',
  'not-enough-permissions',
  'account-needed',
  'agreement-needed',
  'body-too-large',
  'media-type-not-supported',
  'too-many-requests',
  'organization-too-many-requests',
  'upload-too-slow',
  'files-queue-full',
  'own-files-queue-full',
  'request-timeout',
  'service-unavailable',
  'database-update-error',
  'sas-token-error',
  'unexpected-error',
]

/** The refusals of every call that a program makes, besides those of every call. */
export const programRefusals: readonly Alias[] = [
  'token-not-accepted',
  'token-address-not-allowed',
  'token-scope-missing',
  'idempotency-key-needed',
  'idempotency-key-reused',
]

export class Refusal extends Error {
  readonly alias: Alias
  readonly parameters: Parameters
  constructor(alias: Alias, parameters: Parameters = {}) {
    super(alias)
    this.name = 'Refusal'
    this.alias = alias
    this.parameters = parameters
  }
}

export function refuse(alias: Alias, parameters?: Parameters): never {
  throw new Refusal(alias, parameters)
}

export function classOf(alias: Alias): ErrorClass {
  return table[alias][0]
}

export function statusOf(alias: Alias): number {
  return table[alias][1]
}

/** The body of every failing response (docs/product/errors-and-limits.md). */
export type ErrorBody = {
  ClassName: ErrorClass
  Type: string
  ExceptionData: { Alias: Alias; Parameters: Parameters }
  Message: string
}

const kinds: Record<number, string> = {
  400: 'Validation',
  401: 'Authentication',
  403: 'Permission',
  404: 'NotFound',
  408: 'Timeout',
  409: 'Conflict',
  413: 'TooLarge',
  415: 'UnsupportedFormat',
  416: 'NotFound',
  423: 'Locked',
  429: 'TooMany',
  503: 'Unavailable',
  504: 'Timeout',
}

export function errorBody(refusal: Refusal, message: string): ErrorBody {
  const { alias, parameters } = refusal
  return {
    ClassName: classOf(alias),
    Type: kinds[statusOf(alias)] ?? 'Unforeseen',
    ExceptionData: { Alias: alias, Parameters: parameters },
    Message: message,
  }
}
