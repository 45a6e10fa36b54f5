/** An invitation: a link sent to one e-mail address, valid for a week, for the owner of that address. */
import { day } from '../durations.ts'
import type { Alias } from '../errors.ts'

export const invitationLife = 7 * day

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
  // An unconfirmed address might belong to somebody else.
  const isInvited = person.isEmailConfirmed && person.email === invitation.email
  return isInvited ? null : 'invitation-for-another-email'
}

/** Shortens an address so that its owner recognises it but others cannot use it: a***@example.kz. */
export function maskEmail(email: string): string {
  return email.replace(/^(.)[^@]*/su, '$1***')
}
