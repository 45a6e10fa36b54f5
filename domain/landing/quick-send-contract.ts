/**
 * Quick send without registration (docs/product/landing.md). There is no session: the token, the id of the
 * transaction and the link are secrets that give access to one transaction.
 */
import * as z from 'zod/mini'
import { contentRefusals } from '../documents/content-refusals.ts'
import { documentFormats } from '../documents/formats.ts'
import { endpoint } from '../endpoint.ts'
import { CheckedNumber, Email, Id, Language, line, Moment, Nothing, requiredLine } from '../fields.ts'
import { createCrosslinks, deviceTypes, mobileStates } from '../requests/phone-contract.ts'
import { OneStatus } from '../requests/parts.ts'
import { CaptchaAnswer } from './captcha-contract.ts'
import { isPhone } from './feedback.ts'

const Secret = z.string().check(z.regex(/^[\w-]{43}$/))

export const getQuickSend = endpoint({
  method: 'GET',
  path: '/api/Landing/quickSend',
  access: 'anyone',
  summary: 'With which program a document is signed here; null: nothing is signed here',
  input: z.object({}),
  result: z.object({
    signer: z.nullable(
      z.object({ url: z.string(), acceptsAnyChain: z.boolean(), windowUrl: z.nullable(z.string()) }),
    ),
  }),
  refusals: [],
})

/** Only for organisations: names of people are not disclosed by their number. */
export const getQuickContractor = endpoint({
  method: 'GET',
  path: '/api/Landing/contractor',
  access: 'anyone',
  summary: 'The name of the organisation with the number',
  perMinute: 12,
  input: z.object({ bin: CheckedNumber }),
  result: z.object({ bin: z.string(), name: z.string() }),
  refusals: ['contractor-not-found', 'business-analyst-unavailable'],
})

export const getTransactionToken = endpoint({
  method: 'POST',
  path: '/api/Landing/getTransactionToken',
  access: 'anyone',
  summary: 'Leave to send one document, for thirty minutes, after the captcha',
  perMinute: 10,
  input: z.object({
    /** Random, chosen by the client: a repeated call gets the same token. */
    key: Secret,
    captcha: z.optional(CaptchaAnswer),
  }),
  result: z.object({ token: Secret, expiresAt: Moment }),
  refusals: ['captcha-needed', 'quick-send-limit', 'transaction-token-not-found'],
})

const consent = z.literal([true, 'true'], 'required')

/** The body is the file, so the input is in a header: see `inputHeader`. */
export const initTransaction = endpoint({
  method: 'POST',
  path: '/api/Landing/initTransaction',
  access: 'anyone',
  summary: 'Takes the document and whom it is for; answers with what is to be signed. Once for each token',
  takesFile: true,
  perMinute: 10,
  input: z.object({
    token: Secret,
    fileName: requiredLine(1000),
    senderEmail: Email,
    senderPhone: line(50).check(z.minLength(1, 'required'), z.refine(isPhone, 'phone-incorrect')),
    recipientBin: CheckedNumber,
    recipientEmail: Email,
    language: z._default(Language, 'ru'),
    consent,
  }),
  result: z.object({
    transactionId: Secret,
    /** The uploaded bytes are signed; the browser compares the hash. */
    document: z.object({
      fileName: z.string(),
      format: z.enum(documentFormats),
      size: z.int(),
      sha256: z.string(),
    }),
    expiresAt: Moment,
  }),
  refusals: [
    'transaction-token-not-found',
    'quick-send-limit',
    'forbidden_external_point_by_options',
    'receiver-paused',
    ...contentRefusals,
    'document-not-printable',
  ],
})

/** The result for the sender; a repeated call returns the same. */
const SentTransaction = z.object({
  signingRequestId: Id,
  /** Shows the state of the request to anybody who has it. */
  followUrl: z.url(),
  /** The link for the recipient, who proves their number there. */
  recipientUrl: z.url(),
  recipientEmail: z.string(),
  /** False if the recipient has stopped such e-mails and must be given the link. */
  isMailed: z.boolean(),
})

const commitRefusals = [
  'transaction-not-found',
  'signature-refused',
  'signature-not-checked',
  'signature-not-fresh',
  'signature-used-before',
  'empty-bin-or-iin',
  'too-many-refused-signatures',
  'recipient-is-own',
  'quick-send-limit',
  'quick-send-not-allowed',
  'only-pdf-allowed',
  'organization-restricted',
  'forbidden_external_point_by_options',
  'receiver-paused',
  'file-not-found',
  'outdated-document',
  'file-storage-error',
] as const

export const commitTransaction = endpoint({
  method: 'POST',
  path: '/api/Landing/commitTransaction',
  access: 'anyone',
  summary: 'Checks the signature over the document and sends it; answers with the link of the request',
  perMinute: 20,
  input: z.object({
    transactionId: Secret,
    /** Detached CMS over the document. */
    signature: z.string().check(z.minLength(1, 'required'), z.maxLength(700_000)),
  }),
  result: SentTransaction,
  refusals: commitRefusals,
})

export const askPhoneForTransaction = endpoint({
  method: 'POST',
  path: '/api/Landing/transactionPhone',
  access: 'anyone',
  summary: 'A one-time code by which the national mobile app fetches the document and signs it; PDF only',
  perMinute: 20,
  input: z.object({ transactionId: Secret, deviceType: z._default(z.enum(deviceTypes), 'Desktop') }),
  result: z.omit(createCrosslinks.result, { id: true }),
  refusals: ['transaction-not-found', 'mobile-pdf-only', 'signature-not-checked'],
})

/** Polled while the phone signs. */
export const getTransaction = endpoint({
  method: 'POST',
  path: '/api/Landing/transactionState',
  access: 'anyone',
  summary: 'How far a transaction has come',
  perMinute: 120,
  input: z.object({ transactionId: Secret }),
  result: z.object({
    /** Null if no code was requested. */
    phone: z.nullable(z.enum(mobileStates)),
    refusal: z.nullable(z.object({ alias: z.string(), parameters: z.record(z.string(), z.unknown()) })),
    sent: z.nullable(SentTransaction),
  }),
  refusals: ['transaction-not-found'],
})

const Follow = z.object({ follow: Secret })

export const trackRequest = endpoint({
  method: 'POST',
  path: '/api/Landing/follow',
  access: 'anyone',
  summary: 'The state of one request, for whoever has the link that its sender was given',
  perMinute: 60,
  input: Follow,
  result: z.object({
    signingRequestId: Id,
    name: z.string(),
    fileName: z.string(),
    status: OneStatus,
    createdAt: Moment,
    version: z.int(),
    points: z.array(
      z.object({
        organizationName: z.string(),
        bin: z.string(),
        isSender: z.boolean(),
        status: z.int(),
        doneAt: z.nullable(Moment),
        signedBy: z.nullable(z.string()),
        /** Why it was rejected. */
        comment: z.string(),
      }),
    ),
    isSigned: z.boolean(),
    recipientUrl: z.url(),
    recipientEmail: z.string(),
    isMailed: z.boolean(),
    /** A daily limit holds the e-mail back until a later day. */
    isHeld: z.boolean(),
    /** Whether somebody has claimed the organisation of the sender. */
    isClaimed: z.boolean(),
  }),
  refusals: ['follow-link-not-found'],
})

export const downloadTracked = endpoint({
  method: 'POST',
  path: '/api/Landing/follow/document',
  access: 'anyone',
  summary: 'The document, byte for byte, for whoever has the link',
  givesFile: true,
  perMinute: 20,
  input: Follow,
  result: Nothing,
  refusals: ['follow-link-not-found', 'file-not-found', 'outdated-document', 'file-storage-error'],
})

export const downloadTrackedSigned = endpoint({
  method: 'POST',
  path: '/api/Landing/follow/electronic',
  access: 'anyone',
  summary: 'One CMS with the document inside and everybody who signed it, for whoever has the link',
  givesFile: true,
  perMinute: 20,
  input: Follow,
  result: Nothing,
  refusals: [...downloadTracked.refusals, 'signed-signing-document-not-found', 'archive-under-way'],
})
