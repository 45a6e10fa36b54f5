/**
 * Ways to sign in by a signature that our own pages offer directly. The OpenID parameter `acr_values` asks the
 * sign-in service for one of them; a service that does not know the value shows its usual page.
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
