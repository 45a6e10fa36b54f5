/** Whose certificate a signature was made with, and what follows from it. */
import type { Fault } from './verdict.ts'

/** As the national certificates say it. */
export type CertificateOwner = {
  /** Surname and first name. */
  commonName: string | null
  surname: string | null
  /** The patronymic. */
  givenName: string | null
  iin: string | null
  bin: string | null
  organization: string | null
  email: string | null
  roles: readonly string[]
  keyUse: 'signature' | 'authentication' | 'both' | 'neither'
}

/** Why this key does not let its owner in. A key of 2015 serves for signing and for coming in, older ones for one. */
export function loginFaults({ iin, keyUse }: CertificateOwner): Fault[] {
  return [
    ...(iin === null ? (['iin-not-in-certificate'] as const) : []),
    ...(keyUse === 'authentication' || keyUse === 'both' ? [] : (['certificate-not-for-login'] as const)),
  ]
}

/** Why this key does not speak for its organisation: that is for the head and for those with the right of signature. */
export function headFaults({ bin, roles }: CertificateOwner): Fault[] {
  if (bin === null) return ['bin-not-in-certificate']
  return roles.some((role) => role === 'head' || role === 'signing-right')
    ? []
    : ['not-entitled-for-organization']
}

/** Certificates shout; people are called Серікова Айгерім Нұрланқызы. */
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
