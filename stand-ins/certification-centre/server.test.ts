/** The services as clients see them: exact types, and no input breaks them. */
import { request } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hash, type HashName } from '@kelisim/signature/algorithms/hash.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import { octetString } from '@kelisim/signature/asn1/write.ts'
import { readCertificate, type Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { ocspOids, ocspRequest, readOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import {
  checkTimestampInfo,
  readTimestampResponse,
  readTimestampToken,
  timestampRequest,
  type TimestampQuestion,
} from '@kelisim/signature/timestamps/timestamp.ts'
import type { Issued } from './centre.ts'
import { families, familyKinds } from './families.ts'
import { startCertificationCentre, type CertificationCentre } from './server.ts'
import { allowTime, anOrder, bytesAt, post, temporaryFolder } from './testing.ts'

allowTime()

const { folder, remove } = temporaryFolder()
let running: CertificationCentre
let issued: Issued
let centre: Certificate

beforeAll(async () => {
  running = await startCertificationCentre({ port: 0, folder })
  issued = await running.centre.issue(anOrder())
  centre = running.centre.centres[0]!
})
afterAll(async () => {
  await running.close()
  remove()
})

const ocspType = 'application/ocsp-request'
const tspType = 'application/timestamp-query'
const nonce = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)

describe('OCSP', () => {
  const ask = async (body: Uint8Array) => readOcspResponse(await post(`${running.url}/ocsp`, ocspType, body))

  test.each(['sha-1', 'sha-256', 'gost-34.311', 'streebog-512'] as HashName[])(
    'a question with hashes by %s is answered, with its nonce',
    async (name) => {
      const { basic } = await ask(
        ocspRequest({ certificate: issued.certificate, issuer: centre, nonce, hash: name }),
      )
      expect(basic?.singles.map(({ status }) => status)).toEqual(['good'])
      expect(basic?.extensions.get(ocspOids.nonce)?.value).toEqual(octetString(nonce))
    },
  )

  test('a question by GET is answered too, in either alphabet of base64, escaped or not', async () => {
    const question = Buffer.from(ocspRequest({ certificate: issued.certificate, issuer: centre }))
    const [plain, forUrls] = [question.toString('base64'), question.toString('base64url')]
    for (const path of [plain, encodeURIComponent(plain), forUrls]) {
      const response = await fetch(`${running.url}/ocsp/${path}`)
      expect(response.headers.get('content-type')).toBe('application/ocsp-response')
      const { basic } = readOcspResponse(new Uint8Array(await response.arrayBuffer()))
      expect(basic?.singles[0]?.status).toBe('good')
    }
  })

  test('the status of a certificate that it never issued is unknown', async () => {
    const certificate = { ...issued.certificate, serial: Uint8Array.of(1, 2, 3) }
    const { basic } = await ask(ocspRequest({ certificate, issuer: centre }))
    expect(basic?.singles[0]?.status).toBe('unknown')
  })

  test('the status of a certificate that another of its centres issued is unknown', async () => {
    const { basic } = await ask(
      ocspRequest({ certificate: issued.certificate, issuer: running.centre.centres[1]! }),
    )
    expect(basic?.singles[0]?.status).toBe('unknown')
  })

  test('a question about another issuer is unauthorised, and other bytes are malformed', async () => {
    const stranger = running.centre.roots[0]!
    const question = ocspRequest({ certificate: issued.certificate, issuer: stranger })
    expect((await ask(question)).status).toBe('unauthorized')
    expect((await ask(new TextEncoder().encode('hello'))).status).toBe('malformedRequest')
    expect((await ask(new Uint8Array())).status).toBe('malformedRequest')
    expect((await ask(question.subarray(0, -1))).status).toBe('malformedRequest')
  })
})

describe('timestamps', () => {
  const imprint = hash('streebog-512', nonce)
  const ask = async (question: Partial<TimestampQuestion>) =>
    readTimestampResponse(
      await post(
        `${running.url}/tsp`,
        tspType,
        timestampRequest({ hash: 'streebog-512', imprint, ...question }),
      ),
    )

  test.each(['streebog-512', 'sha-256', 'gost-34.311', 'sha-512'] as HashName[])(
    'are given over digests by %s',
    async (name) => {
      const { token } = await ask({ hash: name, imprint: hash(name, nonce), nonce })
      const { info, signedData } = readTimestampToken(token!)
      const certificate = readCertificate(signedData.certificates[0]!)
      const demands = { imprintOf: nonce, at: new Date(), nonce, policy: '1.2.398.3.3.2.6.4' }
      expect(checkTimestampInfo(info, certificate, demands)).toBe(null)
    },
  )

  test('are by RSA if that policy is requested, and without a certificate if none is wanted', async () => {
    const { token } = await ask({ policy: '1.2.398.3.3.2.6.2', certReq: false })
    const { info, signedData } = readTimestampToken(token!)
    expect(info.policy).toBe('1.2.398.3.3.2.6.2')
    expect(signedData.certificates).toEqual([])
    expect(signedData.signers[0]!.signatureAlgorithm.oid).toBe('1.2.840.113549.1.1.11')
  })

  test.each([
    ['the policy of 2004', { policy: '1.2.398.3.3.2.6.1' }, 'unacceptedPolicy'],
    ['a policy of nobody', { policy: '1.2.3' }, 'unacceptedPolicy'],
    ['a digest of another length', { imprint: imprint.subarray(1) }, 'badDataFormat'],
    ['a hash that is broken', { hash: 'sha-1', imprint: hash('sha-1', nonce) }, 'badAlg'],
  ] as [string, Partial<TimestampQuestion>, string][])('%s is refused', async (_, question, failure) => {
    const { status, failures, token } = await ask(question)
    expect([status, failures, token]).toEqual(['rejection', [failure], null])
  })

  test('garbage is refused', async () => {
    const answer = await post(`${running.url}/tsp`, tspType, new TextEncoder().encode('hello'))
    expect(readTimestampResponse(answer).failures).toEqual(['badRequest'])
  })

  test('a service that is busy says so', async () => {
    running.faults.set({ tsp: 'try-later' })
    expect((await ask({})).failures).toEqual(['timeNotAvailable'])
    running.faults.set({ tsp: 'ok' })
  })
})

test('no bytes break the services: every request gets an answer', async () => {
  const requests = [
    ocspRequest({ certificate: issued.certificate, issuer: centre, nonce }),
    timestampRequest({ hash: 'sha-256', imprint: hash('sha-256', nonce), nonce, policy: '1.2.3' }),
  ]
  const flipped = fc
    .tuple(fc.constantFrom(...requests), fc.nat(), fc.integer({ min: 1, max: 255 }))
    .map(([bytes, at, bits]) => bytes.map((byte, i) => (i === at % bytes.length ? byte ^ bits : byte)))
  const cut = fc
    .tuple(fc.constantFrom(...requests), fc.nat())
    .map(([bytes, length]) => bytes.subarray(0, length % bytes.length))
  await fc.assert(
    fc.asyncProperty(fc.oneof(flipped, cut, fc.uint8Array({ maxLength: 200 })), async (bytes) => {
      readOcspResponse(await running.centre.ocsp(bytes))
      readTimestampResponse(await running.centre.timestamp(bytes))
    }),
    { numRuns: 300 },
  )
})

describe('HTTP', () => {
  test.each([
    ['/ocsp', ocspType, 'application/ocsp-response'],
    ['/tsp', tspType, 'application/timestamp-reply'],
  ])('%s accepts exactly its content type', async (path, type, answered) => {
    const send = (contentType: string, body = new Uint8Array(3)) =>
      fetch(running.url + path, { method: 'POST', headers: { 'content-type': contentType }, body })
    expect((await send(type)).headers.get('content-type')).toBe(answered)
    expect((await send('text/plain')).status).toBe(415)
    expect((await fetch(running.url + path)).status).toBe(405)
    expect((await send(type, new Uint8Array(65 * 1024))).status).toBe(413)
  })

  test('every certificate and every list is served at its address', async () => {
    for (const kind of familyKinds) {
      const { root, centre } = families[kind]
      for (const { file } of [root, centre]) {
        const response = await fetch(`${running.url}/cert/${file}.cer`)
        expect(response.headers.get('content-type')).toBe('application/pkix-cert')
        const { der } = running.centre.certificates.get(file)!
        expect(toHex(new Uint8Array(await response.arrayBuffer()))).toBe(toHex(der))
      }
      for (const list of [root.list, centre.list, centre.delta]) {
        const response = await fetch(`${running.url}/crl/${list}.crl`)
        expect(response.headers.get('content-type')).toBe('application/pkix-crl')
      }
    }
  })

  test.each([
    '/',
    '//',
    '/crl/none.crl',
    '/cert/none.cer',
    '/cert/../authorities.json',
    '/ocsp/%E0%A4%A',
    '/crl/',
  ])('there is nothing at %s', async (path) => {
    // fetch would normalise the path
    const status = await new Promise((resolve, reject) => {
      request(running.url, { path }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBeOneOf([400, 404])
  })
})

describe('faults by HTTP', () => {
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${running.url}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  test('are set and reported', async () => {
    const response = await send({ ocsp: 'garbage', crl: { slow: 5 } })
    expect(await response.json()).toEqual({ ocsp: 'garbage', crl: { slow: 5 }, tsp: 'ok' })
    expect(new TextDecoder().decode(await bytesAt(`${running.url}/faults`))).toContain('garbage')
    await send({ ocsp: 'ok', crl: 'ok' })
  })

  test.each([{ ocsp: 'no' }, { web: 'down' }, [], null, { crl: { slow: -1 } }, { crl: { slow: 'x' } }])(
    '%o is refused',
    async (body) => {
      expect((await send(body)).status).toBe(400)
      expect(running.faults.current()).toEqual({ ocsp: 'ok', crl: 'ok', tsp: 'ok' })
    },
  )

  test('cannot be set by pages of other sites: neither without a preflight, nor under another host name', async () => {
    expect((await send({ ocsp: 'down' }, { 'content-type': 'text/plain' })).status).toBe(415)
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'rebound.example', 'content-type': 'application/json' }
      request(`${running.url}/faults`, { method: 'POST', headers }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end('{"ocsp":"down"}')
    })
    expect(status).toBe(403)
    expect(running.faults.current().ocsp).toBe('ok')
  })
})
