/** Signatures made by the national centre's own library with its test keys, chains and CRLs. */
import { describe, expect, test } from 'vitest'
import { readCertificate } from '../certificates/certificate.ts'
import { readCrl } from '../revocation/crl.ts'
import { hasSharedVectors, sharedVector, sharedVectorsIn, skippedWithout } from '../testing/shared-vectors.ts'
import { examineCertificate } from './examine-certificate.ts'
import { examineSignature, type Examination } from './examine.ts'
import { defaultPolicy, evidenceAtHand, type Policy, type Setting } from './policy.ts'

/** While the test CRL of 2026 is valid, and when the keys of 2023 had not expired. */
const now = new Date('2026-11-15T10:00:00Z')
const then = new Date('2024-06-01T00:00:00Z')

describe.skipIf(!hasSharedVectors)(`the national library${skippedWithout}`, () => {
  const centre = (name: string) => readCertificate(sharedVector(`kz/ca/test/${name}.cer`))

  function setting(at: Date, policy: Partial<Policy> = {}): Setting {
    const crls = sharedVectorsIn('kz/crl').map((path) => readCrl(sharedVector(path)))
    return {
      trust: {
        roots: [
          ...['root_test_gost_2022', 'kuc_gost_test', 'kuc_rsa_test'].map(centre),
          // the timestamp service is not a national one
          readCertificate(sharedVector('kz/cms/localpki/local_root.cer')),
        ],
        others: ['nca_gost2022_test', 'nca_gost_test', 'nca_rsa_test'].map(centre),
      },
      evidence: evidenceAtHand({ crls, ocsp: [] }),
      policy: { ...defaultPolicy, revocation: 'none', ...policy },
      at,
    }
  }

  async function examined(name: string, at: Date, policy?: Partial<Policy>): Promise<Examination> {
    const document = sharedVector('kz/cms/document.txt')
    return examineSignature(sharedVector(`kz/cms/${name}.cms`), [document], setting(at, policy))
  }

  const found = ({ findings, signers }: Examination) => [
    ...findings,
    ...signers.flatMap((one) => one.findings),
  ]

  const forms = ['attached', 'detached'].flatMap((place) =>
    ['cades', 'plain', 'noattr'].map((form) => `${form}.${place}`),
  )

  /** Made in 2026, as their signing time says, with keys that had expired in 2024. */
  const late = ['signing-time-outside-certificate', 'signing-time-after-receipt']

  describe.each([
    ['gost2015-person', now, 'GOST 34.10-2015 512', '123456789011', null, 'crl' as const],
    ['gost2004-ceo', then, 'GOST 34.310-2004', '123456789011', '123456789021', 'none' as const],
    ['rsa-person', then, 'RSA 2048 SHA-256', '123456789011', null, 'none' as const],
  ])('%s', (who, at, algorithm, iin, bin, revocation) => {
    test.each([...forms, 'cades.detached-hash'])('%s', async (form) => {
      const policy = { revocation, signedAttributes: 'optional', evidenceAge: 'current' } as const
      const examination = await examined(`${who}.${form}`, at, policy)
      const isLate = at === then && !form.startsWith('noattr')
      expect(found(examination)).toEqual(isLate ? late : [])
      expect(examination.signers).toMatchObject([{ algorithm, owner: { iin, bin } }])
    })

    test('accepts no signed attributes only if the policy allows that', async () => {
      expect(found(await examined(`${who}.noattr.detached`, at))).toEqual(['attributes-missing'])
    })

    test('signed attributes that do not bind the certificate are refused if that is required', async () => {
      const policy = { signingCertificate: 'required' } as const
      const expected = at === then ? late : []
      expect(found(await examined(`${who}.cades.detached`, at, policy))).toEqual(expected)
      expect(found(await examined(`${who}.plain.detached`, at, policy))).toEqual([
        'certificate-not-bound',
        ...expected,
      ])
    })
  })

  test('timestamps are judged', async () => {
    const { signers } = await examined('gost2015-person.cadest.detached', now, { timestamp: 'required' })
    expect(signers).toMatchObject([{ timestampTime: new Date('2026-11-15T00:34:21Z'), findings: [] }])
    expect(found(await examined('gost2015-person.cadest.attached', then))).toContain('timestamp-from-future')
    // stamped in 2026, two years after the key of 2023 had expired
    expect(found(await examined('rsa-person.cadest.detached', now))).toEqual([
      'signing-time-outside-certificate',
      'certificate-expired',
    ])
  })

  test('two signers are valid', async () => {
    const examination = await examined('cosign.gost2015-person+gost2015-ceo.attached', now, {
      revocation: 'crl',
      evidenceAge: 'current',
    })
    expect(found(examination)).toEqual([])
    const roles = examination.signers.map(({ owner }) => owner?.roles.at(-1))
    expect(new Set(roles)).toEqual(new Set(['head', 'individual']))
  })

  test('tampered signatures are detected', async () => {
    const name = 'negative.gost2015-person'
    expect(found(await examined(`${name}.content-tampered`, now))).toEqual([
      'other-document-attached',
      'other-document',
    ])
    expect(found(await examined(`${name}.signature-tampered`, now))).toEqual(['wrong-signature'])
  })

  test('production centres lead to their roots, and so does the timestamp service of 2026', async () => {
    const production = (name: string) => readCertificate(sharedVector(`kz/ca/prod/${name}.cer`))
    const roots = ['root_gost_2022', 'root_rsa_2020', 'root_gost_2020'].map(production)
    const others = [production('nca_gost_2022')]
    const at = { ...setting(now), trust: { roots, others }, evidence: evidenceAtHand({ crls: [], ocsp: [] }) }
    for (const name of ['prod/nca_gost_2022', 'prod/nca_rsa_2022', 'test/tsa_gost2015_from_token_2026']) {
      expect((await examineCertificate(sharedVector(`kz/ca/${name}.cer`), at)).findings, name).toEqual([])
    }
    const old = await examineCertificate(sharedVector('kz/ca/prod/nca_gost_2018.cer'), at)
    expect(old.findings).toEqual(['issuer-unknown'])
  })
})
