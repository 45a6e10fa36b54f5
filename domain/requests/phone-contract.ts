/**
 * Signing with the national mobile app: a QR code, or a link if the page is open on the phone
 * (docs/product/signatures.md#g-06).
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, Moment, OfOrganization, paragraphs } from '../fields.ts'
import { actRefusals, longestComment } from './contract.ts'
import { mostInPackage } from './parts.ts'
import { processKinds } from './status.ts'

/** The device on which the page is open; the app can return to the page only on the same phone. */
export const deviceTypes = ['Desktop', 'Android', 'IOS'] as const

/** Enough time to take the phone, read and sign. */
export const mobileSigningMinutes = 10

export const mobileStates = ['new', 'meta', 'data', 'done', 'canceled', 'fail', 'expired'] as const

const CrosslinkId = z.string().check(z.regex(/^[\w-]{32}$/))

const SignatureState = z.nullable(
  z.object({ id: Id, state: z.enum(['checking', 'accepted', 'refused']), code: z.nullable(z.string()) }),
)

export const createCrosslinks = endpoint({
  method: 'POST',
  path: '/api/mgovSign/:organizationId/crosslinks',
  access: 'party',
  summary: 'A one-time code and links by which the mobile app fetches a document and signs it; PDF only',
  input: z.extend(OfOrganization, {
    signingRequestId: Id,
    pointId: Id,
    /** The process; 0 for the current one. */
    signingRequestsAssociationType: z._default(z.literal([0, ...Object.values(processKinds)]), 0),
    deviceType: z._default(z.enum(deviceTypes), 'Desktop'),
    /** The page to which the app returns on the same phone; only an address of this site. */
    callbackURI: z.optional(z.nullable(z.string().check(z.maxLength(2000, 'too-long')))),
    comment: z._default(paragraphs(longestComment), ''),
    /** Further documents of the same sender that one prompt of the app signs. */
    also: z._default(
      z.array(z.object({ signingRequestId: Id, pointId: Id })).check(z.maxLength(mostInPackage - 1)),
      [],
    ),
  }),
  result: z.object({
    id: CrosslinkId,
    expiresAt: Moment,
    /** The text of the QR code, and its path in a square picture of this size. */
    code: z.string(),
    qr: z.object({ size: z.int(), path: z.string() }),
    links: z.object({ eGovMobile: z.url(), eGovBusiness: z.url() }),
    /** The page of the demo that stands in for the phone. */
    standInUrl: z.nullable(z.url()),
  }),
  refusals: [
    ...actRefusals,
    'point-not-found',
    'point-already-processed',
    'process-wrong-order',
    'signature-being-checked',
    'key-not-taken',
    'mobile-pdf-only',
    'mobile-not-inside',
    'mobile-one-sender',
    'mobile-too-large',
    'signature-not-checked',
  ],
  perMinute: 30,
})

/** Polled by the dialog that shows the code. */
export const getCrosslinks = endpoint({
  method: 'GET',
  path: '/api/mgovSign/:organizationId/crosslinks/:crosslinkId',
  access: 'party',
  summary: 'How far the phone has come; only whoever asked for the code is told',
  input: z.extend(OfOrganization, { crosslinkId: CrosslinkId }),
  result: z.object({
    id: CrosslinkId,
    signingRequestId: Id,
    pointId: Id,
    expiresAt: Moment,
    /** new → opened (meta) → the document is fetched (data) → done | canceled | fail; or expired. */
    state: z.enum(mobileStates),
    /** Once it is done: the received signature and its state. */
    signature: SignatureState,
    /** The further documents of the same code. */
    also: z.array(z.object({ signingRequestId: Id, signature: SignatureState })),
    /** Why it failed before a signature was received. */
    refusal: z.nullable(z.object({ alias: z.string(), parameters: z.record(z.string(), z.unknown()) })),
  }),
  refusals: ['mobile-signing-not-found'],
})
