/** Real chains and CRLs of the national centres. */
import { describe, expect, test } from 'vitest'
import { isSame, toHex } from '../asn1/values.ts'
import { revokedByCrl } from '../revocation/by-crl.ts'
import { readCrl } from '../revocation/crl.ts'
import { hasSharedVectors, sharedVector, sharedVectorsIn, skippedWithout } from '../testing/shared-vectors.ts'
import { readCertificate, type Certificate } from './certificate.ts'
import { findPath } from './path.ts'

const isSelfSigned = ({ issuer, subject }: Certificate) => isSame(issuer, subject)

describe.skipIf(!hasSharedVectors)(`the national centres${skippedWithout}`, () => {
  const all = new Map<string, Certificate>()
  const folders = hasSharedVectors ? ['kz/ca/prod', 'kz/ca/test'] : []
  for (const path of folders.flatMap(sharedVectorsIn).filter((path) => path.endsWith('.cer'))) {
    all.set(path.slice('kz/ca/'.length, -'.cer'.length), readCertificate(sharedVector(path)))
  }
  const roots = [...all.values()].filter(isSelfSigned)
  const others = [...all.values()].filter((certificate) => !isSelfSigned(certificate))
  const nameOf = (certificate: Certificate) =>
    [...all].find(([, { der }]) => isSame(der, certificate.der))?.[0] ?? toHex(certificate.serial)

  async function statusTextOf(certificate: Certificate, at: string): Promise<string> {
    const result = await findPath(certificate, { roots, others, at: new Date(at) })
    const way = result.path.slice(1).map(nameOf).join(', ')
    return result.ok ? way : `${result.problem}: ${way}`
  }

  test.each([
    ['prod/nca_gost_2022', '2026-11-15', 'prod/root_gost_2022'],
    ['prod/nca_rsa_2022', '2026-11-15', 'prod/root_rsa_2020'],
    ['prod/ucgo_gost', '2023-01-01', 'prod/root_gost_2020'],
    ['prod/btsd_gost', '2026-01-01', 'prod/root_gost_2020'],
    ['prod/nca_gost_2018', '2020-01-01', 'prod/root_gost_2015'],
    ['prod/nca_rsa_2018', '2020-01-01', 'prod/root_rsa_2015'],
    ['prod/nca_gost_2015', '2019-01-01', 'prod/root_gost_2015'],
    ['prod/nca_rsa_2015', '2019-01-01', 'prod/root_rsa_2015'],
    ['prod/nca_gost_2018', '2026-01-01', 'expired: prod/root_gost_2015'],
    ['prod/nca_gost_2018', '2018-08-01', 'not-yet-valid: prod/root_gost_2015'],
    ['test/nca_gost2022_test', '2026-11-15', 'test/root_test_gost_2022'],
    ['test/nca_gost_test', '2026-11-15', 'test/kuc_gost_test'],
    ['test/nca_rsa_test', '2026-11-15', 'test/kuc_rsa_test'],
    ['test/tsa_gost2015_from_token_2026', '2026-11-15', 'prod/nca_gost_2022, prod/root_gost_2022'],
  ])('%s at %s: %s', async (name, at, expected) => {
    expect(await statusTextOf(all.get(name)!, at)).toBe(expected)
  })

  test.each([
    ['gost2015-person', '2026-11-15', 'test/nca_gost2022_test, test/root_test_gost_2022'],
    ['gost2004-ceo', '2024-06-01', 'test/nca_gost_test, test/kuc_gost_test'],
    ['rsa-person', '2024-06-01', 'test/nca_rsa_test, test/kuc_rsa_test'],
    ['rsa-person', '2026-11-15', 'expired: test/nca_rsa_test, test/kuc_rsa_test'],
  ])('a person’s certificate: %s at %s', async (name, at, expected) => {
    expect(await statusTextOf(readCertificate(sharedVector(`kz/cms/${name}.signer.cer`)), at)).toBe(expected)
  })

  test('the production chain does not lead from a test certificate', async () => {
    const person = readCertificate(sharedVector('kz/cms/gost2015-person.signer.cer'))
    const isProd = (certificate: Certificate) => nameOf(certificate).startsWith('prod/')
    const at = new Date('2026-11-15')
    const result = await findPath(person, { roots: roots.filter(isProd), others: others.filter(isProd), at })
    expect(result).toMatchObject({ ok: false, problem: 'no-issuer' })
  })

  describe('lists', () => {
    const crl = (name: string) => readCrl(sharedVector(`kz/crl/${name}`))
    const path = () => [all.get('test/nca_gost2022_test')!, all.get('test/root_test_gost_2022')!]
    const person = () => readCertificate(sharedVector('kz/cms/gost2015-person.signer.cer'))
    const full = 'nca_gost2022_test.2026-ncanodego.crl'
    const delta = 'nca_gost2022_d_test.2026-skarm.crl'

    test('the person is not on the list of the day', async () => {
      const options = { at: new Date('2026-11-15') }
      expect(await revokedByCrl(person(), path(), [crl(full)], options)).toMatchObject({ status: 'good' })
      expect(await revokedByCrl(person(), path(), [crl(full), crl(delta)], options)).toMatchObject({
        status: 'good',
      })
      expect(await revokedByCrl(person(), path(), [crl(full)], { at: new Date('2027-02-08') })).toMatchObject(
        {
          problem: 'stale',
        },
      )
      expect(
        await revokedByCrl(person(), path(), [crl(delta)], { at: new Date('2025-06-01') }),
      ).toMatchObject({
        problem: 'delta-alone',
      })
    })

    test('a certificate on the list is revoked', async () => {
      const serial = Uint8Array.from(Buffer.from('11878BBB2D0C22C0BB736D57935C80D54BE605FF', 'hex'))
      const status = await revokedByCrl({ ...person(), serial }, path(), [crl(full)], {
        at: new Date('2026-11-15'),
      })
      expect(status).toMatchObject({
        status: 'revoked',
        reason: 'affiliationChanged',
        revokedAt: new Date('2026-05-06T16:34:41Z'),
      })
    })

    test.each([
      ['nca_gost_test.crl', 'gost2004-ceo', ['test/nca_gost_test', 'test/kuc_gost_test']],
      ['nca_rsa_test.crl', 'rsa-person', ['test/nca_rsa_test', 'test/kuc_rsa_test']],
    ])('%s was signed by its centre', async (name, leaf, issuers) => {
      const list = crl(name)
      const certificate = readCertificate(sharedVector(`kz/cms/${leaf}.signer.cer`))
      const issuerPath = issuers.map((issuer) => all.get(issuer)!)
      const status = await revokedByCrl(certificate, issuerPath, [list], { at: list.thisUpdate })
      expect(status.status).toBe('good')
    })
  })
})
