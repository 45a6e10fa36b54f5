/** What leaves the worker about one signer: copies, for a view would be posted with all the bytes it is a view of. */
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { nameText } from '@kelisim/signature/certificates/names.ts'
import type { SignerExamination } from '@kelisim/signature/examination/examine.ts'
import type { Crl } from '@kelisim/signature/revocation/crl.ts'
import type { CheckEvidence, CheckedSigner } from './check-job.ts'

export function checkedSigner(signer: SignerExamination): CheckedSigner {
  return {
    faults: signer.findings,
    certificate: signer.certificate && new Uint8Array(signer.certificate.der),
    certificateFacts: signer.certificate && factsOf(signer.certificate),
    owner: signer.owner,
    algorithm: signer.algorithm,
    actDigest: toHex(hash('sha-256', signer.act)),
    signingTime: signer.signingTime,
    timestampTime: signer.timestampTime,
    revokedAt: signer.revocation[0]?.revokedAt ?? null,
    evidence: evidenceOf(signer),
  }
}

function factsOf({ serial, issuer, notBefore, notAfter }: Certificate): CheckedSigner['certificateFacts'] {
  return {
    serialNumber: toHex(serial),
    issuer: nameText(issuer),
    validFrom: notBefore,
    validTo: notAfter,
  }
}

function evidenceOf({ path, revocation, timestamps }: SignerExamination): CheckEvidence {
  const used = revocation.flatMap(({ by }) => by ?? [])
  const crls = used.filter((one): one is Crl => 'entries' in one)
  const copy = (bytes: Uint8Array) => new Uint8Array(bytes)
  return {
    certificates: [...path, ...timestamps.flatMap((timestamp) => timestamp.path)].map(({ der }) => copy(der)),
    ocspResponses: used.filter((one) => !('entries' in one)).map(({ der }) => copy(der)),
    crls: crls.map(({ issuer, number, thisUpdate, nextUpdate }) => ({
      issuer: copy(issuer),
      number: number === null ? null : String(number),
      thisUpdate,
      nextUpdate,
    })),
  }
}
