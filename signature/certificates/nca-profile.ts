/**
 * The owner of a certificate of the national certification centre, and the use of its key. A signature binds the person
 * these attributes name, so a number counts only if there is exactly one, in its only form and place; anything else
 * counts as none.
 */
import { MalformedError } from '../asn1/read.ts'
import { extensionOids, type Certificate } from './certificate.ts'
import { readGeneralNames } from './general-names.ts'
import { nameOids, textsIn } from './names.ts'

export type NcaProfile = {
  /** Surname and first name, or the name of an information system. */
  commonName: string | null
  surname: string | null
  /** The patronymic: the centre writes it where others have the first name. */
  givenName: string | null
  iin: string | null
  bin: string | null
  /** The name claims a number of an organisation, but in another form or more than once. */
  hasUnclearBin: boolean
  organization: string | null
  /** Object identifier of an information system. */
  systemId: string | null
  email: string | null
  roles: readonly NcaRole[]
  keyUse: 'signature' | 'authentication' | 'both' | 'neither'
}

export type NcaRole =
  | 'individual'
  | 'legal-entity'
  | 'head'
  | 'signing-right'
  | 'financial-signing-right'
  | 'human-resources'
  | 'employee'
  | 'information-system'
  | 'centre-administrator'
  | 'centre-manager'
  | 'centre-operator'
  | 'treasury-client'
  | 'notary'

const rolesByOid: Record<string, NcaRole> = {
  '1.2.398.3.3.4.1.1': 'individual',
  '1.2.398.3.3.4.1.1.1': 'information-system',
  '1.2.398.3.3.4.1.2': 'legal-entity',
  '1.2.398.3.3.4.1.2.1': 'head',
  '1.2.398.3.3.4.1.2.2': 'signing-right',
  '1.2.398.3.3.4.1.2.3': 'financial-signing-right',
  '1.2.398.3.3.4.1.2.4': 'human-resources',
  '1.2.398.3.3.4.1.2.5': 'employee',
  '1.2.398.3.3.4.1.2.6': 'information-system',
  '1.2.398.3.3.4.2.1': 'centre-administrator',
  '1.2.398.3.3.4.2.2': 'centre-manager',
  '1.2.398.3.3.4.2.3': 'centre-operator',
  '1.2.398.5.19.1.2.2.1': 'treasury-client',
  '1.2.398.6.1.1.1.1': 'notary',
}
/** Each system of a legal entity may have an identifier of its own below this one. */
const systemPrefix = '1.2.398.3.3.4.1.2.6.'

export function ncaProfile(certificate: Certificate): NcaProfile {
  const { subject } = certificate
  const texts = (kind: keyof typeof nameOids) => textsIn(subject, nameOids[kind])
  // organisations have units, too; only units that look like a BIN are compared
  const numbers = texts('organizationalUnit').filter(looksLikeBin)
  const bin = numberIn(numbers, /^BIN([0-9]{12})$/)
  return {
    commonName: only(texts('commonName')),
    surname: only(texts('surname')),
    givenName: only(texts('givenName')),
    iin: numberIn(texts('serialNumber'), /^IIN([0-9]{12})$/),
    bin,
    hasUnclearBin: bin === null && numbers.length > 0,
    organization: only(texts('organization')),
    systemId: only(texts('userId')),
    email: only(alternativeEmails(certificate)) ?? only(texts('email')),
    roles: rolesOf(certificate),
    keyUse: keyUseOf(certificate),
  }
}

function only(texts: readonly string[]): string | null {
  return texts.length === 1 ? texts[0]! || null : null
}

function numberIn(texts: readonly string[], form: RegExp): string | null {
  return form.exec(only(texts) ?? '')?.[1] ?? null
}

/**
 * Whether a text looks like a BIN, also with other digits, another case, or look-alike characters of another
 * alphabet.
 */
function looksLikeBin(text: string): boolean {
  return /^\s*[bв][iіı1][nп]/iu.test(text.normalize('NFKC')) || /\p{Nd}{12}/u.test(text)
}

function alternativeEmails({ extensions }: Certificate): string[] {
  const extension = extensions.get(extensionOids.subjectAltName)
  if (!extension) return []
  try {
    return readGeneralNames(extension.value).flatMap((name) => (name.form === 'email' ? [name.text] : []))
  } catch (error) {
    if (error instanceof MalformedError) return []
    throw error
  }
}

function rolesOf({ extendedKeyUsage }: Certificate): NcaRole[] {
  return [...new Set((extendedKeyUsage ?? []).flatMap((oid) => roleNamed(oid) ?? []))]
}

/** Null: the key use is not a role. */
export function roleNamed(oid: string): NcaRole | null {
  return oid.startsWith(systemPrefix) ? 'information-system' : (rolesByOid[oid] ?? null)
}

const gost2015Signature = '1.2.398.3.10.1.1.2.3.2'
const clientAuthentication = '1.3.6.1.5.5.7.3.2'

/**
 * The uses as the centre's own library distinguishes them: since GOST 34.10-2015 one key serves for signing in and
 * for signing.
 */
function keyUseOf({ keyUsage, extendedKeyUsage, signatureAlgorithm }: Certificate): NcaProfile['keyUse'] {
  const has = (use: 'digitalSignature' | 'nonRepudiation' | 'keyEncipherment') => keyUsage?.has(use) === true
  const isForSignature = has('digitalSignature') && has('nonRepudiation')
  const isForBoth = isForSignature && signatureAlgorithm.oid === gost2015Signature
  const isForAuthentication =
    has('digitalSignature') &&
    has('keyEncipherment') &&
    extendedKeyUsage?.includes(clientAuthentication) === true
  if (isForBoth || (isForSignature && isForAuthentication)) return 'both'
  if (isForSignature) return 'signature'
  return isForAuthentication ? 'authentication' : 'neither'
}
