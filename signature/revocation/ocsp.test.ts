import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { MalformedError } from '../asn1/read.ts'
import { integer, nothing, octetString } from '../asn1/write.ts'
import { readCertificate, type Certificate } from '../certificates/certificate.ts'
import {
  authority,
  extendedKeyUsage,
  extension,
  keyUsage,
  makeName,
  ocspNoCheck,
} from '../signer/extensions.ts'
import { makeCertificate, type CertificateParts, type Party } from '../signer/issue.ts'
import { keyKinds, type SigningKey } from '../signer/keys.ts'
import {
  answerOcsp,
  readOcspRequest,
  refuseOcsp,
  type OcspAnswer,
  type OcspParts,
} from '../signer/ocsp-responder.ts'
import { makeKeys } from '../testing/make-keys.ts'
import { hasOpenssl, openssl, withoutOpenssl } from '../testing/openssl.ts'
import { revokedByOcsp, type OcspDemands } from './by-ocsp.ts'
import { certIdOf, ocspOids, ocspRequest, readBasicOcspResponse, readOcspResponse } from './ocsp.ts'

const at = new Date('2026-06-01T00:00:00Z')
const minutes = (count: number) => new Date(Number(at) + count * 60_000)
const centreName = makeName({ commonName: 'Centre', country: 'KZ' })
const responderName = makeName({ commonName: 'Responder', country: 'KZ' })

let centre: Party
let responder: Party
let issuer: Certificate
let leaf: Certificate
let responderCertificate: Certificate

beforeAll(async () => {
  const keys = (seed: string) => makeKeys('gost-kz-2004', seed)
  centre = { subject: centreName, keys: await keys('centre') }
  responder = { subject: responderName, keys: await keys('responder') }
  issuer = await makeCertificate({ ...centre, extensions: authority() })
  leaf = await makeCertificate({
    subject: makeName({ commonName: 'Person' }),
    keys: await keys('person'),
    issuer: centre,
  })
  responderCertificate = await issueResponder({})
})

const forOcsp = () => [keyUsage('digitalSignature'), extendedKeyUsage([ocspOids.signing]), ocspNoCheck()]

function issueResponder(parts: Partial<CertificateParts>): Promise<Certificate> {
  return makeCertificate({ ...responder, issuer: centre, extensions: forOcsp(), ...parts })
}

const good = (changed: Partial<OcspAnswer> = {}): OcspAnswer => ({
  question: certIdOf(leaf.serial, issuer, 'sha-256'),
  status: 'good',
  thisUpdate: minutes(-30),
  nextUpdate: minutes(30),
  ...changed,
})

async function answer(changed: Partial<OcspParts> = {}) {
  const bytes = await answerOcsp({
    responder,
    producedAt: minutes(-30),
    answers: [good()],
    certificates: [responderCertificate.der],
    ...changed,
  })
  return readOcspResponse(bytes).basic!
}

async function judged(changed: Partial<OcspParts> = {}, demands: Partial<OcspDemands> = {}) {
  const finding = await revokedByOcsp(leaf, issuer, await answer(changed), { at, ...demands })
  return finding.status === 'unknown' ? finding.problem : finding.status
}

describe('answers made by other software', () => {
  const vector = (path: string) => new Uint8Array(readFileSync(`signature/fixtures/vectors/${path}`))
  const theirIssuer = readCertificate(vector('certs/kz512.inter.cer'))
  const theirLeaf = readCertificate(vector('certs/kz512.leaf.cer'))
  const judge = (file: string, time = at) =>
    revokedByOcsp(theirLeaf, theirIssuer, readOcspResponse(vector(`ocsp/${file}.der`)).basic!, { at: time })

  test('are good, or revoked since the time that they name', async () => {
    expect(await judge('good')).toMatchObject({
      status: 'good',
      thisUpdate: new Date('2026-05-31T23:00:00Z'),
    })
    const revoked = await judge('revoked')
    expect(revoked).toMatchObject({ status: 'revoked' })
    expect(revoked.status === 'revoked' && revoked.revokedAt < at).toBe(true)
  })

  test('are stale after their end', async () => {
    expect(await judge('good', new Date('2026-06-01T12:00:01Z'))).toEqual({
      status: 'unknown',
      problem: 'stale',
    })
  })

  test('are worthless with any bit flipped', async () => {
    const bytes = vector('ocsp/good.der')
    for (let i = 0; i < bytes.length; i += 7) {
      const spoilt = bytes.with(i, bytes[i]! ^ (1 << (i % 8)))
      const outcome = await outcomeOf(spoilt, theirLeaf, theirIssuer)
      // the responder's certificate has parts that are irrelevant here, and has a signature of its own
      expect(outcome, `octet ${i}`).not.toBe('good')
    }
  })
})

async function outcomeOf(bytes: Uint8Array, certificate: Certificate, by: Certificate) {
  try {
    const { status, basic } = readOcspResponse(bytes)
    return basic ? (await revokedByOcsp(certificate, by, basic, { at })).status : status
  } catch (error) {
    if (error instanceof MalformedError) return 'malformed'
    throw error
  }
}

describe('who may answer', () => {
  test('the issuer itself, by its name or by its key', async () => {
    expect(await judged({ responder: centre, certificates: [] })).toBe('good')
    expect(await judged({ responder: centre, by: 'key', certificates: [] })).toBe('good')
  })

  test('a responder with a certificate by the issuer, by name or by key', async () => {
    expect(await judged()).toBe('good')
    expect(await judged({ by: 'key' })).toBe('good')
  })

  test('a responder whose certificate is at hand instead of in the answer', async () => {
    expect(await judged({ certificates: [] })).toBe('not-authorised')
    expect(await judged({ certificates: [] }, { others: [responderCertificate] })).toBe('good')
  })

  const other = async (seed: string, subject: Uint8Array): Promise<Party> => ({
    subject,
    keys: await makeKeys('gost-kz-2004', seed),
  })

  test.each([
    ['without the usage', () => ({ extensions: [keyUsage('digitalSignature')] })],
    ['with a key for something else', () => ({ extensions: [keyUsage('keyAgreement'), forOcsp()[1]!] })],
    ['expired', () => ({ notAfter: minutes(-1) })],
    ['not yet valid', () => ({ notBefore: minutes(1) })],
    [
      'with a critical extension nobody knows',
      () => ({ extensions: [...forOcsp(), extension('1.2.3', nothing(), true)] }),
    ],
    ['issued by itself', () => ({ issuer: responder })],
    [
      'of an issuer with another name',
      () => ({ issuer: { ...centre, subject: makeName({ commonName: 'X' }) } }),
    ],
  ])('not a responder %s', async (_, parts) => {
    const certificate = await issueResponder(parts())
    expect(await judged({ certificates: [certificate.der] })).toBe('not-authorised')
  })

  test('not a responder whose certificate was signed by a namesake of the issuer', async () => {
    const namesake = await other('namesake', centreName)
    const certificate = await issueResponder({ issuer: namesake })
    expect(await judged({ certificates: [certificate.der] })).toBe('not-authorised')
    expect(await judged({ responder: namesake, certificates: [] })).toBe('wrong-signature')
  })

  test('not the person whom the question is about, nor anybody else under the centre', async () => {
    const person = await other('person', makeName({ commonName: 'Person' }))
    expect(await judged({ responder: person, certificates: [leaf.der] })).toBe('not-authorised')
  })

  test('nobody in another’s name', async () => {
    const thief = await other('thief', responderName)
    expect(await judged({ responder: thief })).toBe('wrong-signature')
  })
})

describe('the certificate that an answer is about', () => {
  test.each(['sha-1', 'sha-256', 'streebog-256', 'streebog-512', 'gost-34.311'] as const)(
    'is named by %s',
    async (name) => {
      expect(await judged({ answers: [good({ question: certIdOf(leaf.serial, issuer, name) })] })).toBe(
        'good',
      )
    },
  )

  test('is another one with another number, or another name or key of the issuer', async () => {
    const by = (subject: Uint8Array, publicKey: Certificate['publicKey']) =>
      good({ question: certIdOf(leaf.serial, { subject, publicKey }, 'sha-256') })
    const question = certIdOf(Uint8Array.of(5), issuer, 'sha-256')
    expect(await judged({ answers: [good({ question })] })).toBe('other-certificate')
    expect(await judged({ answers: [by(leaf.subject, issuer.publicKey)] })).toBe('other-certificate')
    expect(await judged({ answers: [by(issuer.subject, leaf.publicKey)] })).toBe('other-certificate')
    expect(await judged({ answers: [] })).toBe('other-certificate')
  })

  test('is found among several answers', async () => {
    const question = certIdOf(Uint8Array.of(5), issuer, 'sha-256')
    const status = { revokedAt: minutes(-60) }
    expect(await judged({ answers: [good({ question, status }), good()] })).toBe('good')
  })

  test('is revoked if answers contradict each other, in any order', async () => {
    const revoked = good({ status: { revokedAt: minutes(-60), reason: 'keyCompromise' } })
    expect(await judged({ answers: [good(), revoked] })).toBe('revoked')
    expect(await judged({ answers: [revoked, good({ status: 'unknown' }), good()] })).toBe('revoked')
    expect(await judged({ answers: [good(), good({ status: 'unknown' })] })).toBe('unknown-status')
  })

  test('is revoked with its time and reason', async () => {
    const status = { revokedAt: minutes(-60), reason: 'certificateHold' } as const
    const finding = await revokedByOcsp(leaf, issuer, await answer({ answers: [good({ status })] }), { at })
    expect(finding).toMatchObject({ status: 'revoked', revokedAt: minutes(-60), reason: 'certificateHold' })
  })

  test('is not proved good by the status unknown', async () => {
    expect(await judged({ answers: [good({ status: 'unknown' })] })).toBe('unknown-status')
  })
})

describe('how long an answer is valid', () => {
  test.each([
    ['before its end', {}, 'good'],
    ['at its end', { nextUpdate: at }, 'good'],
    ['after its end', { nextUpdate: minutes(-1) }, 'stale'],
    ['from a clock four minutes ahead', { thisUpdate: minutes(4), nextUpdate: minutes(30) }, 'good'],
    ['from the future', { thisUpdate: minutes(6), nextUpdate: minutes(30) }, 'not-yet'],
  ] as const)('%s', async (_, changed, expected) => {
    expect(await judged({ answers: [good(changed)] })).toBe(expected)
  })

  test('a day, or as long as asked, if it has no end', async () => {
    const openEnded = (age: number) => {
      const { nextUpdate: _, ...rest } = good({ thisUpdate: minutes(-age) })
      return { answers: [rest] }
    }
    expect(await judged(openEnded(23 * 60))).toBe('good')
    expect(await judged(openEnded(25 * 60))).toBe('stale')
    expect(await judged(openEnded(25 * 60), { maxAge: 26 * 60 * 60_000 })).toBe('good')
    expect(await judged(openEnded(2), { maxAge: 60_000 })).toBe('stale')
  })

  test('not yet, if it was made in the future', async () => {
    expect(await judged({ producedAt: minutes(6) })).toBe('not-yet')
  })
})

describe('nonce and extensions', () => {
  const nonce = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)

  test('a nonce that was sent must come back, if any comes', async () => {
    expect(await judged({ nonce: octetString(nonce) }, { nonce })).toBe('good')
    expect(await judged({ nonce: octetString(nonce.toReversed()) }, { nonce })).toBe('nonce')
    expect(await judged({}, { nonce })).toBe('good')
    expect(await judged({}, { nonce, isNonceRequired: true })).toBe('nonce')
    expect(await judged({ nonce: octetString(nonce) })).toBe('good')
  })

  test('an unknown critical extension makes an answer unusable, also one of a single certificate', async () => {
    const critical = [extension('1.2.3', nothing(), true)]
    expect(await judged({ extensions: critical })).toBe('unknown-critical-extension')
    expect(await judged({ answers: [good({ extensions: critical })] })).toBe('unknown-critical-extension')
    const harmless = [extension('1.2.3', integer(1))]
    expect(await judged({ extensions: harmless, answers: [good({ extensions: harmless })] })).toBe('good')
  })
})

describe('reading', () => {
  test.each(['malformedRequest', 'internalError', 'tryLater', 'sigRequired', 'unauthorized'] as const)(
    'a refusal because of %s has no answer',
    (status) => expect(readOcspResponse(refuseOcsp(status))).toEqual({ status, basic: null }),
  )

  test('trailing, missing and endless bytes are malformed', async () => {
    const bytes = await answerOcsp({ responder, producedAt: at, answers: [good()] })
    const spoilt = [
      Uint8Array.from([...bytes, 0]),
      bytes.subarray(0, -1),
      new Uint8Array(10_000_000),
      Uint8Array.of(0x30, 3, 0x0a, 1, 0),
      Uint8Array.of(0x30, 3, 0x0a, 1, 4),
      new Uint8Array(),
    ]
    for (const one of spoilt) expect(() => readOcspResponse(one)).toThrow(MalformedError)
  })

  test('an answer without its envelope is the same answer', async () => {
    const basic = await answer()
    expect(readBasicOcspResponse(basic.der)).toEqual(basic)
  })

  test('whatever bytes are changed, only MalformedError is thrown, and no changed answer is good', async () => {
    const bytes = await answerOcsp({
      responder,
      producedAt: at,
      answers: [good()],
      certificates: [responderCertificate.der],
    })
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length), async (i, byte, cut) => {
        const outcome = await outcomeOf(bytes.with(i, byte).subarray(0, Math.max(cut, i)), leaf, issuer)
        expect(outcome === 'good').toBe(byte === bytes[i] && cut === bytes.length)
      }),
      { numRuns: 300 },
    )
  })
})

describe.each(keyKinds)('%s', (kind) => {
  test('a question is answered as it was asked', async () => {
    const party = async (commonName: string): Promise<{ subject: Uint8Array; keys: SigningKey }> => ({
      subject: makeName({ commonName }),
      keys: await makeKeys(kind, commonName),
    })
    const [by, person] = [await party('By'), await party('Person')]
    const byCertificate = await makeCertificate({ ...by, extensions: authority() })
    const certificate = await makeCertificate({ ...person, issuer: by })
    const nonce = Uint8Array.of(9, 9, 9, 9, 9, 9, 9, 9)
    const request = readOcspRequest(ocspRequest({ certificate, issuer: byCertificate, nonce }))
    const bytes = await answerOcsp({
      responder: by,
      producedAt: at,
      answers: request.questions.map(({ der }) => good({ question: der })),
      nonce: request.nonce,
    })
    const { basic } = readOcspResponse(bytes)
    const demands = { at, nonce, isNonceRequired: true }
    expect((await revokedByOcsp(certificate, byCertificate, basic!, demands)).status).toBe('good')
  })
})

describe.skipIf(!hasOpenssl)(`OpenSSL${withoutOpenssl}`, () => {
  test('reads our question and accepts our answer, and we accept its answer', async () => {
    const party = async (commonName: string) => ({
      subject: makeName({ commonName, country: 'KZ' }),
      keys: await makeKeys('rsa'),
    })
    const [by, person] = [await party('By'), await party('Person')]
    const byCertificate = await makeCertificate({ ...by, extensions: authority() })
    const certificate = await makeCertificate({ ...person, issuer: by, serial: 0x1234 })
    const nonce = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
    const now = new Date()
    const question = ocspRequest({ certificate, issuer: byCertificate, nonce, hash: 'sha-1' })
    const { questions } = readOcspRequest(question)
    const ours = await answerOcsp({
      responder: by,
      producedAt: now,
      answers: questions.map(({ der }) => ({
        question: der,
        status: { revokedAt: now, reason: 'superseded' as const },
        thisUpdate: now,
        nextUpdate: new Date(Number(now) + 3_600_000),
      })),
      nonce: octetString(nonce),
    })
    const index = 'V\t340101000000Z\t\t1234\tunknown\t/CN=Person/C=KZ\n'
    const files = {
      question,
      ours,
      'by.der': byCertificate.der,
      'leaf.der': certificate.der,
      'key.der': by.keys.pkcs8,
      index,
    }
    const theirs = openssl(files, (run) => {
      run('x509', '-inform', 'DER', '-in', 'by.der', '-out', 'by.pem')
      run('x509', '-inform', 'DER', '-in', 'leaf.der', '-out', 'leaf.pem')
      run('pkey', '-inform', 'DER', '-in', 'key.der', '-out', 'key.pem')
      expect(run('ocsp', '-reqin', 'question', '-req_text', '-noverify').output).toContain(
        'Serial Number: 1234',
      )
      const about = ['-no_nonce', '-issuer', 'by.pem', '-cert', 'leaf.pem', '-CAfile', 'by.pem']
      const checked = run('ocsp', '-respin', 'ours', ...about)
      expect(checked.output).toContain('Response verify OK')
      expect(checked.output).toMatch(/revoked[^]*superseded/)
      const signing = [
        '-rsigner',
        'by.pem',
        '-rkey',
        'key.pem',
        '-CA',
        'by.pem',
        '-index',
        'index',
        '-ndays',
        '1',
      ]
      run('ocsp', ...signing, '-reqin', 'question', '-respout', 'theirs')
      return checked.file('theirs')
    })
    const { basic } = readOcspResponse(theirs)
    const demands = { at: new Date(), nonce, isNonceRequired: true }
    expect((await revokedByOcsp(certificate, byCertificate, basic!, demands)).status).toBe('good')
  })
})
