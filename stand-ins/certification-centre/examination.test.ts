/** The signature engine checks what the centre issues and responds. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { checkSigned } from '@kelisim/signature/certificates/signed-by.ts'
import { ncaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import { findPath } from '@kelisim/signature/certificates/path.ts'
import { signAttached, withTimestamp, type CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { readTimestampResponse, timestampRequest } from '@kelisim/signature/timestamps/timestamp.ts'
import type { Fault } from './faults.ts'
import { families, familyKinds } from './families.ts'
import { organizationRoles, type Order } from './order.ts'
import { startCertificationCentre, type CertificationCentre } from './server.ts'
import {
  allowTime,
  anOrder,
  anOrganization,
  bytesAt,
  document,
  evidenceOverHttp,
  foundIn,
  post,
  signerFrom,
  temporaryFolder,
} from './testing.ts'

allowTime()

const { folder, remove } = temporaryFolder()
let running: CertificationCentre
/** How far the centre's clock is behind, in milliseconds. */
let behind = 0

beforeAll(async () => {
  running = await startCertificationCentre({ port: 0, folder, clock: () => new Date(Date.now() - behind) })
})
afterEach(() => running.faults.set({ ocsp: 'ok', crl: 'ok', tsp: 'ok' }))
afterAll(async () => {
  await running.close()
  remove()
})

const issued = async (parts: Partial<Order> = {}) => signerFrom(await running.centre.issue(anOrder(parts)))
const serialOf = ({ certificate }: CmsSigner) => ({
  serial: Buffer.from(certificate.serial).toString('hex'),
})

describe.each(familyKinds)('%s', (kind) => {
  test('a signature by an issued key passes, with every service asked and required', async () => {
    const signer = await issued({ kind })
    const strict = { signingCertificate: 'required', issuerRevocation: 'required' } as const
    expect(await foundIn(running.centre, signer, { ...strict, revocation: 'ocsp' })).toEqual([])
    expect(await foundIn(running.centre, signer, { ...strict, revocation: 'crl' })).toEqual([])
  })

  test('a signature by a revoked key fails at once, by OCSP, by the full list and by the delta', async () => {
    const signer = await issued({ kind })
    running.centre.revoke(serialOf(signer), 'keyCompromise')
    const by = (...kinds: ('ocsp' | 'crl')[]) =>
      foundIn(running.centre, signer, { evidence: evidenceOverHttp(kinds) })
    expect(await by('ocsp')).toEqual(['revoked-by-ocsp'])
    expect(await by('crl')).toEqual(['revoked-by-crl'])
    const delta = await bytesAt(`${running.url}/crl/${families[kind].centre.delta}.crl`)
    expect(Buffer.from(delta).includes(Buffer.from(signer.certificate.serial))).toBe(true)
  })

  test('a signature by a key on hold fails, and passes again when the hold ends', async () => {
    const signer = await issued({ kind })
    running.centre.hold(serialOf(signer))
    for (const one of ['ocsp', 'crl'] as const) {
      expect(await foundIn(running.centre, signer, { evidence: evidenceOverHttp([one]) })).toEqual([
        'on-hold',
      ])
    }
    running.centre.unhold(serialOf(signer))
    expect(await foundIn(running.centre, signer)).toEqual([])
    running.centre.hold(serialOf(signer))
    running.centre.revoke(serialOf(signer))
    expect(await foundIn(running.centre, signer)).toEqual(['revoked-by-ocsp'])
  })
})

describe('timestamps', () => {
  async function stamped(signer: CmsSigner, policy?: string): Promise<Uint8Array> {
    const cms = await signAttached(document, signer, { signingTime: new Date() })
    return withTimestamp(cms, 0, async (signature) => {
      const imprint = hash('streebog-512', signature)
      const request = timestampRequest({ hash: 'streebog-512', imprint, ...(policy && { policy }) })
      const answer = await post(`${running.url}/tsp`, 'application/timestamp-query', request)
      return readTimestampResponse(answer).token!
    })
  }
  const required = { timestamp: 'required' } as const

  test.each([undefined, '1.2.398.3.3.2.6.4', '1.2.398.3.3.2.6.2'])(
    'by policy %s are accepted',
    async (policy) => {
      const signer = await issued()
      expect(
        await foundIn(running.centre, signer, { ...required, cms: await stamped(signer, policy) }),
      ).toEqual([])
    },
  )

  test('keep a signature valid that was stamped before its key was revoked', async () => {
    const minute = 60 * 1000
    const signer = await issued({ notBefore: new Date(Date.now() - 10 * minute) })
    behind = minute
    const cms = await stamped(signer)
    behind = 0
    running.centre.revoke(serialOf(signer), 'cessationOfOperation')
    expect(await foundIn(running.centre, signer, { ...required, cms })).toEqual([])
    expect(await foundIn(running.centre, signer)).toEqual(['revoked-by-ocsp'])
  })

  test('by an untrusted service are not accepted', async () => {
    running.faults.set({ tsp: 'wrong-signer' })
    const signer = await issued()
    const cms = await stamped(signer)
    expect(await foundIn(running.centre, signer, { ...required, cms })).toEqual(['timestamp-untrusted'])
  })
})

describe('whatever goes wrong, nothing is accepted unchecked', () => {
  test.each([
    ['down', 'ocsp-unreachable', 'crl-unreachable'],
    ['garbage', 'ocsp-unreachable', 'crl-unreachable'],
    ['try-later', 'ocsp-unreachable', 'crl-unreachable'],
    ['old', 'revocation-stale', 'revocation-stale'],
    ['wrong-signer', 'ocsp-untrusted', 'crl-untrusted'],
  ] as const)('%s', async (fault: Fault, byOcsp, byCrl) => {
    const signer = await issued()
    running.faults.set({ ocsp: fault })
    expect(await foundIn(running.centre, signer, { revocation: 'ocsp' })).toEqual([byOcsp])
    // the CRLs still decide
    expect(await foundIn(running.centre, signer)).toEqual([])
    running.faults.set({ ocsp: 'ok', crl: fault })
    expect((await foundIn(running.centre, signer, { revocation: 'crl' })).at(0)).toBe(byCrl)
    running.faults.set({ ocsp: 'ok', crl: 'ok' })
    expect(await foundIn(running.centre, signer)).toEqual([])
  })

  test('slow: there is no answer until the fault is cleared', async () => {
    const signer = await issued()
    running.faults.set({ ocsp: 'slow' })
    const waiting = foundIn(running.centre, signer)
    expect(await Promise.race([waiting, fetch(`${running.url}/faults`).then(() => 'waiting')])).toBe(
      'waiting',
    )
    running.faults.set({ ocsp: 'ok' })
    expect(await waiting).toEqual([])
    running.faults.set({ ocsp: { slow: 1 } })
    expect(await foundIn(running.centre, signer)).toEqual([])
  })
})

test('the status of the centre’s own services is asked too: no timestamps of a revoked service are accepted', async () => {
  const clock = running.centre
    .list()
    .find(({ certificate }) => ncaProfile(certificate).commonName?.includes('TIME'))!
  running.centre.hold({ serial: clock.serial })
  const signer = await issued()
  const cms = await withTimestamp(
    await signAttached(document, signer, { signingTime: new Date() }),
    0,
    async (signature) => {
      const request = timestampRequest({ hash: 'sha-256', imprint: hash('sha-256', signature) })
      return readTimestampResponse(await post(`${running.url}/tsp`, 'application/timestamp-query', request))
        .token!
    },
  )
  expect(await foundIn(running.centre, signer, { cms })).toContain('timestamp-untrusted')
  running.centre.unhold({ keyId: clock.keyId })
  expect(await foundIn(running.centre, signer, { cms })).toEqual([])
})

test('every certificate, whoever it is for, leads to its root and says whose it is', async () => {
  const word = fc.stringMatching(/^[А-ЯӘҒҚҢӨҰҮІа-яәғқңөұүі]{1,20}$/)
  const number = fc.stringMatching(/^[0-9]{12}$/)
  const orders: fc.Arbitrary<Order> = fc.record({
    // RSA keys take long to generate and make no difference here
    kind: fc.constantFrom('gost-kz-512', 'gost-kz-2004'),
    person: fc.record({
      surname: word,
      firstName: word,
      patronymic: fc.option(word, { nil: null }),
      iin: number,
    }),
    organization: fc.record({
      name: fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }).filter((name) => name.trim() !== ''),
      bin: number,
      role: fc.constantFrom(...organizationRoles),
    }),
    password: fc.constant('Qwerty12'),
  })
  const { roots, centres: others } = running.centre
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const { certificate } = await running.centre.issue(order)
      const path = await findPath(certificate, { roots, others, at: new Date() })
      expect(path.ok && path.path.length).toBe(3)
      expect(await checkSigned(certificate, path.path[1]!.publicKey)).toBe('valid')
      const profile = ncaProfile(certificate)
      const { person, organization } = order
      expect([profile.iin, profile.bin]).toEqual([person.iin, organization!.bin])
      expect(profile.roles).toEqual(['legal-entity', organization!.role])
      expect(profile.givenName).toBe(person.patronymic?.toUpperCase() ?? null)
      expect(profile.commonName).toBe(`${person.surname} ${person.firstName}`.toUpperCase())
    }),
    { numRuns: 25 },
  )
})

test.each([
  [{ kind: 'gost-kz-512' }, 'both', 'GOST512_'],
  [{ kind: 'gost-kz-512', use: 'authentication', organization: anOrganization }, 'both', 'GOST512_'],
  [{ kind: 'gost-kz-2004', organization: anOrganization }, 'signature', 'GOSTKNCA_'],
  [{ kind: 'rsa' }, 'signature', 'RSA256_'],
  [{ kind: 'rsa', use: 'authentication' }, 'authentication', 'AUTH_RSA256_'],
] as [Partial<Order>, string, string][])('a key for %o is for: %s', async (parts, keyUse, prefix) => {
  const { certificate, fileName, keyId } = await running.centre.issue(anOrder(parts))
  expect(ncaProfile(certificate).keyUse).toBe(keyUse)
  expect(fileName).toBe(`${prefix}${keyId}.p12`)
})

test('the verify command finds a signature TOTAL-PASSED, with files of the centre alone', async () => {
  const signer = await issued({ organization: anOrganization })
  const at = (name: string) => join(dirname(folder), name)
  writeFileSync(at('signed.cms'), await signAttached(document, signer, { signingTime: new Date() }))
  writeFileSync(at('list.crl'), await running.centre.crl('gost-kz-512', 'full'))
  const args = ['--roots', join(folder, 'roots'), '--certs', join(folder, 'centres'), '--crl', at('list.crl')]
  const command = spawnSync(process.execPath, ['scripts/verify.ts', ...args, at('signed.cms')], {
    encoding: 'utf8',
  })
  expect(command.stderr).toBe('')
  expect(JSON.parse(command.stdout)).toMatchObject({ verdict: 'TOTAL-PASSED' })
})
