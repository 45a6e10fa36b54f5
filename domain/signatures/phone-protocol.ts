/**
 * The protocol between the national mobile app (eGov Mobile, eGov Business) and a service that requests signatures.
 * It is the same for signing in and for signing documents; upper and lower case in names are those of the app's
 * operator.
 *
 *   code or link ──▶ GET API 1: introduction ──▶ GET API 2: documents ──▶ PUT API 2: the same, signed or CANCELED
 */
import * as z from 'zod/mini'

/** A detached signature: the response stays small, and is checked against our own copy of the bytes. */
const signMethod = 'CMS_SIGN_ONLY'

/** More than one code signs; no member of a longer list is looked at. */
const mostDocuments = 100

/**
 * The text of the QR code. The address contains `mgovSign`, without which the app does not open it, and has no query.
 */
export function phoneCode(entry: string): string {
  return `mobileSign:${entry}`
}

/** The link that opens the app when the page itself is on the phone. */
export function launchLink(app: 'mobileSign' | 'businessSign', entry: string): string {
  return `https://m.egov.kz/${app}/?link=${encodeURIComponent(entry)}`
}

export type InThreeLanguages = { nameRu: string; nameKz: string; nameEn: string }

export function introduction(input: {
  description: string
  expiresAt: Date
  organisation: InThreeLanguages & { bin: string }
  documentsAt: string
  token: string
}) {
  return {
    description: input.description,
    expiry_date: input.expiresAt.toISOString(),
    organisation: input.organisation,
    document: { uri: input.documentsAt, auth_type: 'Token', auth_token: input.token },
  }
}

export type DocumentToSign = InThreeLanguages & {
  meta: { name: string; value: string }[]
  mime: 'text/plain' | 'application/pdf'
  /** base64 */
  data: string
}

/** The documents for API 2; one key prompt of the app serves all of them. */
export function documentsToSign(documents: readonly DocumentToSign[]) {
  return {
    signMethod,
    version: 1,
    documentsToSign: documents.map(({ mime, data, ...shown }, i) => ({
      id: i + 1,
      ...shown,
      document: { file: { mime, data } },
    })),
  }
}

const SignedDocument = z.object({
  id: z.int(),
  document: z.object({ file: z.object({ data: z.string() }) }),
})
const PhoneResponse = z.object({
  status: z.optional(z.string()),
  signMethod: z.optional(z.literal(signMethod)),
  documentsToSign: z.optional(z.array(SignedDocument).check(z.maxLength(mostDocuments))),
})

/** The signatures in the order of the `count` documents. Null: this is not a response to the request. */
export function readPhoneResponse(body: unknown, count = 1): 'canceled' | { data: string[] } | null {
  const answer = PhoneResponse.safeParse(body).data
  if (answer?.status === 'CANCELED') return 'canceled'
  const signed = (answer?.documentsToSign ?? []).toSorted((one, other) => one.id - other.id)
  if (signed.length !== count || signed.some(({ id }, i) => id !== i + 1)) return null
  return { data: signed.map(({ document }) => document.file.data) }
}

export const phoneSuccess = { status: 'success', message: 'success' } as const
