/**
 * The issuer, in the table `users`, of people who send from the landing page without an account; the subject is the
 * IIN and BIN of their key. No sign-in service uses this issuer, so nobody can sign in as these people.
 */
export const landingIssuer = 'urn:kelisim:landing'

/** The issuer of people who closed their account. */
export const erasedIssuer = 'urn:kelisim:erased'
