/** Compares certificates of the centre with those of the national ones, field by field. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { elements, read } from '@kelisim/signature/asn1/read.ts'
import { latin1, oidOf, toHex } from '@kelisim/signature/asn1/values.ts'
import {
  extensionOids,
  readCertificate,
  type Certificate,
  type Extension,
} from '@kelisim/signature/certificates/certificate.ts'
import { attributesOf } from '@kelisim/signature/certificates/names.ts'
import { readDistributionPoints } from '@kelisim/signature/revocation/distribution-points.ts'
import { openPkcs12 } from '@kelisim/signature/signer/pkcs12.ts'
import {
  hasSharedVectors,
  sharedVector,
  sharedVectorsIn,
  skippedWithout,
} from '@kelisim/signature/testing/shared-vectors.ts'
import { openCentre, type Centre } from './centre.ts'
import type { Order } from './order.ts'
import { allowTime, anOrder, anOrganization, password, temporaryFolder } from './testing.ts'

allowTime()

/** Extensions with the same value wherever the centre is and whatever the key. */
const fixed: readonly string[] = [
  extensionOids.keyUsage,
  extensionOids.extendedKeyUsage,
  extensionOids.basicConstraints,
  extensionOids.certificatePolicies,
  '1.2.398.3.3.5',
]
/** Extensions with an address: their form is compared without it. */
const withAddress: readonly string[] = [
  extensionOids.authorityInfoAccess,
  extensionOids.crlDistributionPoints,
  extensionOids.freshestCrl,
]

/** What two certificates of one profile have in common. */
function formOf(certificate: Certificate) {
  const { version, serial, subject, signatureAlgorithm, publicKey, extensions } = certificate
  return {
    version,
    serialLength: serial.length,
    serialFollowsFromKey: toHex(serial).slice(2) === toHex(certificate.subjectKeyId!).slice(2),
    subject: attributesOf(subject).map(({ oid, value }) => `${oid} ${value.tag}`),
    issuer: attributesOf(certificate.issuer).map(({ oid, value }) => `${oid} ${value.tag}`),
    signatureAlgorithm: toHex(signatureAlgorithm.der),
    keyLength: publicKey.der.length,
    // their order differs from template to template
    extensions: [...extensions.values()].toSorted(byOid).map(({ oid, isCritical, value }) => ({
      oid,
      isCritical,
      ...(fixed.includes(oid) && { value: toHex(value) }),
      ...(withAddress.includes(oid) && { value: withoutAddresses(oid, value) }),
      ...(oid === extensionOids.subjectKeyId && { value: value.length }),
    })),
  }
}

const byOid = (one: Extension, other: Extension) => (one.oid < other.oid ? -1 : 1)

/** The access methods, each once: the order varies, and one certificate repeats everything. */
function withoutAddresses(oid: string, value: Uint8Array): string[] {
  const folderOf = (address: string) => new URL(address).pathname.split('/')[1]
  const found =
    oid === extensionOids.authorityInfoAccess
      ? elements(read(value)).map((access) => {
          const [method, name] = elements(access)
          return `${oidOf(method!.content)} ${folderOf(latin1(name!.content))}`
        })
      : readDistributionPoints(value).map((point) => {
          const [uri] = point.name && 'full' in point.name ? point.name.full : []
          return uri?.form === 'uri' ? `point ${folderOf(uri.text)}` : 'no address'
        })
  expect(found).not.toEqual([])
  return [...new Set(found)].toSorted()
}

const { folder, remove } = temporaryFolder()
let centre: Centre

beforeAll(async () => {
  centre = await openCentre({ folder, address: 'http://centre.example' })
})
afterAll(remove)

async function nationalIn(folder: string, name: string): Promise<Certificate> {
  const path = sharedVectorsIn(`kz/p12/${folder}`).find((one) => one.includes(`/${name}.`))!
  const opened = await openPkcs12(sharedVector(path), password)
  if (opened.outcome !== 'opened') throw new Error(`${path}: ${opened.outcome}`)
  return opened.contents.entries[0]!.certificate!
}

describe.skipIf(!hasSharedVectors)(`certificates have the form of the national ones${skippedWithout}`, () => {
  const role = (role: NonNullable<Order['organization']>['role']) => ({
    organization: { ...anOrganization, role },
  })

  test.each([
    ['2026-gost2015', 'person.sign.valid', { kind: 'gost-kz-512' }],
    ['2026-gost2015', 'ceo.sign.valid', { kind: 'gost-kz-512', ...role('head') }],
    ['2026-gost2015', 'employee.sign.valid', { kind: 'gost-kz-512', ...role('employee') }],
    ['2023-gost2004', 'ceo.sign.valid', { kind: 'gost-kz-2004', ...role('head') }],
    ['2023-gost2004', 'employee.sign.valid', { kind: 'gost-kz-2004', ...role('employee') }],
    ['2023-rsa', 'person.sign.valid', { kind: 'rsa' }],
    ['2023-rsa', 'person.auth.valid', { kind: 'rsa', use: 'authentication' }],
    ['2023-rsa', 'ceo.auth.valid', { kind: 'rsa', use: 'authentication', ...role('head') }],
  ] as [string, string, Partial<Order>][])('%s %s', async (folder, name, order) => {
    const national = formOf(await nationalIn(folder, name))
    const { certificate } = await centre.issue(anOrder(order))
    expect(formOf(certificate)).toEqual(national)
  })

  test('2026-gost2015 signright.sign.valid: the one whose uses are critical the other way round', async () => {
    const national = await nationalIn('2026-gost2015', 'signright.sign.valid')
    const { certificate } = await centre.issue(anOrder(role('signing-right')))
    expect(certificate.extendedKeyUsage).toEqual(national.extendedKeyUsage)
    expect(certificate.keyUsage).toEqual(national.keyUsage)
  })

  test.each([
    ['root_gost_2022', 'prod/root_gost_2022'],
    ['nca_gost_2022', 'prod/nca_gost_2022'],
    ['root_rsa_2020', 'prod/root_rsa_2020'],
    ['nca_rsa_2022', 'prod/nca_rsa_2022'],
  ])('%s', async (name, path) => {
    const national = readCertificate(sharedVector(`kz/ca/${path}.cer`))
    const certificate = centre.certificates.get(name)!
    expect(authorityForm(certificate)).toEqual(authorityForm(national))
    expect(certificate.notAfter).toEqual(national.notAfter)
  })

  test('the timestamp service', async () => {
    const national = readCertificate(sharedVector('kz/ca/test/tsa_gost2015_from_token_2026.cer'))
    const [, clock] = centre.list()
    const form = (certificate: Certificate) => {
      const { extensions, subject, signatureAlgorithm } = formOf(certificate)
      // the production centre's addresses have no folders
      const bare = extensions.map(({ oid, isCritical, value }) => ({
        oid,
        isCritical,
        value: withAddress.includes(oid) ? null : value,
      }))
      return { subject, signatureAlgorithm, extensions: bare }
    }
    expect(form(clock!.certificate)).toEqual(form(national))
  })
})

/**
 * Compares without what differs on purpose: the stand-in's RSA keys are shorter, and some real addresses begin with a
 * space.
 */
function authorityForm(certificate: Certificate) {
  const { keyLength: _, extensions, ...form } = formOf(certificate)
  const compared = extensions.map(({ oid, isCritical, value }) => ({
    oid,
    isCritical,
    ...(oid === extensionOids.keyUsage || oid === extensionOids.basicConstraints ? { value } : {}),
  }))
  return { ...form, extensions: compared, basicConstraints: certificate.basicConstraints }
}

test('every name of the centre says that it is a demo', () => {
  const services = centre.list().slice(0, 5)
  const all = [...centre.certificates.values(), ...services.map(({ certificate }) => certificate)]
  expect(all).toHaveLength(11)
  for (const { subject } of all) expect(Buffer.from(subject).toString('utf8')).toContain('ДЕМО')
})

test('addresses in certificates lead to the centre, an e-mail stands beside the name, a patronymic is optional', async () => {
  const person = { surname: 'Ли', firstName: 'Анна', iin: '900101400123', email: 'anna@example.kz' }
  const { certificate } = await centre.issue(anOrder({ person }))
  const text = Buffer.from(certificate.der).toString('latin1')
  for (const address of [
    'http://centre.example/ocsp',
    'http://centre.example/cert/nca_gost_2022.cer',
    'http://centre.example/crl/nca_gost_2022.crl',
    'http://centre.example/crl/nca_d_gost_2022.crl',
    'anna@example.kz',
  ]) {
    expect(text).toContain(address)
  }
  expect(attributesOf(certificate.subject).map(({ oid }) => oid)).toEqual([
    '2.5.4.3',
    '2.5.4.4',
    '2.5.4.5',
    '2.5.4.6',
  ])
})

test.each([
  [{ kind: 'gost-kz-2004', use: 'authentication' }, 'for signing only'],
  [{ password: 'simple' }, 'A password has'],
  [{ person: { surname: 'А', firstName: 'Б', iin: '12345678901' } }, 'The IIN has'],
  [{ person: { surname: ' ', firstName: 'Б', iin: '123456789011' } }, 'A person has'],
  [{ person: { surname: 'А', firstName: 'Б', iin: '123456789011', email: 'почта' } }, 'An e-mail'],
  [{ organization: { ...anOrganization, bin: 'BIN123456789' } }, 'The BIN has'],
  [{ organization: { ...anOrganization, name: '' } }, 'An organisation has'],
  [{ notBefore: new Date('2026-02-01'), notAfter: new Date('2026-01-01') }, 'It ends before'],
] as [Partial<Order>, string][])('an order of %o is refused', async (parts, why) => {
  await expect(centre.issue(anOrder(parts))).rejects.toThrow(why)
})
