import { describe, expect, test } from 'vitest'
import { printableString, ia5String, oid, sequence, setOf, utf8String } from '../asn1/write.ts'
import { extendedKeyUsage, extension, keyUsage, makeName } from '../signer/extensions.ts'
import { makeCertificate } from '../signer/issue.ts'
import type { KeyKind } from '../signer/keys.ts'
import { makeKeys } from '../testing/make-keys.ts'
import { hasSharedVectors, sharedVector, skippedWithout } from '../testing/shared-vectors.ts'
import { extensionOids, readCertificate, type KeyUse } from './certificate.ts'
import { ncaProfile } from './nca-profile.ts'
import { nameOids } from './names.ts'

const keys = await makeKeys('gost-kz-512', 'person')

async function profileOf(subject: Uint8Array, extensions: Uint8Array[] = []) {
  return ncaProfile(await makeCertificate({ subject, keys, extensions }))
}

type Attribute = [keyof typeof nameOids, string]

/** Builds hostile names too: any attribute any number of times. */
function nameOf(...attributes: Attribute[]) {
  return sequence(
    ...attributes.map(([kind, text]) => setOf([sequence(oid(nameOids[kind]), utf8String(text))])),
  )
}

test('the profile of the head of an organisation is read as the centre writes it', async () => {
  const subject = makeName({
    commonName: 'ТЕСТОВ ТЕСТ',
    surname: 'ТЕСТОВ',
    serialNumber: 'IIN123456789011',
    country: 'KZ',
    organization: 'АО "ТЕСТ"',
    organizationalUnit: 'BIN123456789021',
    givenName: 'ТЕСТОВИЧ',
  })
  const extensions = [
    keyUsage('digitalSignature', 'nonRepudiation', 'keyAgreement'),
    extendedKeyUsage(['1.3.6.1.5.5.7.3.4', '1.2.398.3.3.4.1.2', '1.2.398.3.3.4.1.2.1']),
    extension(extensionOids.subjectAltName, sequence(emailName('info@gov.kz'))),
  ]
  expect(await profileOf(subject, extensions)).toEqual({
    commonName: 'ТЕСТОВ ТЕСТ',
    surname: 'ТЕСТОВ',
    givenName: 'ТЕСТОВИЧ',
    iin: '123456789011',
    bin: '123456789021',
    hasUnclearBin: false,
    organization: 'АО "ТЕСТ"',
    systemId: null,
    email: 'info@gov.kz',
    roles: ['legal-entity', 'head'],
    keyUse: 'both',
  })
})

function emailName(text: string) {
  const bytes = ia5String(text)
  bytes[0] = 0x81
  return bytes
}

describe('an identity that is not unambiguous is not read', () => {
  test.each<[string, Attribute[]]>([
    ['none', []],
    [
      'two of them',
      [
        ['serialNumber', 'IIN123456789011'],
        ['serialNumber', 'IIN123456789012'],
      ],
    ],
    [
      'the same twice',
      [
        ['serialNumber', 'IIN123456789011'],
        ['serialNumber', 'IIN123456789011'],
      ],
    ],
    [
      'another number beside it',
      [
        ['serialNumber', 'IIN123456789011'],
        ['serialNumber', '7'],
      ],
    ],
    ['eleven digits', [['serialNumber', 'IIN12345678901']]],
    ['thirteen digits', [['serialNumber', 'IIN1234567890123']]],
    ['without its letters', [['serialNumber', '123456789011']]],
    ['small letters', [['serialNumber', 'iin123456789011']]],
    ['Arabic digits', [['serialNumber', 'IIN١٢٣٤٥٦٧٨٩٠١١']]],
    ['wide digits', [['serialNumber', 'IIN１２３４５６７８９０１１']]],
    ['a space after it', [['serialNumber', 'IIN123456789011 ']]],
    ['a line end after it', [['serialNumber', 'IIN123456789011\n']]],
    ['a zero octet after it', [['serialNumber', 'IIN123456789011\0']]],
    ['in the unit', [['organizationalUnit', 'IIN123456789011']]],
    ['in the common name', [['commonName', 'IIN123456789011']]],
  ])('no IIN: %s', async (_, attributes) => {
    expect((await profileOf(nameOf(...attributes))).iin).toBeNull()
  })

  test.each<[string, Attribute[]]>([
    ['none', []],
    [
      'two of them',
      [
        ['organizationalUnit', 'BIN123456789021'],
        ['organizationalUnit', 'BIN123456789022'],
      ],
    ],
    [
      'one in Cyrillic beside it',
      [
        ['organizationalUnit', 'BIN123456789021'],
        ['organizationalUnit', 'ВIN123456789022'],
      ],
    ],
    [
      'one in other digits beside it',
      [
        ['organizationalUnit', 'BIN123456789021'],
        ['organizationalUnit', 'BIN١٢٣٤٥٦٧٨٩٠٢٢'],
      ],
    ],
    [
      'bare digits beside it',
      [
        ['organizationalUnit', 'BIN123456789021'],
        ['organizationalUnit', '123456789022'],
      ],
    ],
    ['in the serial number', [['serialNumber', 'BIN123456789021']]],
    ['in the organisation', [['organization', 'BIN123456789021']]],
    ['Cyrillic letters', [['organizationalUnit', 'ВIN123456789021']]],
    ['a space within', [['organizationalUnit', 'BIN 123456789021']]],
  ])('no BIN: %s', async (_, attributes) => {
    const isClaimed = attributes.some(([kind]) => kind === 'organizationalUnit')
    expect(await profileOf(nameOf(...attributes))).toMatchObject({ bin: null, hasUnclearBin: isClaimed })
  })

  test('a department beside the BIN does not make it unclear', async () => {
    const name = nameOf(['organizationalUnit', 'Бухгалтерия'], ['organizationalUnit', 'BIN123456789021'])
    expect(await profileOf(name)).toMatchObject({ bin: '123456789021', hasUnclearBin: false })
  })

  test('several attributes in one relative name count separately', async () => {
    const iin = (digits: string) => sequence(oid(nameOids.serialNumber), printableString(`IIN${digits}`))
    const name = sequence(setOf([iin('123456789011'), iin('123456789012')]))
    expect((await profileOf(name)).iin).toBeNull()
  })

  test('an alternative name that cannot be read is ignored', async () => {
    const broken = extension(extensionOids.subjectAltName, Uint8Array.of(0x30, 5, 1))
    expect((await profileOf(nameOf(['email', 'a@b.kz']), [broken])).email).toBe('a@b.kz')
  })
})

describe('roles', () => {
  test.each([
    [['1.2.398.3.3.4.1.1'], ['individual']],
    [
      ['1.2.398.3.3.4.1.2', '1.2.398.3.3.4.1.2.2'],
      ['legal-entity', 'signing-right'],
    ],
    [
      ['1.2.398.3.3.4.1.2', '1.2.398.3.3.4.1.2.3'],
      ['legal-entity', 'financial-signing-right'],
    ],
    [
      ['1.2.398.3.3.4.1.2', '1.2.398.3.3.4.1.2.4'],
      ['legal-entity', 'human-resources'],
    ],
    [
      ['1.2.398.3.3.4.1.2', '1.2.398.3.3.4.1.2.5'],
      ['legal-entity', 'employee'],
    ],
    [
      ['1.2.398.3.3.4.1.2', '1.2.398.3.3.4.1.2.6', '1.2.398.3.3.4.1.2.6.7'],
      ['legal-entity', 'information-system'],
    ],
    [['1.2.398.3.3.4.1.2.61', '1.2.398.3.3.4.1.3'], []],
  ])('%j', async (oids, roles) => {
    expect((await profileOf(nameOf(), [extendedKeyUsage(oids)])).roles).toEqual(roles)
  })
})

describe('what the key is for', () => {
  const client = '1.3.6.1.5.5.7.3.2'
  test.each<[string, KeyKind, KeyUse[], string[], string]>([
    ['GOST 2015', 'gost-kz-512', ['digitalSignature', 'nonRepudiation', 'keyAgreement'], [], 'both'],
    ['GOST 2004', 'gost-kz-2004', ['digitalSignature', 'nonRepudiation'], [], 'signature'],
    ['P-256 to sign in', 'p-256', ['digitalSignature', 'keyEncipherment'], [client], 'authentication'],
    ['without the purpose of a client', 'p-256', ['digitalSignature', 'keyEncipherment'], [], 'neither'],
    ['a time-stamping authority', 'gost-kz-512', ['digitalSignature'], ['1.3.6.1.5.5.7.3.8'], 'neither'],
  ])('%s', async (_, kind, uses, purposes, expected) => {
    const own = await makeKeys(kind, 'x')
    const extensions = [keyUsage(...uses), ...(purposes.length > 0 ? [extendedKeyUsage(purposes)] : [])]
    const certificate = await makeCertificate({ subject: nameOf(), keys: own, extensions })
    expect(ncaProfile(certificate).keyUse).toBe(expected)
  })
})

describe.skipIf(!hasSharedVectors)(`certificates of the centre${skippedWithout}`, () => {
  test.each([
    ['gost2015-person', { iin: '123456789011', bin: null, roles: ['individual'], keyUse: 'both' }],
    [
      'gost2004-ceo',
      { iin: '123456789011', bin: '123456789021', roles: ['legal-entity', 'head'], keyUse: 'signature' },
    ],
    ['rsa-person', { iin: '123456789011', bin: null, roles: ['individual'], keyUse: 'signature' }],
  ])('%s', (name, expected) => {
    const profile = ncaProfile(readCertificate(sharedVector(`kz/cms/${name}.signer.cer`)))
    expect(profile).toMatchObject({ commonName: 'ТЕСТОВ ТЕСТ', surname: 'ТЕСТОВ', ...expected })
  })
})
