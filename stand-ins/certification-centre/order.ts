/** What a person orders at the centre, and how the certificate reflects it (name, uses and roles). */
import { isTwelveDigits } from '@kelisim/domain/numbers.ts'
import type { KeyUse } from '@kelisim/signature/certificates/certificate.ts'
import { makeName } from '@kelisim/signature/signer/extensions.ts'
import type { Bytes } from '@kelisim/signature/signer/keys.ts'
import { families, type FamilyKind } from './families.ts'

export type Order = {
  kind: FamilyKind
  /** Keys of GOST 34.10-2015 serve for both, whatever is ordered. */
  use?: 'signature' | 'authentication'
  person: {
    surname: string
    firstName: string
    patronymic?: string | null
    iin: string
    email?: string
  }
  organization?: { name: string; bin: string; role: OrganizationRole }
  /** The password of the key file, in the form the desktop program requires. */
  password: string
  /** By default now, and a year later. */
  notBefore?: Date
  notAfter?: Date
}

export const organizationRoles = [
  'head',
  'signing-right',
  'financial-signing-right',
  'human-resources',
  'employee',
] as const
export type OrganizationRole = (typeof organizationRoles)[number]

/** The order cannot be fulfilled, and why. */
export class OrderError extends Error {}

const passwordForm = /^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9]).{6,32}$/s

export function checkOrder({ kind, use, person, organization, password, notBefore, notAfter }: Order): void {
  const refuse = (why: string) => {
    throw new OrderError(why)
  }
  if (use === 'authentication' && families[kind].files.authentication === null) {
    refuse(`Keys of the kind ${kind} are for signing only: people sign in with their RSA keys`)
  }
  if (!isTwelveDigits(person.iin)) refuse('The IIN has twelve digits')
  if (person.surname.trim() === '' || person.firstName.trim() === '') {
    refuse('A person has a surname and a first name')
  }
  if (person.email !== undefined && !/^[\x21-\x7e]+@[\x21-\x7e]+$/.test(person.email)) {
    refuse('An e-mail address is written in Latin letters, with an @')
  }
  if (organization && !isTwelveDigits(organization.bin)) refuse('The BIN has twelve digits')
  if (organization && organization.name.trim() === '') refuse('An organisation has a name')
  if (!passwordForm.test(password)) {
    refuse('A password has 6 to 32 characters: a small letter, a capital one and a digit among them')
  }
  if (notBefore && notAfter && notBefore >= notAfter) refuse('It ends before it begins')
}

/** The first name is only in the common name after the surname; the givenName attribute holds the patronymic. */
export function subjectOf({ person, organization }: Order): Bytes {
  const surname = person.surname.trim().toUpperCase()
  const patronymic = person.patronymic?.trim().toUpperCase()
  return makeName({
    commonName: `${surname} ${person.firstName.trim().toUpperCase()}`,
    surname,
    serialNumber: `IIN${person.iin}`,
    country: 'KZ',
    ...(organization && {
      organization: organization.name.trim(),
      organizationalUnit: `BIN${organization.bin}`,
    }),
    ...(patronymic && { givenName: patronymic }),
  })
}

const emailProtection = '1.3.6.1.5.5.7.3.4'
const clientAuthentication = '1.3.6.1.5.5.7.3.2'
const individual = '1.2.398.3.3.4.1.1'
const legalEntity = '1.2.398.3.3.4.1.2'

export type Purpose = { uses: KeyUse[]; extendedUses: string[]; policy: string }

/** The use and the roles of the key, as at the national centre: the tests compare them with real certificates. */
export function purposeOf({ kind, use = 'signature', organization }: Order): Purpose {
  const roles = organization
    ? [legalEntity, `${legalEntity}.${organizationRoles.indexOf(organization.role) + 1}`]
    : [individual]
  if (kind === 'gost-kz-512') {
    return {
      uses: ['digitalSignature', 'nonRepudiation', 'keyAgreement'],
      extendedUses: [emailProtection, ...roles],
      policy: '1.2.398.3.3.2',
    }
  }
  if (use === 'authentication') {
    return {
      uses: ['digitalSignature', 'keyEncipherment'],
      extendedUses: [clientAuthentication, ...roles],
      policy: organization ? '1.2.398.3.3.2.2' : '1.2.398.3.3.2.4',
    }
  }
  return {
    uses: ['digitalSignature', 'nonRepudiation'],
    extendedUses: [emailProtection, ...roles],
    policy: organization ? '1.2.398.3.3.2.1' : '1.2.398.3.3.2.3',
  }
}

export function fileNameOf({ kind, use = 'signature' }: Order, keyId: string): string {
  return `${families[kind].files[use]}_${keyId}.p12`
}
