/** For tests and measurements: jobs with signatures like the national ones, with timestamp and revocation evidence. */
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { addEvidence } from '@kelisim/signature/cms/build.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import {
  certificatePolicies,
  extendedKeyUsage,
  keyUsage,
  makeName,
  subjectEmail,
} from '@kelisim/signature/signer/extensions.ts'
import type { KeyKind } from '@kelisim/signature/signer/keys.ts'
import { signDigest } from '@kelisim/signature/signer/sign-cms.ts'
import { foundNation, signedOn, type Nation } from '@kelisim/signature/testing/nation.ts'
import type { PrintableJob, PrintableSignature } from './printable-job.ts'

const people = [
  ['НҰРЛАНОВА ӘЙГЕРІМ', 'СЕРІКҚЫЗЫ', '900101400123', 'ТОО «Дала Транс»', '123456789012'],
  ['ИВАНОВ ПЁТР', 'СЕРГЕЕВИЧ', '850315300456', 'ТОО «Дала Транс»', '123456789012'],
  ['ҒАБИТОВ ҚУАНЫШ', 'ӨМІРҰЛЫ', '780707300789', 'АО «Ұлы Көш»', '210987654321'],
  ['КИМ ОЛЬГА', 'ВИКТОРОВНА', '920228400111', '', ''],
  ['ЖҮСІПОВ ІЛИЯС', 'ҺАМИТҰЛЫ', '880808300222', 'АО «Ұлы Көш»', '210987654321'],
] as const

/** One nation of each key kind for the whole run, because creating one is slow. */
const nations = new Map<KeyKind, Promise<Nation>>()

export function nationOf(kind: KeyKind): Promise<Nation> {
  let nation = nations.get(kind)
  if (!nation) nations.set(kind, (nation = foundNation(kind, 'ҰЛТТЫҚ')))
  return nation
}

export async function signaturesOf(
  original: Uint8Array,
  count: number,
  kind: KeyKind = 'gost-kz-512',
): Promise<PrintableSignature[]> {
  const nation = await nationOf(kind)
  const signatures: PrintableSignature[] = []
  for (let i = 0; i < count; i++) {
    const [commonName, givenName, iin, organization, bin] = people[i % people.length]!
    const isLegal = organization !== ''
    const signer = await nation.issue(`${commonName} ${i}`, {
      subject: makeName({
        commonName,
        surname: commonName.split(' ')[0]!,
        serialNumber: `IIN${iin}`,
        country: 'KZ',
        ...(isLegal && { organization, organizationalUnit: `BIN${bin}` }),
        givenName,
      }),
      extensions: [
        keyUsage('digitalSignature', 'nonRepudiation'),
        extendedKeyUsage([
          '1.3.6.1.5.5.7.3.4',
          ...(isLegal ? ['1.2.398.3.3.4.1.2', '1.2.398.3.3.4.1.2.1'] : ['1.2.398.3.3.4.1.1']),
        ]),
        certificatePolicies([{ oid: '1.2.398.3.3.2' }]),
        subjectEmail('signer@example.kz'),
      ],
    })
    const digest = hash(signer.key.hash, original)
    const bare = await signDigest(digest, signer, { signingTime: signedOn })
    const [info] = readSignedData(bare).signers
    const at = new Date(signedOn.getTime() + i * 3_600_000)
    const evidence = {
      timestamps: [await nation.stamp(info!.signature, at)],
      certificates: [nation.centre.der],
      basicOcspResponses: [(await nation.ocsp(signer.certificate, 'good', at)).der],
    }
    signatures.push({
      cms: addEvidence(bare, 0, evidence),
      fileName: `${i + 1}. ${commonName}.cms`,
      acceptedAt: at,
      verdict: { indication: 'TOTAL-PASSED', code: null, checkedAt: at },
    })
  }
  return signatures
}

export function jobOf(
  parts: Pick<PrintableJob, 'originalPath' | 'outPath'> & Partial<PrintableJob>,
): PrintableJob {
  return {
    language: 'ru',
    facts: {
      requestId: '0198c0de-7f2a-7c11-9a55-3d2f6b7e9a10',
      name: 'Договор поставки № 17/2026',
      registration: { number: 'ИСХ-0017/2026', registeredOn: '2026-06-01' },
      description: 'Поставка ячменя третьего класса, урожай 2026 года, на склад покупателя в Астане.',
      fileName: 'Договор поставки № 17-2026.pdf',
      signingDate: '2026-06-01',
      sender: {
        name: 'ТОО «Дала Транс»',
        number: '123456789012',
        confirmedAt: new Date('2026-10-01T09:00:00Z'),
      },
      systemName: 'Kelisim',
      requestUrl: 'https://kelisim.example.kz/signingRequests/redirect/0198c0de-7f2a-7c11-9a55-3d2f6b7e9a10',
      verifyUrl: 'https://kelisim.example.kz/verify',
      madeAt: new Date('2026-06-02T09:30:00Z'),
      standing: null,
      areTimesShown: true,
      isCompact: false,
      hasFooterMark: false,
    },
    signatures: [],
    codes: { letters: null, link: null, validUntil: null },
    ...parts,
  }
}
