import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { hash, type HashName } from '../algorithms/hash.ts'
import { elements, MalformedError, read, tags, type Element } from '../asn1/read.ts'
import { oidOf } from '../asn1/values.ts'
import { integer, nothing, octetString, oid, sequence } from '../asn1/write.ts'
import { readCertificate, type Certificate } from '../certificates/certificate.ts'
import { withCertificates } from '../cms/build.ts'
import { checkSigner } from '../cms/check-signer.ts'
import { readSignedData } from '../cms/signed-data.ts'
import { authority, extendedKeyUsage, keyUsage, makeName } from '../signer/extensions.ts'
import { makeCertificate, type Party } from '../signer/issue.ts'
import { keyKinds, type KeyKind } from '../signer/keys.ts'
import {
  readTimestampRequest,
  refuseTimestamp,
  stamp,
  timestampResponse,
  type TimestampParts,
} from '../signer/timestamp-authority.ts'
import { makeKeys } from '../testing/make-keys.ts'
import { hasOpenssl, openssl, withoutOpenssl } from '../testing/openssl.ts'
import { hasSharedVectors, sharedVector, skippedWithout } from '../testing/shared-vectors.ts'
import {
  checkTimestampInfo,
  readTimestampResponse,
  readTimestampToken,
  timestampRequest,
  type TimestampDemands,
} from './timestamp.ts'

const at = new Date('2026-06-01T00:00:00Z')
const minutes = (count: number) => new Date(Number(at) + count * 60_000)
const policy = '1.2.398.3.3.2.6.4'
const nonce = Uint8Array.of(0x81, 2, 3, 4, 5, 6, 7, 8)
const stamped = new TextEncoder().encode('octets of a signature')
const forTime = (isCritical = true) => extendedKeyUsage(['1.3.6.1.5.5.7.3.8'], isCritical)

async function authorityOf(kind: KeyKind) {
  const root: Party = { subject: makeName({ commonName: 'Root' }), keys: await makeKeys(kind, 'root') }
  const key = await makeKeys(kind, 'authority')
  const certificate = await makeCertificate({
    subject: makeName({ commonName: 'TIME-STAMPING AUTHORITY', country: 'KZ' }),
    keys: key,
    issuer: root,
    extensions: [keyUsage('digitalSignature'), forTime()],
  })
  return { key, certificate, root: await makeCertificate({ ...root, extensions: authority() }) }
}

function requestFor(name: HashName) {
  return readTimestampRequest(timestampRequest({ hash: name, imprint: hash(name, stamped), policy, nonce }))
}

let service: Awaited<ReturnType<typeof authorityOf>>
beforeAll(async () => {
  service = await authorityOf('gost-kz-2004')
})

async function tokenOf(parts: Partial<TimestampParts> = {}): Promise<Uint8Array> {
  return stamp({
    authority: service,
    request: requestFor('streebog-512'),
    policy,
    serial: Uint8Array.of(0xd0, 0x0e),
    genTime: at,
    ...parts,
  })
}

async function problemOf(
  parts: Partial<TimestampParts> = {},
  demands: Partial<TimestampDemands> = {},
  certificate: Certificate = service.certificate,
) {
  const { info } = readTimestampToken(await tokenOf(parts))
  return checkTimestampInfo(info, certificate, { imprintOf: stamped, at, ...demands })
}

describe('the content of a token', () => {
  test('has everything that was asked for', async () => {
    const { info, signedData } = readTimestampToken(await tokenOf({ accuracy: 2 }))
    expect(info).toMatchObject({ policy, genTime: at, accuracy: 2000, ordering: false, tsa: null })
    expect(info.imprint).toEqual({ hash: 'streebog-512', bytes: hash('streebog-512', stamped) })
    expect(info.nonce).toEqual(Uint8Array.of(0, ...nonce))
    expect(info.serial).toEqual(Uint8Array.of(0, 0xd0, 0x0e))
    expect(signedData.signers).toHaveLength(1)
  })

  test('may have long data of the service beside its signature', async () => {
    const others = Array.from({ length: 300 }, (_, i) =>
      sequence(integer(i), octetString(new Uint8Array(1000))),
    )
    const token = withCertificates(await tokenOf(), others)
    expect(token.length).toBeGreaterThan(300_000)
    expect(readTimestampToken(token).info.genTime).toEqual(at)
  })

  test('a token is valid for what was stamped, with what was asked', async () => {
    expect(await problemOf({}, { nonce, policy })).toBe(null)
    expect(await problemOf()).toBe(null)
  })

  test.each([
    ['something else was stamped', {}, { imprintOf: new Uint8Array(5) }, 'other-imprint'],
    ['the time is in the future', { genTime: minutes(1) }, {}, 'from-future'],
    ['another nonce was asked with', {}, { nonce: nonce.toReversed() }, 'nonce'],
    ['another policy was asked for', {}, { policy: '1.2.3' }, 'policy'],
  ] as const)('%s', async (_, parts, demands, expected) => {
    expect(await problemOf(parts, demands)).toBe(expected)
  })

  test('a nonce in the question must be in the token', async () => {
    const request = { ...requestFor('sha-256'), nonce: null }
    expect(await problemOf({ request }, { nonce })).toBe('nonce')
    expect(await problemOf({ request })).toBe(null)
  })

  test('a token by SHA-1 is not accepted', async () => {
    expect(await problemOf({ request: requestFor('sha-1') })).toBe('weak-hash')
  })

  test('a token by an unknown hash is not accepted', async () => {
    const md5 = sequence(oid('1.2.840.113549.2.5'), nothing())
    const imprint = sequence(md5, octetString(new Uint8Array(16)))
    expect(await problemOf({ request: { ...requestFor('sha-256'), imprint } })).toBe('unknown-hash')
  })

  test.each([
    ['for two purposes', () => [extendedKeyUsage(['1.3.6.1.5.5.7.3.8', '1.3.6.1.5.5.7.3.4'], true)]],
    ['for another purpose', () => [extendedKeyUsage(['1.3.6.1.5.5.7.3.4'], true)]],
    ['for time, but not critically', () => [forTime(false)]],
    ['for anything', () => []],
    ['for time, with a key that signs nothing', () => [forTime(), keyUsage('keyAgreement')]],
  ])('a token by a certificate %s is not accepted', async (_, extensions) => {
    const subject = makeName({ commonName: 'Other' })
    const certificate = await makeCertificate({ subject, keys: service.key, extensions: extensions() })
    expect(await problemOf({}, {}, certificate)).toBe('wrong-usage')
  })

  test('the certificate must be valid when it stamps', async () => {
    const subject = makeName({ commonName: 'Other' })
    const issue = (times: { notBefore?: Date; notAfter?: Date }) =>
      makeCertificate({ subject, keys: service.key, extensions: [forTime()], ...times })
    expect(await problemOf({}, {}, await issue({ notAfter: minutes(-1) }))).toBe('expired')
    expect(await problemOf({}, {}, await issue({ notBefore: minutes(1) }))).toBe('not-yet-valid')
  })

  test('an unknown critical extension makes a token worthless', async () => {
    const { info } = readTimestampToken(await tokenOf())
    const extensions = new Map([['1.2.3', { oid: '1.2.3', isCritical: true, value: nothing() }]])
    const problem = checkTimestampInfo({ ...info, extensions }, service.certificate, {
      imprintOf: stamped,
      at,
    })
    expect(problem).toBe('unknown-critical-extension')
  })
})

describe('answers of a timestamp service', () => {
  test('granted, with a token', async () => {
    const token = await tokenOf()
    expect(readTimestampResponse(timestampResponse(token))).toEqual({
      status: 'granted',
      text: null,
      failures: [],
      token,
    })
  })

  test.each(['badAlg', 'unacceptedPolicy', 'systemFailure'] as const)('refused because of %s', (failure) => {
    expect(readTimestampResponse(refuseTimestamp(failure, 'Нет'))).toEqual({
      status: 'rejection',
      text: 'Нет',
      failures: [failure],
      token: null,
    })
  })

  test('granted without a token, or the other way round, is malformed', async () => {
    expect(() => readTimestampResponse(sequence(sequence(integer(0))))).toThrow(MalformedError)
    const token = await tokenOf()
    expect(() => readTimestampResponse(sequence(sequence(integer(2)), token))).toThrow(MalformedError)
    expect(() => readTimestampResponse(new Uint8Array(300_000))).toThrow(MalformedError)
  })

  test('whatever bytes are changed, only MalformedError is thrown', async () => {
    const bytes = timestampResponse(await tokenOf())
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length), (i, byte, cut) => {
        try {
          const { token } = readTimestampResponse(bytes.with(i, byte).subarray(0, cut))
          if (token) readTimestampToken(token)
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedError)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

async function findingsOf(token: Uint8Array): Promise<string[]> {
  const { signers, certificates, contentType, content } = readSignedData(token)
  const check = await checkSigner(
    signers[0]!,
    { type: contentType, digest: (name) => hash(name, content![0]!) },
    certificates.map((der) => readCertificate(der)),
    { signedAttributes: 'required', signingCertificate: 'required' },
  )
  return check.findings
}

test.each(keyKinds)('a token by %s is a valid signature', async (kind) => {
  const token = await tokenOf({ authority: await authorityOf(kind), request: requestFor('sha-256') })
  expect(await findingsOf(token)).toEqual([])
})

describe.skipIf(!hasSharedVectors)(`made by the national library${skippedWithout}`, () => {
  const names = ['gost2015-person', 'gost2004-ceo', 'rsa-person']
  const file = (name: string) => sharedVector(`kz/cms/${name}`)

  test.each(names)('%s: our question is the same as its question, and we read its answer', async (name) => {
    const request = readTimestampRequest(file(`${name}.tsq`))
    const ours = timestampRequest({
      hash: request.hash!,
      imprint: request.digest,
      policy: request.policy!,
      nonce: request.nonce!,
    })
    expect(ours).toEqual(file(`${name}.tsq`))

    const { status, token } = readTimestampResponse(file(`${name}.tsr`))
    expect(status).toBe('granted')
    const { info } = readTimestampToken(token!)
    expect(info.nonce).toEqual(request.nonce)
    expect(info.policy).toBe(request.policy)
    expect(info.imprint.bytes).toEqual(request.digest)
    expect(await findingsOf(token!)).toEqual([])
    const demands = { at: new Date('2026-11-16T00:00:00Z'), nonce: request.nonce!, policy: request.policy! }
    const { signature } = readSignedData(file(`${name}.cadest.detached.cms`)).signers[0]!
    const local = readCertificate(file('localpki/local_tsa.cer'))
    expect(checkTimestampInfo(info, local, { ...demands, imprintOf: signature })).toBe(null)
  })

  test('the token of the national service is read, and its signature is valid', async () => {
    const token = sharedVector('kz/ca/test/tsa_gost2015_from_token_2026.tst')
    const { info } = readTimestampToken(token)
    expect(info.policy).toBe(policy)
    expect(info.imprint.hash).toBe('streebog-512')
    expect(await findingsOf(token)).toEqual([])
  })

  test('our token has the same fields in the same order', async () => {
    const theirs = readTimestampResponse(file('gost2015-person.tsr')).token!
    const ours = await tokenOf({ authority: await authorityOf('gost-kz-512') })
    expect(skeleton(ours)).toEqual(skeleton(theirs))
  })
})

/** Tags and identifiers of everything but the certificates and the names in them. */
function skeleton(token: Uint8Array): string[] {
  const [, holder] = elements(read(token))
  const [body] = elements(holder!)
  const [version, digests, content, , signers] = elements(body!)
  const [signer] = elements(signers!)
  const [signerVersion, , ...rest] = elements(signer!)
  return [version!, digests!, content!, signerVersion!, ...rest].flatMap(outline)
}

function outline(element: Element): string[] {
  if (element.tag === tags.oid) return [oidOf(element.content)]
  const isHolder = (element.tag & 0x20) !== 0
  return [element.tag.toString(16), ...(isHolder ? elements(element).flatMap(outline) : [])]
}

describe.skipIf(!hasOpenssl)(`OpenSSL${withoutOpenssl}`, () => {
  test('asks and accepts our answer, and we accept its answer', async () => {
    const rsa = await authorityOf('rsa')
    const now = new Date(Math.floor(Date.now() / 1000) * 1000)
    const files = {
      data: stamped,
      'root.der': rsa.root.der,
      'tsa.der': rsa.certificate.der,
      'key.der': rsa.key.pkcs8,
      serial: '01',
      config:
        '[tsa]\ndefault_policy = 1.2.3.4\ndigests = sha256\naccuracy = secs:1, millisecs:500\nordering = yes\n' +
        'serial = serial\nsigner_digest = sha256\ness_cert_id_alg = sha256\n',
    }
    const question = openssl(files, (run) => {
      const asked = run('ts', '-query', '-data', 'data', '-sha256', '-cert', '-out', 'question')
      expect(asked.isDone).toBe(true)
      return asked.file('question')
    })
    const request = readTimestampRequest(question)
    expect(request).toMatchObject({ hash: 'sha-256', digest: hash('sha-256', stamped), certReq: true })
    const token = await tokenOf({ authority: rsa, request, genTime: now })
    const theirs = openssl({ ...files, question, answer: timestampResponse(token) }, (run) => {
      for (const name of ['root', 'tsa'])
        run('x509', '-inform', 'DER', '-in', `${name}.der`, '-out', `${name}.pem`)
      run('pkey', '-inform', 'DER', '-in', 'key.der', '-out', 'key.pem')
      const verified = run('ts', '-verify', '-queryfile', 'question', '-in', 'answer', '-CAfile', 'root.pem')
      expect(verified.output).toContain('Verification: OK')
      const signing = ['-inkey', 'key.pem', '-signer', 'tsa.pem', '-config', 'config', '-section', 'tsa']
      const made = run('ts', '-reply', '-queryfile', 'question', ...signing, '-out', 'theirs')
      expect(made.output).toContain('Response has been generated')
      return made.file('theirs')
    })
    const theirToken = readTimestampResponse(theirs).token!
    const { info } = readTimestampToken(theirToken)
    expect(info).toMatchObject({ policy: '1.2.3.4', accuracy: 1500, ordering: true })
    expect(await findingsOf(theirToken)).toEqual([])
    const demands = { imprintOf: stamped, at: new Date(), nonce: request.nonce! }
    expect(checkTimestampInfo(info, rsa.certificate, demands)).toBe(null)
  })
})
