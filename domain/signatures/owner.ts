/** The owner of a signer's certificate, and what follows from it. */
import type { Fault } from './verdict.ts'

/** The owner as named in national certificates. */
export type CertificateOwner = {
  /** Surname and first name. */
  commonName: string | null
  surname: string | null
  /** The patronymic. */
  givenName: string | null
  iin: string | null
  bin: string | null
  /** The certificate claims to have the number of an organisation, but it cannot be read. */
  hasUnclearBin?: boolean
  organization: string | null
  email: string | null
  roles: readonly string[]
  keyUse: 'signature' | 'authentication' | 'both' | 'neither'
}

/**
 * Why this key cannot be used to sign in. GOST 34.10-2015 keys serve for signing and signing in, older keys for only
 * one of the two.
 */
export function loginFaults({ iin, keyUse }: CertificateOwner): Fault[] {
  return [
    ...(iin === null ? (['iin-not-in-certificate'] as const) : []),
    ...(keyUse === 'authentication' || keyUse === 'both' ? [] : (['certificate-not-for-login'] as const)),
  ]
}

const rolesInOrganization = new Set([
  'legal-entity',
  'head',
  'signing-right',
  'financial-signing-right',
  'human-resources',
  'employee',
])

/**
 * Whether the key was issued to an organisation, even if its number cannot be read; such a key is not a personal one.
 */
export function isOfOrganization({
  bin,
  hasUnclearBin = false,
  roles,
}: Pick<CertificateOwner, 'bin' | 'hasUnclearBin' | 'roles'>): boolean {
  return bin !== null || hasUnclearBin || roles.some((role) => rolesInOrganization.has(role))
}

/** Why this key cannot represent its organisation; only keys of the head and of people with the signing right can. */
export function headFaults({ bin, roles }: CertificateOwner): Fault[] {
  if (bin === null) return ['bin-not-in-certificate']
  return roles.some((role) => role === 'head' || role === 'signing-right')
    ? []
    : ['not-entitled-for-organization']
}

/** The name with normal capitals, like Серікова Айгерім Нұрланқызы; certificates only use capital letters. */
export function fullNameOf({ commonName, givenName }: CertificateOwner): string {
  return [commonName, givenName]
    .flatMap((part) => (part === null ? [] : part.trim().split(/\s+/)))
    .filter((word) => word !== '')
    .map(capitalized)
    .join(' ')
}

function capitalized(word: string): string {
  return word
    .split('-')
    .map((part) => part.slice(0, 1).toLocaleUpperCase('kk') + part.slice(1).toLocaleLowerCase('kk'))
    .join('-')
}
