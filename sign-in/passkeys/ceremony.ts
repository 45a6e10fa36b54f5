/**
 * What a device is asked to sign and how its response is verified (WebAuthn level 2). To whom a passkey belongs and
 * how many attempts are allowed is decided elsewhere.
 */
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { z } from 'zod'
import { challengeLifetime, type Passkey } from './passkey-queries.ts'

/**
 * Taken from the configuration, never from a request: a device responds only for the site its passkey was created
 * for.
 */
export type Site = { id: string; origin: string; name: string }

export function siteOf(publicUrl: URL, name: string): Site {
  return { id: publicUrl.hostname, origin: publicUrl.origin, name }
}

const encoded = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[\w-]+$/)
const credentialId = encoded(1400)

const creation = z.object({
  id: credentialId,
  attestationObject: encoded(12_000),
  clientDataJSON: encoded(4000),
})

const assertion = z.object({
  id: credentialId,
  authenticatorData: encoded(4000),
  clientDataJSON: encoded(4000),
  signature: encoded(4000),
  userHandle: encoded(100),
})

export type Assertion = z.infer<typeof assertion>

export function assertionOf(text: string): Assertion | null {
  return assertion.safeParse(jsonOf(text)).data ?? null
}

/** The device keeps the passkey and unlocks it with a finger, a face or a PIN, so that it counts as two factors. */
export function creationOptions(
  site: Site,
  person: { id: string; email: string; fullName: string },
  known: readonly Pick<Passkey, 'id'>[],
  challenge: string,
): Promise<object> {
  return generateRegistrationOptions({
    rpID: site.id,
    rpName: site.name,
    userID: handleOf(person.id),
    userName: person.email,
    userDisplayName: person.fullName,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: challengeLifetime,
    attestationType: 'none',
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

export function requestOptions(site: Site, challenge: string): Promise<object> {
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: challengeLifetime,
    userVerification: 'required',
  })
}

/**
 * The new passkey; null unless the response is to this challenge, at this site, from a device that verified the
 * person.
 */
export async function createdPasskey(
  text: string,
  site: Site,
  challenge: string,
): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter'> | null> {
  const { data } = creation.safeParse(jsonOf(text))
  if (!data) return null
  const { id, attestationObject, clientDataJSON } = data
  const verified = await orNull(
    verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { attestationObject, clientDataJSON },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  )
  const credential = verified?.registrationInfo?.credential
  // The id inside the data that the device has made counts, so the id beside it must be the same.
  if (credential?.id !== id) return null
  return { id, publicKey: Buffer.from(credential.publicKey), counter: credential.counter }
}

/** The counter that the device reports; null if the response does not prove the passkey. */
export async function provedCounter(
  { id, userHandle, ...response }: Assertion,
  site: Site,
  challenge: string,
  { accountId, publicKey }: Pick<Passkey, 'accountId' | 'publicKey'>,
): Promise<number | null> {
  if (!Buffer.from(userHandle, 'base64url').equals(handleOf(accountId))) return null
  const verified = await orNull(
    verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      // The library need not compare the counters: hasGoneBack does, so that a copied passkey can be told from a
      // wrong response.
      credential: { id, publicKey: Uint8Array.from(publicKey), counter: 0 },
    }),
  )
  return verified?.verified ? verified.authenticationInfo.newCounter : null
}

/**
 * A device that counts never repeats a value, so a repeated one shows that another device has the key. Devices that
 * do not count report 0.
 */
export function hasGoneBack(stored: number, told: number): boolean {
  return (stored > 0 || told > 0) && told <= stored
}

/** EdDSA, ES256 and RS256: the algorithms that devices support. */
const algorithms = [-8, -7, -257]

function handleOf(accountId: string) {
  return Uint8Array.from(Buffer.from(accountId.replaceAll('-', ''), 'hex'))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The library throws for anything wrong with a response; here all of that counts as refused. */
async function orNull<T>(verification: Promise<T>): Promise<T | null> {
  try {
    return await verification
  } catch {
    return null
  }
}
