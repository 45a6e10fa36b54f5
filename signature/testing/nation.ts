/** A complete small PKI for tests: root, centre, people with keys, OCSP responder, timestamps. */
import type { HashName } from '../algorithms/hash.ts'
import { hash } from '../algorithms/hash.ts'
import type { Certificate } from '../certificates/certificate.ts'
import { evidenceAtHand, type Evidence, type Setting } from '../examination/policy.ts'
import { readCrl, type Crl } from '../revocation/crl.ts'
import { certIdOf, readOcspResponse, type BasicOcspResponse } from '../revocation/ocsp.ts'
import type { RevocationReason } from '../revocation/reasons.ts'
import { authority, extendedKeyUsage, keyUsage, makeName } from '../signer/extensions.ts'
import { makeCertificate, makeCrl, type CertificateParts, type Party } from '../signer/issue.ts'
import type { KeyKind } from '../signer/keys.ts'
import { answerOcsp } from '../signer/ocsp-responder.ts'
import type { CmsSigner } from '../signer/sign-cms.ts'
import { stamp } from '../signer/timestamp-authority.ts'
import { messageImprint } from '../timestamps/timestamp.ts'
import { makeKeys } from './make-keys.ts'
import { day } from '../time/durations.ts'

export const signedOn = new Date('2026-06-01T10:00:00Z')

/** Times relative to the time of signing. */
export const daysLater = (days: number) => new Date(signedOn.getTime() + days * day)

export type Nation = Awaited<ReturnType<typeof foundNation>>

export async function foundNation(kind: KeyKind, name = 'Test') {
  const rootParty = await party(kind, `${name} root`)
  const centreParty = await party(kind, `${name} centre`)
  const root = await makeCertificate({ ...rootParty, extensions: authority() })
  const centre = await makeCertificate({ ...centreParty, issuer: rootParty, extensions: authority(0) })

  async function issue(commonName: string, parts: Partial<CertificateParts> = {}): Promise<CmsSigner> {
    const subject = makeName({
      commonName,
      surname: 'ТЕСТОВ',
      serialNumber: 'IIN900101300123',
      country: 'KZ',
    })
    const keys = await makeKeys(kind, `${name} ${commonName}`)
    const certificate = await makeCertificate({
      subject,
      keys,
      issuer: centreParty,
      notBefore: daysLater(-100),
      notAfter: daysLater(265),
      extensions: [keyUsage('digitalSignature', 'nonRepudiation')],
      ...parts,
    })
    return { key: keys, certificate }
  }

  const service = (commonName: string, usage: string) =>
    issue(commonName, {
      subject: makeName({ commonName, country: 'KZ' }),
      extensions: [keyUsage('digitalSignature'), extendedKeyUsage([usage], true)],
    })
  const responder = await service(`${name} OCSP`, '1.3.6.1.5.5.7.3.9')
  const clock = await service(`${name} TSA`, '1.3.6.1.5.5.7.3.8')
  let stamped = 0

  return {
    kind,
    rootParty,
    centreParty,
    root,
    centre,
    responder,
    clock,
    trust: { roots: [root], others: [centre] },
    issue,
    person: await issue('ТЕСТОВ ТЕСТ'),

    async ocsp(
      certificate: Certificate,
      status: 'good' | 'unknown' | { revokedAt: Date; reason?: RevocationReason } = 'good',
      at = signedOn,
      by = responder,
    ): Promise<BasicOcspResponse> {
      const response = await answerOcsp({
        responder: { subject: by.certificate.subject, keys: by.key },
        producedAt: at,
        answers: [
          {
            question: certIdOf(certificate.serial, centre, 'sha-256'),
            status,
            thisUpdate: at,
            nextUpdate: new Date(at.getTime() + day),
          },
        ],
        certificates: [by.certificate.der],
      })
      return readOcspResponse(response).basic!
    },

    async crl(
      revoked: readonly { certificate: Certificate; revokedAt: Date; reason?: RevocationReason }[] = [],
      at = signedOn,
      issuer: Party = centreParty,
      validFor = day,
    ): Promise<Crl> {
      const entries = revoked.map(({ certificate, ...entry }) => ({ serial: certificate.serial, ...entry }))
      const nextUpdate = new Date(at.getTime() + validFor)
      return readCrl(await makeCrl({ issuer, thisUpdate: at, nextUpdate, entries, number: 1 }))
    },

    stamp(bytes: Uint8Array, at = signedOn, by = clock, hashName: HashName = 'sha-256'): Promise<Uint8Array> {
      return stamp({
        authority: by,
        request: { imprint: messageImprint(hashName, hash(hashName, bytes)), nonce: null, certReq: true },
        policy: '1.2.398.3.3.2.6.4',
        serial: Uint8Array.of(++stamped),
        genTime: at,
      })
    },
  }
}

async function party(kind: KeyKind, commonName: string): Promise<Party> {
  return { subject: makeName({ commonName, country: 'KZ' }), keys: await makeKeys(kind, commonName) }
}

/** Settings in which a signature of this PKI passes. */
export function settingIn(
  nation: Nation,
  {
    evidence = {},
    at = signedOn,
    ...policy
  }: { evidence?: Partial<Evidence>; at?: Date } & Partial<Setting['policy']> = {},
): Setting {
  return {
    trust: nation.trust,
    evidence: evidenceAtHand({ crls: [], ocsp: [], ...evidence }),
    policy: {
      signedAttributes: 'required',
      signingCertificate: 'required',
      timestamp: 'optional',
      revocation: 'none',
      issuerRevocation: 'if-known',
      keyUsage: 'sign',
      ...policy,
    },
    at,
  }
}
