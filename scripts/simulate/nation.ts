/** A nation whose centres and timestamp services are replaced every few years, for the simulation. */
import { certIdOf } from '@kelisim/signature/revocation/ocsp.ts'
import { hash, type HashName } from '@kelisim/signature/algorithms/hash.ts'
import type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { authority, extendedKeyUsage, keyUsage, makeName } from '@kelisim/signature/signer/extensions.ts'
import { makeCertificate, type Party } from '@kelisim/signature/signer/issue.ts'
import { generateKey, type KeyKind } from '@kelisim/signature/signer/keys.ts'
import { answerOcsp } from '@kelisim/signature/signer/ocsp-responder.ts'
import type { CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { stamp } from '@kelisim/signature/signer/timestamp-authority.ts'
import { messageImprint } from '@kelisim/signature/timestamps/timestamp.ts'
import { day } from '@kelisim/signature/time/durations.ts'

const start = Date.UTC(2026, 0, 1)

/** A moment of the simulation. */
export function yearsLater(years: number): Date {
  return new Date(start + Math.round(years * 365.25) * day)
}

export type Era = Awaited<ReturnType<typeof foundEra>>

/** A root, a centre, its responder and a timestamp service, valid from one year to another. */
export async function foundEra(kind: KeyKind, from: number, to: number) {
  const times = { notBefore: yearsLater(from), notAfter: yearsLater(to) }
  const party = async (commonName: string): Promise<Party> => ({
    subject: makeName({ commonName: `${commonName} ${from}`, country: 'KZ' }),
    keys: await generateKey(kind),
  })
  const rootParty = await party('Root')
  const centreParty = await party('Centre')
  const root = await makeCertificate({ ...rootParty, ...times, extensions: authority() })
  const centre = await makeCertificate({
    ...centreParty,
    ...times,
    issuer: rootParty,
    extensions: authority(0),
  })
  const service = async (name: string, usage: string): Promise<CmsSigner> => {
    const { subject, keys } = await party(name)
    const extensions = [keyUsage('digitalSignature'), extendedKeyUsage([usage], true)]
    return {
      key: keys,
      certificate: await makeCertificate({ subject, keys, ...times, issuer: centreParty, extensions }),
    }
  }
  const responder = await service('OCSP', '1.3.6.1.5.5.7.3.9')
  const clock = await service('Timestamps', '1.3.6.1.5.5.7.3.8')
  let serial = 0

  return {
    from,
    to,
    root,
    centre,

    async person(commonName: string): Promise<CmsSigner> {
      const keys = await generateKey(kind)
      const certificate = await makeCertificate({
        subject: makeName({ commonName, surname: 'ТЕСТОВ', serialNumber: 'IIN900101300123', country: 'KZ' }),
        keys,
        issuer: centreParty,
        notBefore: yearsLater(from),
        notAfter: yearsLater(from + 1),
        extensions: [keyUsage('digitalSignature', 'nonRepudiation')],
      })
      return { key: keys, certificate }
    },

    timestamp(name: HashName, digest: Uint8Array, at: Date): Promise<Uint8Array> {
      return stamp({
        authority: clock,
        request: { imprint: messageImprint(name, digest), nonce: null, certReq: true },
        policy: '1.2.398.3.3.2.6.2',
        serial: hash('sha-256', new TextEncoder().encode(`${from} ${++serial}`)).subarray(0, 8),
        genTime: at,
      })
    },

    /** A whole OCSP response: the certificate is good. */
    good({ serial: number }: Certificate, at: Date): Promise<Uint8Array> {
      return answerOcsp({
        responder: { subject: responder.certificate.subject, keys: responder.key },
        producedAt: at,
        answers: [
          {
            question: certIdOf(number, centre, 'sha-256'),
            status: 'good',
            thisUpdate: at,
            nextUpdate: new Date(Number(at) + day),
          },
        ],
        certificates: [responder.certificate.der],
      })
    },
  }
}
