/**
 * Ways to sign in by a signature that a page of ours offers itself. The sign-in service is asked for one by the OpenID
 * parameter `acr_values`: a service that does not know the value asks as it always does.
 */
export const signInWays = ['desktop', 'phone'] as const
export type SignInWay = (typeof signInWays)[number]

const prefix = 'urn:kelisim:signature:'

export function acrOf(way: SignInWay): string {
  return `${prefix}${way}`
}

export function wayIn(acrValues: unknown): SignInWay | null {
  const wanted = typeof acrValues === 'string' ? acrValues.split(' ') : []
  return signInWays.find((way) => wanted.includes(acrOf(way))) ?? null
}

export function isSignInWay(value: unknown): value is SignInWay {
  return signInWays.some((way) => way === value)
}
