/** What a sign-in service says about the person who signed in, parsed strictly: a malformed number is dropped. */
import type * as oidc from 'openid-client'
import { z } from 'zod'
import { longestEmail } from '@kelisim/domain/email-address.ts'
import { isTwelveDigits } from '@kelisim/domain/numbers.ts'
import { withoutUnseen } from '@kelisim/domain/visible-text.ts'
import { givenKeys, type GivenKey } from '@kelisim/domain/points/key-holder.ts'
import { isLanguage, type Language } from '@kelisim/texts/languages.ts'

/**
 * The product's own scope: the numbers that a person proved by a digital signature. Other services may not know it.
 */
const numbersScope = 'kz'
const groupsScope = 'groups'

export type SignedIn = {
  issuer: string
  subject: string
  sid: string | null
  idToken: string | null
  fullName: string
  language: Language | null
  /** All claims of the service, unchanged; those of the signed token take precedence. */
  told: Readonly<Record<string, unknown>>
}

export type AccountClaims = SignedIn & {
  isOutsider: false
  login: string
  email: string
  isEmailConfirmed: boolean
  iin: string | null
}

export type OutsiderClaims = SignedIn & {
  isOutsider: true
  iin: string
  bin: string | null
  organization: string | null
  givenKey: GivenKey
}

export type Claims = AccountClaims | OutsiderClaims

export function scopeFor(configuration: oidc.Configuration): string {
  const known = configuration.serverMetadata().scopes_supported ?? []
  // Some services report groups only if the scope asks for them.
  const asked = [numbersScope, groupsScope].filter((scope) => known.includes(scope))
  return ['openid', 'profile', 'email', ...asked].join(' ')
}

/**
 * Throws on claims that cannot be trusted. Numbers from a service that does not know the scope `kz` mean something
 * else.
 */
export function claimsIn(
  configuration: oidc.Configuration,
  id: oidc.IDToken,
  info: unknown,
  idToken: string | null,
): Claims {
  const person = Person.parse(info)
  const signedIn = {
    issuer: id.iss,
    subject: id.sub,
    sid: typeof id['sid'] === 'string' ? id['sid'] : null,
    idToken,
    language: isLanguage(person.locale) ? person.locale : null,
    told: { ...(info as object), ...id },
  }
  if (!knowsNumbers(configuration)) return accountOf(signedIn, person, null)
  const { outsider } = Standing.parse(info)
  if (!outsider) return accountOf(signedIn, person, AccountNumber.parse(info).iin ?? null)
  const { iin, bin = null, org_name: organization = null, given_key: givenKey } = OutsiderNumbers.parse(info)
  return { ...signedIn, isOutsider: true, fullName: person.name || iin, iin, bin, organization, givenKey }
}

function knowsNumbers(configuration: oidc.Configuration): boolean {
  return configuration.serverMetadata().scopes_supported?.includes(numbersScope) ?? false
}

/** Text that other people read, so invisible characters are removed. */
const SeenText = z.string().transform((text) => withoutUnseen(text.toWellFormed()).trim())

/** Every claim may be missing. */
const Person = z.object({
  name: SeenText.pipe(z.string().max(250)).optional(),
  preferred_username: SeenText.pipe(z.string().max(longestEmail)).optional(),
  // ASCII only: other alphabets have look-alikes that lower-casing folds together.
  email: z
    .string()
    .max(longestEmail)
    .regex(/^[\x21-\x7e]+$/)
    .toLowerCase()
    .optional()
    .catch(undefined),
  email_verified: z.boolean().optional(),
  locale: z.string().optional(),
})

const TwelveDigits = z.string().refine(isTwelveDigits)
const Standing = z.object({ outsider: z.boolean().optional() })
/** A person with an account may sign in without a readable number. */
const AccountNumber = z.object({ iin: TwelveDigits.optional().catch(undefined) })
/** An outsider is identified by these numbers alone. */
const OutsiderNumbers = z.object({
  iin: TwelveDigits,
  bin: TwelveDigits.optional(),
  org_name: SeenText.pipe(z.string().max(500)).optional(),
  // A service that does not distinguish keys gets the lowest role.
  given_key: z.enum(givenKeys).catch('employee'),
})

function accountOf(
  signedIn: Omit<SignedIn, 'fullName'>,
  info: z.infer<typeof Person>,
  iin: string | null,
): AccountClaims {
  const { email = '', preferred_username: name } = info
  return {
    ...signedIn,
    isOutsider: false,
    login: name ?? (email === '' ? signedIn.subject : email),
    fullName: info.name || (name ?? email),
    email,
    isEmailConfirmed: info.email_verified === true,
    iin,
  }
}
