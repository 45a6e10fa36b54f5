/** For tests: people with keys issued by a small test PKI, and the real signature engine in place of the workers. */
import { isSame } from '@kelisim/signature/asn1/values.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import type { Evidence } from '@kelisim/signature/examination/policy.ts'
import { examineNewest } from '@kelisim/signature/pdf/examine-pdf.ts'
import { extendedKeyUsage, keyUsage, makeName } from '@kelisim/signature/signer/extensions.ts'
import { signDetached, type CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import type { Crl } from '@kelisim/signature/revocation/crl.ts'
import type { Nation } from '@kelisim/signature/testing/nation.ts'
import type { SignatureChecks } from '../signatures/check.ts'
import { readWhole } from '../signatures/file-pieces.ts'
import { madeDigests, withDigests } from '../signatures/checked-document.ts'
import { checkedSigner } from '../signatures/checked-signer.ts'
import { examineInXml } from '../signatures/examine-in-xml.ts'

const roleOids = {
  individual: ['1.2.398.3.3.4.1.1'],
  head: ['1.2.398.3.3.4.1.2', '1.2.398.3.3.4.1.2.1'],
  'signing-right': ['1.2.398.3.3.4.1.2', '1.2.398.3.3.4.1.2.2'],
  employee: ['1.2.398.3.3.4.1.2', '1.2.398.3.3.4.1.2.5'],
}

export type Signer = CmsSigner & { iin: string }

let people = 0

/** A person with a key; each has their own IIN unless one is passed. */
export async function citizen(
  nation: Nation,
  {
    iin = `9001013${String(++people).padStart(5, '0')}`,
    bin,
    role = bin === undefined ? 'individual' : 'head',
    organization = 'ТОО «Алтын Дала»',
    ...parts
  }: {
    iin?: string
    bin?: string
    role?: keyof typeof roleOids
    organization?: string
  } & Parameters<Nation['issue']>[1] = {},
): Promise<Signer> {
  const subject = makeName({
    commonName: 'СЕРІКОВА АЙГЕРІМ',
    surname: 'СЕРІКОВА',
    serialNumber: `IIN${iin}`,
    country: 'KZ',
    ...(bin !== undefined && { organization, organizationalUnit: `BIN${bin}` }),
    givenName: 'НҰРЛАНҚЫЗЫ',
  })
  const extensions = [keyUsage('digitalSignature', 'nonRepudiation'), extendedKeyUsage(roleOids[role])]
  return { ...(await nation.issue(`Citizen ${++people}`, { subject, extensions, ...parts })), iin }
}

const usedSeconds = new Set<string>()

/**
 * The signer here is deterministic, and one signature is one act, so each signature of a key is dated to a second of
 * its own.
 */
export function sign(signer: CmsSigner, content: Uint8Array, at: Date): Promise<Uint8Array> {
  const key = Buffer.from(signer.certificate.der).toString('base64')
  let signingTime = at
  const second = () => `${key} ${Math.floor(signingTime.getTime() / 1000)}`
  while (usedSeconds.has(second())) signingTime = new Date(signingTime.getTime() - 1000)
  usedSeconds.add(second())
  return signDetached(content, signer, { signingTime })
}

/**
 * What the certification centre's OCSP service says about a certificate; undefined: it cannot be reached. A CRL is used
 * where there is one.
 */
export type Centre = {
  answer: 'good' | { revokedAt: Date } | undefined
  list?: (at: Date) => Promise<Crl>
}

export function checksIn(nation: Nation, centre: Centre): SignatureChecks['check'] {
  return async ({ signature, document, isInPdf, isInXml, proved, at, receivedAt = at, policy }) => {
    if (signature instanceof Uint8Array !== (document !== null))
      throw new TypeError('A signature of something')
    const bytes = signature instanceof Uint8Array ? signature : readWhole(signature.path)
    const content =
      document === null ? null : document instanceof Uint8Array ? [document] : withDigests(document)
    const evidence = async (certificate: CmsSigner['certificate']): Promise<Evidence> => {
      const isCentre = isSame(certificate.der, nation.centre.der)
      if (centre.list && !isCentre) return { crls: [await centre.list(at)], ocsp: [] }
      if (centre.answer === undefined) return { crls: [], ocsp: [], unreachable: ['ocsp'] }
      // Certificates of centres are checked by the root's CRL, those of people by the centre's OCSP responder.
      return isCentre
        ? { crls: [await nation.crl([], at, nation.rootParty)], ocsp: [] }
        : { crls: [], ocsp: [await nation.ocsp(certificate, centre.answer, at)] }
    }
    const setting = { trust: nation.trust, evidence, policy, at, receivedAt }
    if (isInXml) {
      const { findings, signers } = await examineInXml(bytes, { document, proved }, setting)
      return { faults: findings, signers: signers.map(checkedSigner) }
    }
    const { findings, signers } = isInPdf
      ? await examineNewest(bytes, setting)
      : await examineSignature(bytes, content, setting)
    return { faults: findings, signers: signers.map(checkedSigner), ...madeDigests(document, content) }
  }
}
