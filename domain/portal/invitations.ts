/** An invitation: a link sent to one address, good for a week, for the person who can read that address. */
import type { Alias } from '../errors.ts'

export const invitationLife = 7 * 24 * 60 * 60 * 1000

export function isExpired(invitation: { expiresAt: Date }, now: Date): boolean {
  return invitation.expiresAt <= now
}

/** Why this person may not accept this invitation now, or null. */
export function whyNotAccept(
  invitation: { email: string; expiresAt: Date },
  person: { email: string; isEmailConfirmed: boolean },
  now: Date,
): Alias | null {
  if (isExpired(invitation, now)) return 'invitation-expired'
  // An address that nobody has confirmed could be anybody's.
  const isInvited = person.isEmailConfirmed && person.email === invitation.email
  return isInvited ? null : 'invitation-for-another-email'
}

/** Enough for its owner to recognise, too little for anyone else to write to: a***@example.kz. */
export function maskEmail(email: string): string {
  return email.replace(/^(.)[^@]*/su, '$1***')
}
