/** What the public check page requests: the trusted centres, and the OCSP response for a serial number. */
import { beforeEach, expect, test, vi } from 'vitest'
import { askRevocation, getTrust } from '@kelisim/domain/verify/contract.ts'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import { revokedByOcsp } from '@kelisim/signature/revocation/by-ocsp.ts'
import { readOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import { answerOcsp, readOcspRequest } from '@kelisim/signature/signer/ocsp-responder.ts'
import { foundNation } from '@kelisim/signature/testing/nation.ts'
import { day } from '@kelisim/signature/time/durations.ts'
import { OutboundFailure } from '../signatures/outbound/failure.ts'
import type { VerifyServices } from './handlers.ts'
import { publicUrl, startTestApp } from '../testing.ts'

const nation = await foundNation('gost-kz-512')
const trust = { roots: [nation.root.der], centres: [nation.centre.der] }
let asked: { ocsp: readonly string[]; serial: string }[] = []
/** Questions about these numbers are answered only when `until` resolves. */
let held: { until: Promise<void>; isHeld: (serial: string) => boolean } | null = null
let says: 'good' | 'revoked' | 'nothing' | 'another question' = 'good'

const askOcsp: VerifyServices['askOcsp'] = async (request, { ocsp }) => {
  const { questions, nonce } = readOcspRequest(request)
  const [question] = questions
  asked.push({ ocsp, serial: toHex(question!.id.serial) })
  if (held?.isHeld(toHex(question!.id.serial))) await held.until
  if (says === 'nothing') throw new OutboundFailure('unreachable', 'OCSP')
  const thisUpdate = time.now
  return answerOcsp({
    responder: { subject: nation.responder.certificate.subject, keys: nation.responder.key },
    producedAt: thisUpdate,
    answers: [
      {
        question: question!.der,
        status: says === 'revoked' ? { revokedAt: thisUpdate } : 'good',
        thisUpdate,
        nextUpdate: new Date(thisUpdate.getTime() + day),
      },
    ],
    certificates: [nation.responder.certificate.der],
    ...(nonce && says !== 'another question' && { nonce }),
  })
}

const ocspUrl = new URL('http://ocsp.example.kz/')
const { app, call, time, travel } = await startTestApp({
  signatures: { verify: { trust, askOcsp, ocspUrl } },
})
const issuer = toHex(hash('sha-256', nation.centre.der))
const { certificate } = nation.person
const serialNumber = toHex(certificate.serial)

beforeEach(async () => {
  asked = []
  says = 'good'
  await travel(new Date(time.now.getTime() + 61_000)) // clears the cache of responses
})

test('the trusted certificates are public, and may be cached for a while', async () => {
  const { result, headers } = await call(null, getTrust, {})
  expect(result).toEqual({
    roots: [Buffer.from(nation.root.der).toString('base64')],
    centres: [Buffer.from(nation.centre.der).toString('base64')],
    isDemo: false,
  })
  expect(headers['cache-control']).toBe('public, max-age=600')
})

test('the OCSP response of the centre is returned unchanged, and is valid for the checking browser', async () => {
  for (const status of ['good', 'revoked'] as const) {
    says = status
    const { result } = await call(null, askRevocation, { issuer, serialNumber })
    const response = readOcspResponse(Buffer.from(result.ocspResponse!, 'base64')).basic!
    const found = await revokedByOcsp(certificate, nation.centre, response, { at: time.now })
    expect(found.status).toBe(status)
    await travel(new Date(time.now.getTime() + 61_000))
  }
  expect(asked).toEqual(
    Array.from({ length: 2 }, () => ({ ocsp: ['http://ocsp.example.kz/'], serial: serialNumber })),
  )
})

test('the same question within a minute is answered from the cache', async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => call(null, askRevocation, { issuer, serialNumber })),
  )
  expect(new Set(answers.map(({ result }) => result.ocspResponse)).size).toBe(1)
  expect(asked).toHaveLength(1)
  await call(null, askRevocation, { issuer, serialNumber: '0102' })
  expect(asked.map(({ serial }) => serial)).toEqual([serialNumber, '0102'])
})

test('an unavailable service or a response to another question gives no result; the next call tries again', async () => {
  for (const silent of ['nothing', 'another question'] as const) {
    says = silent
    const { status, result } = await call(null, askRevocation, { issuer, serialNumber })
    expect([status, result]).toEqual([200, { ocspResponse: null }])
  }
  says = 'good'
  expect((await call(null, askRevocation, { issuer, serialNumber })).result.ocspResponse).not.toBeNull()
})

test('a flood of calls from one network leaves room for another network', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = { until: promise, isHeld: (serial) => serial !== '0777' }
  const from = async (remoteAddress: string, serial: string) => {
    const payload = { issuer, serialNumber: serial }
    const headers = { origin: publicUrl.origin }
    const options = { method: 'POST', url: askRevocation.path, remoteAddress, headers, payload } as const
    return (await app.inject(options)).json<{ ocspResponse: string | null }>().ocspResponse
  }
  const flood = Array.from({ length: 50 }, (_, i) => from('203.0.113.7', `01${String(10 + i)}`))
  await vi.waitFor(() => expect(asked.length).toBeGreaterThanOrEqual(4), 30_000)
  expect(await from('198.51.100.9', '0777')).not.toBeNull()
  resolve()
  const answers = await Promise.all(flood)
  // four questions run at once and about twenty wait; the rest is refused
  expect(answers.filter((answer) => answer === null).length).toBeGreaterThan(20)
  held = null
})

test('unknown centres and malformed serial numbers are not asked about', async () => {
  const other = { issuer: '0'.repeat(64), serialNumber }
  expect((await call(null, askRevocation, other)).result).toEqual({ ocspResponse: null })
  for (const wrong of ['', '0', '0001', 'ff80', 'ZZ', '01'.repeat(22), 'http://inside/']) {
    expect((await call(null, askRevocation, { issuer, serialNumber: wrong })).status).toBe(400)
  }
  expect(asked).toEqual([])
})

test('without trusted certificates both endpoints are unavailable', async () => {
  const { call: callThere } = await startTestApp()
  expect((await callThere(null, getTrust, {})).status).toBe(503)
  expect((await callThere(null, askRevocation, { issuer, serialNumber })).status).toBe(503)
})
