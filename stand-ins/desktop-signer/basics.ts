/** The module kz.gov.pki.knca.basics: named arguments, responses {status, body} or {status, code, message, details}. */
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import { readCertificate, type Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { derOf } from '@kelisim/signature/asn1/pem.ts'
import { pem } from '../shared/pem.ts'
import { readXml } from '../shared/xml/read-xml.ts'
import { signXml } from '../shared/xml/sign-xml.ts'
import { XmlError } from '../shared/xml/xml-error.ts'
import type { KeyDemands } from './prompting/key-demands.ts'
import { ProgramError } from './prompting/program-error.ts'
import { decodedBase64, fileStorage, languageCalled, type Caller, type Program } from './program.ts'
import type { Act, OwnKey } from './prompting/prompts.ts'
import { signDocument } from './sign-documents.ts'

export type BasicsAnswer =
  | { body: { result?: unknown }; status: true }
  | { code: BasicsCode; details: string; message: string; status: false }

export type BasicsCode = 'INVALID_SIGNING_PARAMS' | 'SIGNING_FAILURE' | 'INVOCATION_ERROR' | 'GENERAL_ERROR'

const messages: Record<BasicsCode, string> = {
  INVALID_SIGNING_PARAMS: 'Invalid signing params.',
  SIGNING_FAILURE: 'Signing failure.',
  INVOCATION_ERROR: 'An invoked method threw an exception.',
  GENERAL_ERROR: 'General error.',
}

class BasicsError extends Error {
  readonly code: BasicsCode

  constructor(code: BasicsCode, details: string) {
    super(details)
    this.code = code
  }
}

export async function basics(
  method: string,
  args: unknown,
  program: Program,
  caller: Caller,
): Promise<BasicsAnswer> {
  try {
    if (method !== 'sign')
      throw new BasicsError('INVOCATION_ERROR', `java.lang.NoSuchMethodException: ${method}`)
    const result = await sign(readOrder(args), program, caller)
    return { body: result === null ? {} : { result }, status: true }
  } catch (error) {
    if (error instanceof BasicsError) return failed(error.code, error.message)
    if (error instanceof ProgramError || error instanceof XmlError) {
      return failed('SIGNING_FAILURE', error.message)
    }
    throw error
  }
}

export function failed(code: BasicsCode, details: string): BasicsAnswer {
  return { code, details, message: messages[code], status: false }
}

type Format = 'cms' | 'xml' | 'raw'

type Order = {
  storages: readonly string[] | null
  format: Format
  documents: readonly string[]
  decode: boolean
  isAttached: boolean
  isDigest: boolean
  hasTimestamp: boolean
  outputsCertificate: boolean
  demands: KeyDemands
  locale: string
}

/** Null: the person cancelled. */
async function sign(order: Order, program: Program, caller: Caller): Promise<unknown> {
  const { format, documents } = order
  const bytes = documents.map((document) =>
    order.decode ? decodedBase64(document) : new TextEncoder().encode(document),
  )
  const xmls = format === 'xml' ? bytes.map((one) => new TextDecoder().decode(one)) : []
  for (const xml of xmls) readXml(xml)

  const usable = [fileStorage, ...program.tokens]
  const answer = await program.ask(
    {
      act: actOf(order),
      origin: caller.origin,
      documents: documents.length,
      bytes: bytes.reduce((sum, one) => sum + one.length, 0),
      isAttached: order.isAttached,
      hasTimestamp: order.hasTimestamp,
      language: languageCalled(order.locale) ?? caller.language,
      demands: order.demands,
      extension: null,
      hasStorage: order.storages === null || order.storages.some((storage) => usable.includes(storage)),
    },
    caller.signal,
  )
  if (answer === 'cancelled' || !('key' in answer)) return null
  const { key } = answer
  switch (format) {
    case 'cms':
      return eachOf(bytes, async (document) => pem('CMS', await cmsOver(document, key, order, program)))
    case 'xml':
      return eachOf(xmls, (xml) => signXml(xml, key, 'compact'))
    case 'raw': {
      const signatures = await eachOf(bytes, async (document) =>
        Buffer.from(await key.key.sign(document)).toString('base64'),
      )
      return {
        signatures,
        ...(order.outputsCertificate && { certificate: pem('CERTIFICATE', key.certificate.der) }),
      }
    }
  }
}

function actOf({ format, isDigest }: Order): Act {
  if (format === 'cms') return isDigest ? 'sign-digest' : 'sign-cms'
  return format === 'xml' ? 'sign-xml' : 'sign-raw'
}

function cmsOver(document: Uint8Array, key: OwnKey, order: Order, program: Program): Promise<Uint8Array> {
  const { isAttached, isDigest, hasTimestamp } = order
  const stamp = hasTimestamp ? program.stamp : null
  return signDocument(document, key, { isAttached, isDigest, stamp, signingTime: program.now() })
}

async function eachOf<T, R>(items: readonly T[], make: (item: T) => Promise<R>): Promise<R[]> {
  const made: R[] = []
  for (const item of items) made.push(await make(item))
  return made
}

type Fields = Record<string, unknown>

const maxLogo = 50_000

function readOrder(args: unknown): Order {
  if (!isFields(args)) throw notAn('args', 'JSONObject')
  const signing = fieldsAt(args, 'signingParams')
  const signer = fieldsAt(args, 'signerParams')
  const format = formatOf(textAt(args, 'format'))
  const isDigest = flagAt(signing, 'digested', false)
  // the program cannot attach a document of which it has only the digest
  if (isDigest && (format !== 'cms' || flagAt(signing, 'encapsulate', true))) {
    throw new BasicsError('INVALID_SIGNING_PARAMS', 'digested')
  }
  if (optionalText(args, 'logo').length > maxLogo) throw new BasicsError('INVALID_SIGNING_PARAMS', 'logo')
  return {
    storages: isGiven(args, 'allowedStorages') ? textsAt(args, 'allowedStorages') : null,
    format,
    documents: documentsOf(args),
    decode: flagAt(signing, 'decode', false),
    isAttached: format === 'xml' || (format === 'cms' && flagAt(signing, 'encapsulate', true)),
    isDigest,
    hasTimestamp: isGiven(signing, 'tsaProfile') && isFields(fieldsAt(signing, 'tsaProfile')),
    outputsCertificate: flagAt(signing, 'outputCert', false),
    demands: {
      use: 'any',
      extendedKeyUsage: textsAt(signer, 'extKeyUsageOids'),
      iin: optionalText(signer, 'iin'),
      bin: optionalText(signer, 'bin'),
      serialNumber: optionalText(signer, 'serialNumber'),
      issuedBy: isGiven(signer, 'chain') ? chainOf(textsAt(signer, 'chain')) : 'known centres',
      allowsExpired: flagAt(signing, 'allowExpired', false),
    },
    locale: optionalText(args, 'locale'),
  }
}

function formatOf(text: string): Format {
  if (text === 'cms' || text === 'xml' || text === 'raw') return text
  throw new BasicsError('INVALID_SIGNING_PARAMS', 'format')
}

function documentsOf(args: Fields): string[] {
  const { data } = args
  if (data === undefined) throw notFound('data')
  const documents = Array.isArray(data) ? textsAt(args, 'data') : [textAt(args, 'data')]
  if (documents.length === 0) throw new BasicsError('INVALID_SIGNING_PARAMS', 'data')
  return documents
}

/** An empty list of centres means any. */
function chainOf(pems: readonly string[]): KeyDemands['issuedBy'] {
  return pems.length === 0 ? 'anybody' : pems.map(certificateIn)
}

function certificateIn(text: string): Certificate {
  try {
    return readCertificate(derOf(new TextEncoder().encode(text)))
  } catch (error) {
    if (error instanceof MalformedError) throw new BasicsError('INVALID_SIGNING_PARAMS', 'chain')
    throw error
  }
}

const notFound = (name: string) =>
  new BasicsError('INVOCATION_ERROR', `org.json.JSONException: JSONObject["${name}"] not found.`)
const notAn = (name: string, kind: string) =>
  new BasicsError('INVOCATION_ERROR', `org.json.JSONException: JSONObject["${name}"] is not a ${kind}.`)

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Null counts as absent, because the client library sends it for "all". */
function isGiven(fields: Fields, name: string): boolean {
  return fields[name] !== undefined && fields[name] !== null
}

function fieldsAt(fields: Fields, name: string): Fields {
  const value = fields[name]
  if (value === undefined) throw notFound(name)
  if (!isFields(value)) throw notAn(name, 'JSONObject')
  return value
}

function textAt(fields: Fields, name: string): string {
  const value = fields[name]
  if (value === undefined) throw notFound(name)
  if (typeof value !== 'string') throw notAn(name, 'string')
  return value
}

function optionalText(fields: Fields, name: string): string {
  return isGiven(fields, name) ? textAt(fields, name) : ''
}

function textsAt(fields: Fields, name: string): string[] {
  const value: unknown = fields[name]
  if (value === undefined) throw notFound(name)
  if (!Array.isArray(value)) throw notAn(name, 'JSONArray')
  return value.map((item, i) => {
    if (typeof item !== 'string') throw notAn(`${name}[${i}]`, 'string')
    return item
  })
}

function flagAt(fields: Fields, name: string, absent: boolean): boolean {
  if (!isGiven(fields, name)) return absent
  const value = fields[name]
  if (typeof value !== 'boolean') throw notAn(name, 'Boolean')
  return value
}
