import { describe, expect, test } from 'vitest'
import { toHex } from '../asn1/values.ts'
import { integer, nothing, octetString, oid, sequence } from '../asn1/write.ts'
import { makeName } from './extensions.ts'
import { makeCertificateDer } from './issue.ts'
import { hasGostEngine, hasOpenssl, openssl, withoutGostEngine, withoutOpenssl } from '../testing/openssl.ts'
import { hasSharedVectors, sharedVector, sharedVectorsIn, skippedWithout } from '../testing/shared-vectors.ts'
import { generateKey, keyKinds, type KeyKind } from './keys.ts'
import { openPkcs12, writePkcs12 } from './pkcs12.ts'

async function entry(kind: KeyKind) {
  const key = await generateKey(kind)
  const subject = makeName({ commonName: 'ТЕСТОВ ТЕСТ', country: 'KZ' })
  return {
    key,
    certificates: [await makeCertificateDer({ subject, keys: key })],
    friendlyName: 'Қол қою кілті',
  }
}

describe.each(keyKinds)('%s', (kind) => {
  test('a file we write opens with its password and with no other', async () => {
    const parts = await entry(kind)
    const file = writePkcs12(parts, 'Qwerty12')
    const opened = await openPkcs12(file, 'Qwerty12')
    if (opened.outcome !== 'opened') throw new Error(opened.outcome)
    const [found] = opened.contents.entries
    expect(opened.contents.entries).toHaveLength(1)
    expect(found?.key.pkcs8).toEqual(parts.key.pkcs8)
    expect(found?.certificate?.der).toEqual(parts.certificates[0])
    expect(found?.friendlyName).toBe(parts.friendlyName)
    for (const wrong of ['qwerty12', 'Qwerty1', '', 'Qwerty12 ']) {
      expect(await openPkcs12(file, wrong)).toEqual({ outcome: 'wrong-password' })
    }
  })
})

const nationalFiles = hasSharedVectors
  ? ['2023-rsa', '2023-gost2004', '2026-gost2015'].flatMap((folder) => sharedVectorsIn(`kz/p12/${folder}`))
  : []

describe.skipIf(!hasSharedVectors)(`files of the national centre${skippedWithout}`, () => {
  test('are found', () => expect(nationalFiles.length).toBeGreaterThanOrEqual(11))

  test.each(nationalFiles)('%s opens, and the key fits the certificate', async (path) => {
    const opened = await openPkcs12(sharedVector(path), 'Qwerty12')
    if (opened.outcome !== 'opened') throw new Error(opened.outcome)
    const [found] = opened.contents.entries
    expect(opened.contents.certificates).toHaveLength(1)
    expect(found?.certificate?.publicKey.der).toEqual(found?.key.publicKey)
    expect(path).toContain(found?.friendlyName?.slice(0, 8))
    expect(toHex(found!.key.keyId)).toBe(found?.friendlyName)
    expect(await openPkcs12(sharedVector(path), 'Qwerty13')).toEqual({ outcome: 'wrong-password' })
  })
})

describe.skipIf(!hasOpenssl)(`OpenSSL${withoutOpenssl}`, () => {
  test.each([['-legacy'], []])(
    'opens what we write, with and without its old algorithms: %s',
    async (...flags) => {
      const parts = await entry('rsa')
      openssl({ 'our.p12': writePkcs12(parts, 'Qwerty12') }, (run) => {
        const open = (password: string) =>
          run('pkcs12', ...flags, '-in', 'our.p12', '-nodes', '-passin', `pass:${password}`)
        expect(open('Qwerty12').output).toContain('BEGIN PRIVATE KEY')
        expect(open('Qwerty12').output).toContain('BEGIN CERTIFICATE')
        expect(open('Qwerty13').isDone).toBe(false)
      })
    },
  )

  test.each([
    ['as it does today', []],
    ['with the old algorithms', ['-legacy']],
    ['without a MAC', ['-nomac']],
    ['with nothing hidden', ['-keypbe', 'NONE', '-certpbe', 'NONE']],
    ['with AES-128 and SHA-1', ['-keypbe', 'AES-128-CBC', '-certpbe', 'AES-128-CBC', '-macalg', 'sha1']],
    ['with 3DES of two keys', ['-keypbe', 'PBE-SHA1-2DES', '-certpbe', 'PBE-SHA1-3DES']],
    ['with RC2 of 128 bits', ['-legacy', '-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-RC2-128']],
    ['with a MAC of SHA-512', ['-macalg', 'sha512', '-iter', '5000']],
  ])('writes %s, and we open it', async (_, flags) => {
    const { key, certificates } = await entry('p-256')
    const file = openssl({ 'key.der': key.pkcs8, 'cert.der': certificates[0]! }, (run) => {
      run('pkey', '-inform', 'DER', '-in', 'key.der', '-out', 'key.pem')
      run('x509', '-inform', 'DER', '-in', 'cert.der', '-out', 'cert.pem')
      const made = run(
        'pkcs12',
        '-export',
        ...flags,
        '-inkey',
        'key.pem',
        '-in',
        'cert.pem',
        '-out',
        'their.p12',
        '-passout',
        'pass:Құпия1aA',
      )
      expect(made.output).toBe('')
      return made.file('their.p12')
    })
    const opened = await openPkcs12(file, 'Құпия1aA')
    if (opened.outcome !== 'opened') throw new Error(opened.outcome)
    expect(opened.contents.entries[0]?.key.publicKey).toEqual(key.publicKey)
    expect(opened.contents.entries[0]?.certificate?.der).toEqual(certificates[0])
    const isOpenToAll = flags.includes('NONE') && !flags.includes('-macalg')
    if (!isOpenToAll) expect(await openPkcs12(file, 'other')).toEqual({ outcome: 'wrong-password' })
  })
})

describe.skipIf(!hasGostEngine)(`OpenSSL with its GOST engine${withoutGostEngine}`, () => {
  test.each(['gost-ru-2001', 'gost-ru-256', 'gost-ru-512'] as const)(
    'writes %s, and we open it',
    async (kind) => {
      const { key, certificates } = await entry(kind)
      const file = openssl({ 'key.der': key.pkcs8, 'cert.der': certificates[0]! }, (run) => {
        const gost = (command: string, ...args: string[]) => run(command, '-engine', 'gost', ...args)
        gost('pkey', '-inform', 'DER', '-in', 'key.der', '-out', 'key.pem')
        gost('x509', '-inform', 'DER', '-in', 'cert.der', '-out', 'cert.pem')
        const files = [
          '-inkey',
          'key.pem',
          '-in',
          'cert.pem',
          '-out',
          'their.p12',
          '-passout',
          'pass:Qwerty12',
        ]
        return gost('pkcs12', '-export', ...files).file('their.p12')
      })
      const opened = await openPkcs12(file, 'Qwerty12')
      if (opened.outcome !== 'opened') throw new Error(opened.outcome)
      expect(opened.contents.entries[0]?.key.publicKey).toEqual(key.publicKey)
      expect(opened.contents.entries[0]?.certificate?.der).toEqual(certificates[0])
    },
  )
})

test('a key of an unknown algorithm does not prevent reading the certificates', async () => {
  const { key, certificates } = await entry('p-256')
  const unknown = {
    ...key,
    pkcs8: sequence(integer(0), sequence(oid('1.3.101.112')), octetString(nothing())),
  }
  const opened = await openPkcs12(writePkcs12({ key: unknown, certificates, friendlyName: 'x' }, 'a'), 'a')
  expect(opened).toMatchObject({ outcome: 'opened', contents: { entries: [], certificates: [{}] } })
})

describe('refusals', () => {
  test('garbage and a truncated file are malformed', async () => {
    const file = writePkcs12(await entry('gost-kz-512'), 'Qwerty12')
    expect(await openPkcs12(new Uint8Array(100), 'Qwerty12')).toEqual({ outcome: 'malformed' })
    expect(await openPkcs12(file.subarray(0, -1), 'Qwerty12')).toEqual({ outcome: 'malformed' })
    expect(await openPkcs12(new Uint8Array(300_000), 'Qwerty12')).toEqual({ outcome: 'malformed' })
  })

  test('a file that would need hours of work is not opened', async () => {
    const file = writePkcs12(await entry('gost-kz-512'), 'Qwerty12')
    // the last number is the count of iterations of the MAC
    expect(file.subarray(-4)).toEqual(Uint8Array.of(2, 2, 4, 0))
    const greedy = Uint8Array.from([...file.subarray(0, -4), 2, 4, 0x7f, 0xff, 0xff, 0xff])
    greedy[3]! += 2
    const macLengthAt = greedy.length - 6 - 22 - 35 - 1
    greedy[macLengthAt]! += 2
    expect(await openPkcs12(greedy, 'Qwerty12')).toEqual({ outcome: 'unsupported' })
  })
})
