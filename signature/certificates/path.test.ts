import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MalformedError } from '../asn1/read.ts'
import { explicit, nothing, oid, sequence } from '../asn1/write.ts'
import {
  authority,
  basicConstraints,
  extendedKeyUsage,
  extension,
  keyUsage,
  makeName,
} from '../signer/extensions.ts'
import { makeCertificate, type CertificateParts, type Party } from '../signer/issue.ts'
import { makeKeys } from '../testing/make-keys.ts'
import { extensionOids, readCertificate, type Certificate } from './certificate.ts'
import { findPath, type PathOptions, type PathResult } from './path.ts'
import { checkCertificateSigned } from './signed-by.ts'

const at = new Date('2026-01-01T00:00:00Z')
const early = { notBefore: new Date('2024-01-01T00:00:00Z'), notAfter: new Date('2025-01-01T00:00:00Z') }
const late = { notBefore: new Date('2030-01-01T00:00:00Z'), notAfter: new Date('2031-01-01T00:00:00Z') }

async function party(commonName: string, seed = commonName): Promise<Party> {
  return { subject: makeName({ commonName, country: 'KZ' }), keys: await makeKeys('gost-kz-2004', seed) }
}

const [rootParty, centreParty, personParty, stranger] = await Promise.all([
  party('Root'),
  party('Centre'),
  party('Person'),
  party('Stranger'),
])

type Changes = Partial<Record<'root' | 'centre' | 'person', Partial<CertificateParts>>>

/** Root, centre and person, ordinary except for the given changes. */
async function chain(changes: Changes = {}) {
  const root = await makeCertificate({ ...rootParty, extensions: authority(), ...changes.root })
  const centre = await makeCertificate({
    ...centreParty,
    issuer: rootParty,
    extensions: authority(),
    ...changes.centre,
  })
  const person = await makeCertificate({ ...personParty, issuer: centreParty, ...changes.person })
  return { root, centre, person }
}

async function resultOf(changes: Changes, options: Partial<PathOptions> = {}): Promise<PathResult> {
  const { root, centre, person } = await chain(changes)
  return findPath(person, { roots: [root], others: [centre], at, ...options })
}

function outcome(result: PathResult): string {
  return result.ok ? 'ok' : result.problem
}

const otherNames = explicit(0, sequence(explicit(4, makeName({ organization: 'Other' }))))
const othersOnly = extension(extensionOids.nameConstraints, sequence(otherNames), true)
const unknownExtension = (isCritical: boolean) => extension('1.2.398.99.1', nothing(), isCritical)

describe('a chain of three', () => {
  test('is found and valid, and its path is given', async () => {
    const { root, centre, person } = await chain()
    const result = await findPath(person, { roots: [root], others: [centre], at })
    expect(result).toEqual({ ok: true, path: [person, centre, root], policies: [] })
  })

  test.each<[string, Changes, string, 'root' | 'centre' | 'person' | null]>([
    ['the person expired', { person: early }, 'expired', 'person'],
    ['the person is of tomorrow', { person: late }, 'not-yet-valid', 'person'],
    ['the centre expired', { centre: early }, 'issuer-expired', 'centre'],
    ['the centre is of tomorrow', { centre: late }, 'issuer-not-yet-valid', 'centre'],
    ['the root expired', { root: early }, 'anchor-expired', 'root'],
    ['the root is of tomorrow', { root: late }, 'anchor-not-yet-valid', 'root'],
    ['all expired: the person is told', { root: early, centre: early, person: early }, 'expired', 'person'],
    ['the centre is no authority', { centre: { extensions: [] } }, 'not-an-authority', 'centre'],
    [
      'the centre says it is none',
      { centre: { extensions: [basicConstraints(false)] } },
      'not-an-authority',
      'centre',
    ],
    ['the centre is of version 1', { centre: { version: 1 } }, 'not-an-authority', 'centre'],
    [
      'the centre may not sign certificates',
      { centre: { extensions: [basicConstraints(true), keyUsage('cRLSign')] } },
      'key-usage',
      'centre',
    ],
    [
      'the root allows nobody below another',
      { root: { extensions: authority(0) } },
      'path-too-long',
      'centre',
    ],
    [
      'the root allows other names only',
      { root: { extensions: [...authority(), othersOnly] } },
      'name-constraints',
      'centre',
    ],
    [
      'a fault and an expiry: the fault is told',
      { centre: { ...early, extensions: [] } },
      'not-an-authority',
      'centre',
    ],
    [
      'the centre has an unknown critical extension',
      { centre: { extensions: [...authority(), unknownExtension(true)] } },
      'unknown-critical-extension',
      'centre',
    ],
    [
      'the person has an unknown critical extension',
      { person: { extensions: [unknownExtension(true)] } },
      'unknown-critical-extension',
      'person',
    ],
    [
      'an unknown extension that is not critical',
      { person: { extensions: [unknownExtension(false)] } },
      'ok',
      null,
    ],
    [
      'policies that cannot be read',
      { centre: { extensions: [...authority(), extension(extensionOids.certificatePolicies, nothing())] } },
      'malformed-extension',
      'centre',
    ],
    [
      'signed by a stranger in the centre’s name',
      { person: { issuer: { ...centreParty, keys: stranger.keys } } },
      'no-issuer',
      'person',
    ],
    [
      'signed by a stranger who hides his key',
      { person: { issuer: { ...centreParty, keys: stranger.keys }, isBare: true } },
      'wrong-signature',
      'person',
    ],
    ['issued by a stranger', { person: { issuer: stranger } }, 'no-issuer', 'person'],
    ['the centre was issued by a stranger', { centre: { issuer: stranger } }, 'no-issuer', 'centre'],
  ])('%s', async (_, changes, problem, at) => {
    const made = await chain(changes)
    const result = await resultOf(changes)
    expect(outcome(result)).toBe(problem)
    if (!result.ok && at) expect(result.certificate.der).toEqual(made[at].der)
  })

  test.each([
    ['2024-01-01T00:00:00Z', 'ok'],
    ['2034-01-01T00:00:00Z', 'ok'],
    ['2023-12-31T23:59:59Z', 'not-yet-valid'],
    ['2034-01-01T00:00:01Z', 'expired'],
  ])('the first and the last second of validity are included: %s', async (time, expected) => {
    expect(outcome(await resultOf({}, { at: new Date(time) }))).toBe(expected)
  })

  test('the usage of the key is checked if a purpose is given', async () => {
    const extensions = [keyUsage('digitalSignature'), extendedKeyUsage(['1.3.6.1.5.5.7.3.8'])]
    const ask = async (purpose: PathOptions['purpose'] & {}) =>
      outcome(await resultOf({ person: { extensions } }, { purpose }))
    expect(await ask({ keyUsage: ['digitalSignature', 'nonRepudiation'] })).toBe('ok')
    expect(await ask({ keyUsage: ['nonRepudiation'] })).toBe('key-usage')
    expect(await ask({ extendedKeyUsage: '1.3.6.1.5.5.7.3.8' })).toBe('ok')
    expect(await ask({ extendedKeyUsage: '1.3.6.1.5.5.7.3.9' })).toBe('key-usage')
  })

  test('an invalid key is refused even if it has signed nothing', async () => {
    const publicKey = personParty.keys.publicKey.slice()
    publicKey[publicKey.length - 1]! ^= 1
    const keys = { ...personParty.keys, publicKey }
    expect(outcome(await resultOf({ person: { keys } }))).toBe('bad-key')
    const unknown = sequence(sequence(oid('1.3.101.112')), personParty.keys.publicKey.subarray(-69))
    expect(outcome(await resultOf({ person: { keys: { ...keys, publicKey: unknown } } }))).toBe(
      'unknown-algorithm',
    )
  })
})

describe('where trust comes from', () => {
  test('a root that came with the message is not trusted', async () => {
    const { root, centre, person } = await chain()
    const other = await makeCertificate({ ...stranger, extensions: authority() })
    const result = await findPath(person, { roots: [other], others: [centre, root], at })
    expect(outcome(result)).toBe('no-issuer')
    expect(result.path).toEqual([person, centre, root])
  })

  test('a certificate with the name of the root is not the root', async () => {
    const { root } = await chain()
    const namesake = { subject: rootParty.subject, keys: stranger.keys }
    const fake = await makeCertificate({ ...namesake, extensions: authority() })
    const person = await makeCertificate({ ...personParty, issuer: namesake })
    expect(outcome(await findPath(person, { roots: [root], others: [fake], at }))).toBe('wrong-signature')
  })

  test('names that only look the same are not the same', async () => {
    const root = await makeCertificate({ ...rootParty, extensions: authority() })
    const reversed = { keys: rootParty.keys, subject: makeName({ country: 'KZ', commonName: 'Root' }) }
    const person = await makeCertificate({ ...personParty, issuer: reversed })
    expect(outcome(await findPath(person, { roots: [root], others: [], at }))).toBe('no-issuer')
  })

  test('a root is a path of length one', async () => {
    const { root } = await chain()
    expect(await findPath(root, { roots: [root], others: [], at })).toMatchObject({ ok: true, path: [root] })
    const old = await makeCertificate({ ...rootParty, ...early, extensions: authority() })
    expect(outcome(await findPath(old, { roots: [old], others: [], at }))).toBe('anchor-expired')
  })

  test('a trusted centre ends the path', async () => {
    const { centre, person } = await chain()
    expect((await findPath(person, { roots: [centre], others: [], at })).path).toEqual([person, centre])
  })

  test('of two paths the valid one is found, in any order', async () => {
    const { root, centre, person } = await chain()
    const expired = await makeCertificate({
      ...centreParty,
      issuer: rootParty,
      ...early,
      extensions: authority(),
    })
    for (const others of [
      [expired, centre],
      [centre, expired],
    ]) {
      expect((await findPath(person, { roots: [root], others, at })).path).toEqual([person, centre, root])
    }
  })

  test('a new key that is certified by the old one does not count in the length', async () => {
    const newCentre = await party('Centre', 'new key')
    const { root, centre } = await chain({ centre: { extensions: authority(0) } })
    const renewed = await makeCertificate({ ...newCentre, issuer: centreParty, extensions: authority(0) })
    const person = await makeCertificate({ ...personParty, issuer: newCentre })
    const result = await findPath(person, { roots: [root], others: [renewed, centre], at })
    expect(result).toMatchObject({ ok: true, path: [person, renewed, centre, root] })
  })

  test('a centre with path length 0 may have no other centre below it', async () => {
    const sub = await party('Sub')
    const { root, centre } = await chain({ centre: { extensions: authority(0) } })
    const subCentre = await makeCertificate({ ...sub, issuer: centreParty, extensions: authority() })
    const person = await makeCertificate({ ...personParty, issuer: sub })
    const result = await findPath(person, { roots: [root], others: [centre, subCentre], at })
    expect(outcome(result)).toBe('path-too-long')
  })
})

test('no byte of a chain can be changed', async () => {
  const { root, centre, person } = await chain()
  const readOrNull = (der: Uint8Array) => {
    try {
      return readCertificate(der)
    } catch (error) {
      if (error instanceof MalformedError) return null
      throw error
    }
  }
  const change = fc.record({
    isPerson: fc.boolean(),
    place: fc.nat(),
    flip: fc.integer({ min: 1, max: 255 }),
  })
  await fc.assert(
    fc.asyncProperty(change, async ({ isPerson, place, flip }) => {
      const der = (isPerson ? person : centre).der.slice()
      der[place % der.length]! ^= flip
      const changed = readOrNull(der)
      if (!changed) return
      const result = isPerson
        ? await findPath(changed, { roots: [root], others: [centre], at })
        : await findPath(person, { roots: [root], others: [changed], at })
      expect(result.ok).toBe(false)
    }),
    { numRuns: 300 },
  )
})

describe('the work is bounded for', () => {
  function counting(check: typeof checkCertificateSigned) {
    const counter = {
      count: 0,
      check: (...args: Parameters<typeof checkCertificateSigned>) => {
        counter.count++
        return check(...args)
      },
    }
    return counter
  }
  const always = () => Promise.resolve('valid' as const)

  /** Unsigned: for tests in which every signature counts as right. */
  function like(certificate: Certificate, subject: string, issuer: string, key: number): Certificate {
    const id = Uint8Array.of(key >> 16, key >> 8, key)
    return {
      ...certificate,
      der: id,
      subject: makeName({ commonName: subject }),
      issuer: makeName({ commonName: issuer }),
      publicKey: { ...certificate.publicKey, der: id },
      subjectKeyId: null,
      authorityKeyId: null,
    }
  }

  test('5 000 certificates with the name of the issuer', async () => {
    const { root, centre, person } = await chain()
    const others = Array.from({ length: 5000 }, (_, i) => ({
      ...like(centre, '', '', i),
      subject: centre.subject,
      publicKey:
        stranger.keys.publicKey.length > 0
          ? { ...root.publicKey, der: Uint8Array.of(i >> 8, i) }
          : root.publicKey,
    }))
    const counter = counting(checkCertificateSigned)
    const result = await findPath(person, { roots: [root], others, at, check: counter.check })
    expect(outcome(result)).toBe('too-complex')
    expect(counter.count).toBe(64)
  })

  test('5 000 certificates of which the right one is found by its key', async () => {
    const { root, centre, person } = await chain()
    const others = Array.from({ length: 5000 }, (_, i) => ({
      ...like(centre, '', '', i),
      subject: centre.subject,
    }))
    const counter = counting(checkCertificateSigned)
    const result = await findPath(person, {
      roots: [root],
      others: [...others, centre],
      at,
      check: counter.check,
    })
    expect(result.ok).toBe(true)
    expect(counter.count).toBe(2)
  })

  test('two centres that certify each other', async () => {
    const [one, other] = [await party('One'), await party('Other')]
    const { root } = await chain()
    const others = [
      await makeCertificate({ ...one, issuer: other, extensions: authority() }),
      await makeCertificate({ ...other, issuer: one, extensions: authority() }),
      await makeCertificate({ ...one, extensions: authority() }),
    ]
    const person = await makeCertificate({ ...personParty, issuer: one })
    const counter = counting(checkCertificateSigned)
    expect(outcome(await findPath(person, { roots: [root], others, at, check: counter.check }))).toBe(
      'no-issuer',
    )
    expect(counter.count).toBeLessThan(10)
  })

  test('a chain of 10 000 certificates', async () => {
    const { root, centre } = await chain()
    const others = Array.from({ length: 10_000 }, (_, i) => like(centre, `${i}`, `${i + 1}`, i + 1))
    const counter = counting(always)
    const leaf = like(centre, 'leaf', '0', 0)
    expect(outcome(await findPath(leaf, { roots: [root], others, at, check: counter.check }))).toBe(
      'too-complex',
    )
    expect(counter.count).toBeLessThan(10)
  })

  test('ten levels of ten, each certified by all of the next: ten thousand million paths', async () => {
    const { root, centre } = await chain()
    const others = Array.from({ length: 100 }, (_, i) => {
      const level = Math.floor(i / 10)
      return like(centre, `${level}`, `${level + 1}`, i + 1)
    })
    const counter = counting(always)
    const leaf = like(centre, 'leaf', '0', 0)
    expect(outcome(await findPath(leaf, { roots: [root], others, at, check: counter.check }))).toBe(
      'too-complex',
    )
    expect(counter.count).toBe(64)
  })
})
