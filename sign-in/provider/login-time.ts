/**
 * Which logins still count. An account keeps the second from which on they do; ending all sessions moves it to
 * a second later than any login given out before. A new login right afterwards is dated by the account's second,
 * not by the clock: so it counts, and one that began before does not, even within the same second.
 */

/** When a login is said to have happened, in seconds; `validFrom` as it was when the password was looked at. */
export function loginSecond(validFrom: Date | null, now: Date): number {
  return Math.max(secondOf(now), validFrom === null ? 0 : secondOf(validFrom))
}

export function isLoginCurrent(loginTs: number, validFrom: Date | null): boolean {
  return validFrom === null || loginTs >= secondOf(validFrom)
}

/** The account's new second, when all its sessions end. */
export function validFromAfter(before: Date | null, now: Date): Date {
  return new Date((loginSecond(before, now) + 1) * 1000)
}

function secondOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}
