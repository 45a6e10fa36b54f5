/** Access codes, and what their holder sees without signing in (docs/product/verify.md#q-12). */
import * as z from 'zod/mini'
import { documentFormats } from '../documents/formats.ts'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { Email, Id, Moment, Nothing, OfOrganization } from '../fields.ts'
import { readCode } from './access-code.ts'
import { SignatureView } from './contract.ts'
import { OneStatus, Sender } from './parts.ts'

/** New codes to be printed: only their hashes are stored. Earlier ones stay valid. */
export const makeAccessCodes = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/accessCodes',
  access: 'member',
  summary: 'New codes of a request, of the kinds that its author has chosen',
  perMinute: 10,
  input: z.extend(OfOrganization, { signingRequestId: Id }),
  result: z.object({
    /** Null if this kind is not chosen. */
    letters: z.nullable(z.string()),
    link: z.nullable(z.string()),
    validUntil: z.nullable(z.iso.date()),
  }),
  refusals: ['signing-request-not-found', 'improper-role'],
})

export const mostCopies = 10

/** Sends an e-mail to each address; its link shows the document and its signatures to anybody who has the link. */
export const sendCopies = endpoint({
  method: 'POST',
  path: '/api/SigningRequests/:organizationId/copies',
  access: 'member',
  summary: 'Sends a link to a completed document and its signatures by e-mail',
  perMinute: 10,
  input: z.extend(OfOrganization, {
    signingRequestId: Id,
    emails: z.array(Email).check(z.minLength(1, 'required'), z.maxLength(mostCopies, 'too-many')),
  }),
  result: Nothing,
  refusals: [
    'signing-request-not-found',
    'improper-role',
    'request-not-completed',
    'organization-not-confirmed',
    'access-code-date-past',
    'address-refuses-emails',
    'email-limit-reached',
  ],
})

/**
 * QR codes have a limit of their own: they cannot be guessed, so mistyped codes in the same office must not delay
 * them.
 */
export const qrCodesApart: NonNullable<Endpoint['limitApart']> = ({ code }) =>
  typeof code === 'string' && readCode(code)?.kind === 'qr' ? { counter: 'qr', perMinute: 120 } : null

const Held = z.object({ signingRequestId: Id, code: z.string().check(z.maxLength(100)) })

export const HeldRequest = z.object({
  id: Id,
  name: z.string(),
  status: OneStatus,
  signingDate: z.iso.date(),
  organization: Sender,
  document: z.object({
    fileName: z.string(),
    format: z.enum(documentFormats),
    size: z.int(),
    sha256: z.string(),
  }),
  /** Null if it does not expire. */
  validUntil: z.nullable(z.iso.date()),
  /** Accepted signatures, in order of receipt. */
  signatures: z.array(
    z.object({
      id: Id,
      side: z.object({ name: z.string(), bin: z.string() }),
      receivedAt: Moment,
      checkedAt: SignatureView.shape.checkedAt,
      verdict: SignatureView.shape.verdict,
      certificate: SignatureView.shape.certificate,
      power: SignatureView.shape.power,
    }),
  ),
})

/**
 * The code is in the body, because addresses are logged. Without a request it is searched among all requests. Wrong
 * codes delay the next try of the same network.
 */
export const openByCode = endpoint({
  method: 'POST',
  path: '/api/unauth/SigningRequests/byCode',
  access: 'anyone',
  summary: 'The document, its signatures and what their check found, for the holder of a code',
  perMinute: 20,
  limitApart: qrCodesApart,
  input: z.extend(Held, { signingRequestId: z.optional(Id) }),
  result: HeldRequest,
  refusals: ['access-denied'],
})

export const downloadByCode = endpoint({
  method: 'POST',
  path: '/api/unauth/SigningRequests/byCode/document',
  access: 'anyone',
  summary: 'The document that was signed, byte for byte, for the holder of a code',
  perMinute: 20,
  limitApart: qrCodesApart,
  givesFile: true,
  input: Held,
  result: Nothing,
  refusals: ['access-denied', 'file-not-found', 'outdated-document', 'file-storage-error'],
})
