/** The responses of a service to the app (API 1 and API 2), and what the app shows of them. */
import type { Language } from '@kelisim/texts/languages.ts'
import * as z from 'zod/mini'
import { PhoneError } from './phone-error.ts'

const Names = { nameRu: z.string(), nameKz: z.string(), nameEn: z.string() }

const Introduction = z.object({
  description: z.string(),
  expiry_date: z.string(),
  organisation: z.object({ ...Names, bin: z.string() }),
  document: z.object({ uri: z.string(), auth_type: z.string(), auth_token: z.optional(z.string()) }),
})

export type Named = { nameRu: string; nameKz: string; nameEn: string }

export type Introduction = {
  description: string
  expiresAt: Date
  organisation: Named & { bin: string }
  documentsAt: URL
  auth: { type: 'None' } | { type: 'Eds' } | { type: 'Token'; token: string }
}

export function readIntroduction(answer: unknown, now: Date): Introduction {
  const { description, expiry_date, organisation, document } = parsed(Introduction, answer)
  const expiresAt = expiryOf(expiry_date)
  if (!expiresAt) throw new PhoneError('malformed', 'expiry_date')
  if (!URL.canParse(document.uri)) throw new PhoneError('malformed', 'document.uri')
  const auth = authOf(document.auth_type, document.auth_token)
  if (expiresAt <= now) throw new PhoneError('expired')
  return { description, expiresAt, organisation, documentsAt: new URL(document.uri), auth }
}

/** yyyy-MM-dd'T'HH:mm:ss.SSSz, with fewer fractional digits as in the operator's own examples. */
function expiryOf(text: string): Date | null {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{1,3})(?:Z|([+-]\d{2}):?(\d{2}))$/.exec(text)
  const date = match && new Date(match[1]! + (match[2] === undefined ? 'Z' : `${match[2]}:${match[3]}`))
  return date && !Number.isNaN(date.getTime()) ? date : null
}

function authOf(type: string, token: string | undefined): Introduction['auth'] {
  switch (type) {
    case 'None':
    case 'Eds':
      return { type }
    case 'Token':
      if (token === undefined || token === '') throw new PhoneError('no-token')
      return { type, token }
    default:
      throw new PhoneError('unknown-auth', type)
  }
}

export const signMethods = ['XML', 'CMS_WITH_DATA', 'CMS_SIGN_ONLY', 'SIGN_BYTES_ARRAY'] as const
export type SignMethod = (typeof signMethods)[number]

const DocumentToSign = z.object({
  ...Names,
  id: z.int(),
  signMethod: z.optional(z.string()),
  meta: z.optional(z.array(z.object({ name: z.string(), value: z.string() }))),
  documentXml: z.optional(z.string()),
  document: z.optional(z.object({ file: z.object({ mime: z.string(), data: z.string() }) })),
})

const Documents = z.object({
  signMethod: z.string(),
  version: z.optional(z.literal(1)),
  documentsToSign: z.array(DocumentToSign).check(z.minLength(1)),
})

export type PhoneDocument = Named & {
  id: number
  method: SignMethod
  meta: { name: string; value: string }[]
  /** The signed content; for XML its text. */
  content: Uint8Array
  mime: string
  shownAs: 'text' | 'pdf' | null
}

export type Documents = {
  /** As received, to be sent back with only the signatures changed. */
  received: ReceivedDocuments
  documents: PhoneDocument[]
}

/** Only the fields that the app changes; all others stay. */
export type ReceivedDocuments = {
  documentsToSign: { documentXml?: string; document?: { file: { mime: string; data: string } } }[]
}

export function readDocuments(answer: unknown): Documents {
  const { signMethod, documentsToSign } = parsed(Documents, answer)
  const documents = documentsToSign.map((document, i) => {
    const method = methodOf(signMethod === 'MIX_SIGN' ? (document.signMethod ?? '') : signMethod)
    const { id, nameRu, nameKz, nameEn, meta = [] } = document
    const { content, mime } = contentOf(document, method, `documentsToSign.${i}`)
    return { id, nameRu, nameKz, nameEn, method, meta, content, mime, shownAs: shownAs(mime, method) }
  })
  // the form was checked above
  return { received: answer as ReceivedDocuments, documents }
}

function methodOf(name: string): SignMethod {
  const method = signMethods.find((one) => one === name)
  if (!method) throw new PhoneError('unknown-method', name)
  return method
}

function contentOf(
  { documentXml, document }: z.infer<typeof DocumentToSign>,
  method: SignMethod,
  place: string,
): { content: Uint8Array; mime: string } {
  if (method === 'XML') {
    if (documentXml === undefined) throw new PhoneError('malformed', `${place}.documentXml`)
    return { content: Buffer.from(documentXml), mime: 'application/xml' }
  }
  if (!document) throw new PhoneError('malformed', `${place}.document`)
  const { mime, data } = document.file
  // the operator's example of this method has plain texts
  const isPlain = method === 'SIGN_BYTES_ARRAY' && (mime === 'text/plain' || mime === 'application/xml')
  if (isPlain) return { content: Buffer.from(data), mime }
  const digits = data.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(digits) || digits.length % 4 !== 0) {
    throw new PhoneError('malformed', `${place}.document.file.data`)
  }
  return { content: Buffer.from(digits, 'base64'), mime }
}

/** How the app shows a document; null: it can be signed but is not shown, such as XML with any other method. */
function shownAs(mime: string, method: SignMethod): PhoneDocument['shownAs'] {
  if (mime === 'text/plain') return 'text'
  if (mime === 'application/pdf' || mime === '@file/pdf') return 'pdf'
  return mime === 'application/xml' && method === 'SIGN_BYTES_ARRAY' ? 'text' : null
}

export function nameIn(language: Language, named: Named): string {
  const names = { ru: named.nameRu, kk: named.nameKz, en: named.nameEn }
  return names[language] || named.nameRu
}

function parsed<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const result = schema.safeParse(answer)
  if (result.success) return result.data
  throw new PhoneError('malformed', result.error.issues[0]?.path.join('.') ?? '')
}
