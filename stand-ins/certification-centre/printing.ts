/** Prints what the centre has issued: as text for people, as JSON for programs. */
import { nameText } from '@kelisim/signature/certificates/names.ts'
import type { Entry } from './register.ts'

export function writtenEntries(entries: readonly Entry[], isJson: boolean): string {
  return isJson ? JSON.stringify(entries.map(shown), null, 2) : entries.map(writtenEntry).join('\n')
}

export function writtenEntry(entry: Entry): string {
  const { serial, keyId, status, subject, notAfter } = shown(entry)
  return `${serial}  key ${keyId}  ${status}  to ${notAfter.slice(0, 10)}  ${subject}`
}

function shown({ serial, keyId, certificate, issuedAt, revocation }: Entry) {
  const isHeld = revocation?.reason === 'certificateHold'
  return {
    serial,
    keyId,
    subject: nameText(certificate.subject),
    issuer: nameText(certificate.issuer),
    notBefore: certificate.notBefore.toISOString(),
    notAfter: certificate.notAfter.toISOString(),
    issuedAt: issuedAt.toISOString(),
    status: !revocation ? 'good' : isHeld ? 'on-hold' : 'revoked',
    revokedAt: revocation?.at.toISOString() ?? null,
    reason: revocation?.reason ?? null,
  }
}
