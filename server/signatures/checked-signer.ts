/** What the worker returns about one signer. Bytes are copied, because a view would be posted with its whole buffer. */
import { visibleText } from '@kelisim/domain/visible-text.ts'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
import type { NcaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import { nameText } from '@kelisim/signature/certificates/names.ts'
import type { SignerExamination } from '@kelisim/signature/examination/examine.ts'
import type { Crl } from '@kelisim/signature/revocation/crl.ts'
import type { CheckEvidence, CheckedSigner } from './check-job.ts'

export function checkedSigner(signer: SignerExamination): CheckedSigner {
  return {
    faults: signer.findings,
    certificate: signer.certificate && new Uint8Array(signer.certificate.der),
    certificateFacts: signer.certificate && factsOf(signer.certificate),
    owner: signer.owner && visibleOwner(signer.owner),
    algorithm: signer.algorithm,
    actDigest: toHex(hash('sha-256', signer.act)),
    signingTime: signer.signingTime,
    timestampTime: signer.timestampTime,
    revokedAt: signer.revocation[0]?.revokedAt ?? null,
    evidence: evidenceOf(signer),
  }
}

/**
 * Makes names safe to show: whoever chose a name in a certificate must not be able to change how the text beside it
 * is read.
 */
function visibleOwner(owner: NcaProfile): NcaProfile {
  const shown = (text: string | null) => text && visibleText(text)
  return {
    ...owner,
    commonName: shown(owner.commonName),
    surname: shown(owner.surname),
    givenName: shown(owner.givenName),
    organization: shown(owner.organization),
    email: shown(owner.email),
  }
}

function factsOf({ serial, issuer, notBefore, notAfter }: Certificate): CheckedSigner['certificateFacts'] {
  return {
    serialNumber: toHex(serial),
    issuer: visibleText(nameText(issuer)),
    validFrom: notBefore,
    validTo: notAfter,
  }
}

function evidenceOf({ path, revocation, timestamps }: SignerExamination): CheckEvidence {
  const facts = [...revocation, ...timestamps.flatMap((timestamp) => timestamp.revocation)]
  // One CRL or OCSP response may concern several certificates.
  const used = [...new Set(facts.flatMap(({ by }) => by ?? []))]
  const crls = used.filter((one): one is Crl => 'entries' in one)
  const copy = (bytes: Uint8Array) => new Uint8Array(bytes)
  return {
    certificates: once([...path, ...timestamps.flatMap((timestamp) => timestamp.path)]).map(copy),
    ocspResponses: once(used.filter((one) => !('entries' in one))).map(copy),
    crls: [...new Map(crls.map((crl) => [hashOfList(crl), crl]))].map(([sha256, crl]) => ({
      issuer: copy(crl.issuer),
      number: crl.number === null ? null : String(crl.number),
      thisUpdate: crl.thisUpdate,
      nextUpdate: crl.nextUpdate,
      sha256,
      der: copy(crl.der),
    })),
  }
}

function once(all: readonly { der: Uint8Array }[]): Uint8Array[] {
  return [...new Map(all.map(({ der }) => [toHex(hash('sha-256', der)), der])).values()]
}

/** The hash of a CRL is cached, because a list of twenty megabytes serves many checks. */
function hashOfList(crl: Crl): string {
  const known = hashes.get(crl)
  if (known !== undefined) return known
  const made = toHex(hash('sha-256', crl.der))
  hashes.set(crl, made)
  return made
}

const hashes = new WeakMap<Crl, string>()
