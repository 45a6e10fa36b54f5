/**
 * In `users`, the issuer of people who send from the landing without an account; the subject is the IIN and BIN of their key. No
 * sign-in service has it, so nobody can sign in as these people.
 */
export const landingIssuer = 'urn:kelisim:landing'

/** Of people who closed their account. */
export const erasedIssuer = 'urn:kelisim:erased'
