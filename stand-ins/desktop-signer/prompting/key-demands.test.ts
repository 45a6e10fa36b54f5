import { beforeAll, expect, test } from 'vitest'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import { extendedKeyUsage, keyUsage, makeName } from '@kelisim/signature/signer/extensions.ts'
import { daysLater } from '@kelisim/signature/testing/nation.ts'
import { pem } from '../../shared/pem.ts'
import { call, connected, keyOf, oids, preset, running, signerNation, type Owner } from '../testing.ts'

let people: Awaited<ReturnType<typeof signerNation>>
let keys: Record<'person' | 'head' | 'login' | 'late' | 'foreign', Owner>

beforeAll(async () => {
  people = await signerNation('gost-kz-2004', 'Demands')
  const { nation, person } = people
  const subject = makeName({
    commonName: 'ТЕСТОВ ТЕСТ',
    serialNumber: 'IIN800202300456',
    country: 'KZ',
    organization: 'ТОО "ТЕСТ"',
    organizationalUnit: 'BIN123456789021',
  })
  const signs = keyUsage('digitalSignature', 'nonRepudiation')
  keys = {
    person,
    head: await keyOf(nation, 'ГЛАВА', {
      subject,
      extensions: [signs, extendedKeyUsage([oids.emailProtection, oids.legalEntity, oids.head])],
    }),
    login: await keyOf(nation, 'ВХОД', {
      extensions: [
        keyUsage('digitalSignature', 'keyEncipherment'),
        extendedKeyUsage([oids.clientAuth, oids.individual]),
      ],
    }),
    late: await keyOf(nation, 'ПОЗДНИЙ', { notBefore: daysLater(-300), notAfter: daysLater(-1) }),
    foreign: (await signerNation('gost-kz-2004', 'Abroad')).person,
  }
})

const outcome = (owner: Owner, signer: object, params: object = {}) =>
  running({ keys: owner, roots: people.roots }, async ({ url }) => {
    const signing = call(await connected(url), 'basicsSignCMS', null, 'x', params, signer)
    return signing.then(
      () => 'signed',
      (error: Error) => /\((.*)\)/.exec(error.message)?.[1],
    )
  })

const any = { extKeyUsageOids: [] }
test.each([
  ['a person for anybody', 'person', any, 'signed'],
  ['a person for a person', 'person', 'basicsSignerSignPerson', 'signed'],
  ['a person for an organisation', 'person', 'basicsSignerSignOrg', 'KEY_NOT_FOUND'],
  ['a head for an organisation', 'head', 'basicsSignerSignOrg', 'signed'],
  ['a head for a head', 'head', 'basicsSignerSignHead', 'signed'],
  ['a head for an employee', 'head', 'basicsSignerSignEmployee', 'KEY_NOT_FOUND'],
  ['a key to sign in with, to sign with', 'login', 'basicsSignerSignAny', 'KEY_NOT_FOUND'],
  ['a key to sign in with, to sign in with', 'login', 'basicsSignerAuthPerson', 'signed'],
  ['this IIN', 'person', { ...any, iin: '900101300123' }, 'signed'],
  ['another IIN', 'person', { ...any, iin: '900101300124' }, 'KEY_NOT_FOUND'],
  ['this BIN', 'head', { ...any, bin: '123456789021' }, 'signed'],
  ['a BIN of a person who has none', 'person', { ...any, bin: '123456789021' }, 'KEY_NOT_FOUND'],
  ['numbers left empty', 'person', { ...any, iin: '', bin: '', serialNumber: '' }, 'signed'],
  ['another serial number', 'person', { ...any, serialNumber: 'ff' }, 'KEY_NOT_FOUND'],
  ['expired', 'late', any, 'CERTIFICATE_DATE_NOT_VALID'],
  ['expired, of any centre', 'late', { ...any, chain: [] }, 'CERTIFICATE_DATE_NOT_VALID'],
  ['of a centre the program does not know', 'foreign', any, 'CERTPATH_BUILDING_FAILURE'],
  ['of any centre', 'foreign', 'basicsSignerTestAny', 'signed'],
] as const)('%s: %s', async (_, who, signer, expected) => {
  expect(await outcome(keys[who], typeof signer === 'string' ? (preset(signer) as object) : signer)).toBe(
    expected,
  )
})

test('a key with the demanded serial number may sign, in either case of its letters', async () => {
  const number = toHex(keys.person.certificate.serial)
  for (const serialNumber of [number, number.toUpperCase(), `0${number}`]) {
    expect(await outcome(keys.person, { ...any, serialNumber })).toBe('signed')
  }
})

test('expired keys may sign if the page allows them', async () => {
  expect(await outcome(keys.late, any, { allowExpired: true })).toBe('signed')
})

test('only keys of the chain that the page names may sign', async () => {
  const { nation } = people
  const chain = [nation.centre, nation.root].map(({ der }) => pem('CERTIFICATE', der))
  expect(await outcome(keys.person, { ...any, chain })).toBe('signed')
  expect(await outcome(keys.foreign, { ...any, chain })).toBe('CERTPATH_BUILDING_FAILURE')
})

test('commonUtils accepts keys of the kind that it names, if any', async () => {
  const tryWith = (owner: Owner, keyType: string) =>
    running({ keys: owner }, async ({ url }) =>
      call(await connected(url), 'createCAdESFromBase64', 'PKCS12', 'MTEK', keyType).then(
        () => 'signed',
        (error: Error) => error.message,
      ),
    )
  expect(await tryWith(keys.person, 'SIGNATURE')).toBe('signed')
  expect(await tryWith(keys.person, 'AUTHENTICATION')).toBe('500: KEY_NOT_FOUND')
  expect(await tryWith(keys.login, 'AUTHENTICATION')).toBe('signed')
  expect(await tryWith(keys.login, 'SIGNATURE')).toBe('500: KEY_NOT_FOUND')
  expect(await tryWith(keys.login, 'whatever')).toBe('signed')
})

test('one key of GOST 34.10-2015 serves for signing and for authentication', async () => {
  const { person } = await signerNation('gost-kz-512', 'Both')
  await running({ keys: person }, async ({ url }) => {
    const client = await connected(url)
    for (const keyType of ['SIGNATURE', 'AUTHENTICATION']) {
      expect(await call(client, 'createCAdESFromBase64', 'PKCS12', 'MTEK', keyType)).toMatch(/^MI/)
    }
  })
})
