/**
 * Which logins are still valid. An account stores the second from which on logins are valid; ending all sessions moves
 * it later than any login issued before. A login right afterwards gets the account's second instead of the clock's, so
 * that it is valid, and one that began before is not, even within the same second.
 */

/** `validFrom` is the account's value from when the password was checked. */
export function loginSecond(validFrom: Date | null, now: Date): number {
  return Math.max(secondOf(now), validFrom === null ? 0 : secondOf(validFrom))
}

export function isLoginCurrent(loginTs: number, validFrom: Date | null): boolean {
  return validFrom === null || loginTs >= secondOf(validFrom)
}

/** The account's new second when all its sessions end. */
export function validFromAfter(before: Date | null, now: Date): Date {
  return new Date((loginSecond(before, now) + 1) * 1000)
}

function secondOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}
