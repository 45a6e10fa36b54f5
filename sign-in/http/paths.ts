/** The addresses of this service's pages. */

export const paths = {
  register: '/connect/register',
  confirm: '/connect/confirm',
  forgot: '/connect/forgot',
  reset: '/connect/reset',
  account: '/connect/account',
  changePassword: '/connect/account/password',
  secondFactor: '/connect/account/second-factor',
  secondFactorConfirm: '/connect/account/second-factor/confirm',
  secondFactorCodes: '/connect/account/second-factor/codes',
  secondFactorOff: '/connect/account/second-factor/off',
  passkeys: '/connect/account/passkeys',
  passkeysBegin: '/connect/account/passkeys/begin',
  passkeysRemove: '/connect/account/passkeys/remove',
  signOutEverywhere: '/connect/account/sign-out',
  signedOut: '/connect/session/end/success',
  /** Starts a sign-in at the application. */
  start: '/connect/autologin',
} as const

export function interactionPath(uid: string): string {
  return `/connect/interaction/${uid}`
}

/** The page that asks for the code after the password. */
export function secondStepPath(uid: string): string {
  return `${interactionPath(uid)}/code`
}

/** The login page itself, for a person who has presented a signature but wants to sign in another way. */
export function anotherWay(uid: string): string {
  return `${interactionPath(uid)}?another`
}

/** The name of the query parameter, and of the hidden field, that carries an unfinished sign-in. */
export const interactionParameter = 'interaction'

export function withInteraction(path: string, uid: string | null): string {
  return uid === null ? path : `${path}?${interactionParameter}=${uid}`
}

/**
 * Back to the sign-in that the person came from; if this browser does not know it, that address leads to a new
 * sign-in.
 */
export function continuePath(uid: string | null): string {
  return uid === null ? paths.start : interactionPath(uid)
}

/**
 * The address is within the sign-in where the registration began, whose cookie is sent only to such addresses; so
 * that sign-in can be finished.
 */
export function confirmPath(uid: string | null): string {
  return uid === null ? paths.confirm : `${interactionPath(uid)}/confirm`
}

/** Accepts only identifiers as the provider makes them; anything else is dropped. */
export function interactionUid(text: string | null): string | null {
  return text !== null && /^[\w-]{21,64}$/.test(text) ? text : null
}
