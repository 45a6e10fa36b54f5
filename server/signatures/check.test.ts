/** Checks in real workers, with a certification centre that responds over HTTP. */
import { createServer, type Server } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { judge } from '@kelisim/domain/signatures/verdict.ts'
import { readOcspRequest, answerOcsp } from '@kelisim/signature/signer/ocsp-responder.ts'
import {
  authorityInfoAccess,
  crlDistributionPoints,
  extendedKeyUsage,
  keyUsage,
} from '@kelisim/signature/signer/extensions.ts'
import { makeCrl } from '@kelisim/signature/signer/issue.ts'
import { signAttached, signDetached, type CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { defaultPolicy } from '@kelisim/signature/examination/policy.ts'
import { foundNation, type Nation } from '@kelisim/signature/testing/nation.ts'
import { day } from '@kelisim/signature/time/durations.ts'
import { examineCrl } from './answer-from-centre.ts'
import type { CheckJob } from './check-job.ts'
import { openSignatureChecks, type SignatureChecks } from './check.ts'
import { createOutboundCaller } from './outbound/call.ts'
import { knownServices, openCentre } from './outbound/centre.ts'

const folder = mkdtempSync(join(tmpdir(), 'kelisim-check-'))
const documentPath = join(folder, 'document.pdf')
const document = new TextEncoder().encode('Келісімшарт'.repeat(100_000))

/** How the centre behaves. */
type CentreAnswer = 'good' | 'revoked' | 'garbage' | 'down' | 'no-nonce'
let answers: { ocsp: CentreAnswer; crl: CentreAnswer }
let asked: string[]

let nation: Nation
let person: CmsSigner
let service: Server
let ocspAddress: string
let checks: SignatureChecks

beforeAll(async () => {
  writeFileSync(documentPath, document)
  nation = await foundNation('gost-kz-2004')
  service = createServer((request, response) => {
    const kind = request.url!.startsWith('/ocsp') ? 'ocsp' : 'crl'
    asked.push(kind)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const answer = answers[kind]
      if (answer === 'down') return request.socket.destroy()
      if (kind === 'ocsp') response.setHeader('content-type', 'application/ocsp-response')
      const body =
        answer === 'garbage' ? Promise.resolve(document) : written(kind, answer, Buffer.concat(chunks))
      void body.then((bytes) => response.end(bytes))
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const address = service.address()
  const host = `127.0.0.1:${typeof address === 'object' ? address!.port : 0}`
  ocspAddress = `http://${host}/ocsp`
  person = await nation.issue('ТЕСТОВ ТЕСТ', {
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + day),
    extensions: [
      keyUsage('digitalSignature', 'nonRepudiation'),
      authorityInfoAccess({ ocsp: ocspAddress }),
      crlDistributionPoints([`http://${host}/list.crl`]),
    ],
  })
  const pki = { ocspUrl: undefined, tspUrl: undefined, crlUrls: [], privateHosts: [host] }
  const caller = createOutboundCaller({ known: knownServices(pki), pause: () => Promise.resolve() })
  let opened = 0
  checks = openSignatureChecks({
    roots: [nation.root.der],
    centres: [nation.centre.der],
    // a separate folder for every test: lists are kept for an hour
    centre: {
      ...openCentre({ pki, dataDir: folder, caller, examineCrl, clock: () => new Date() }),
      crlFiles: (named) => {
        const dataDir = join(folder, String(++opened))
        return openCentre({ pki, dataDir, caller, examineCrl, clock: () => new Date() }).crlFiles(named)
      },
    },
    workers: 1,
  })
})

afterAll(async () => {
  await checks.close()
  service.close()
  rmSync(folder, { recursive: true })
})

beforeEach(() => {
  answers = { ocsp: 'good', crl: 'good' }
  asked = []
})

async function written(kind: 'ocsp' | 'crl', answer: CentreAnswer, body: Uint8Array): Promise<Uint8Array> {
  const now = new Date()
  const revokedAt = new Date(now.getTime() - 1000)
  if (kind === 'crl') {
    const entries = answer === 'revoked' ? [{ serial: person.certificate.serial, revokedAt }] : []
    const nextUpdate = new Date(now.getTime() + day)
    return makeCrl({ issuer: nation.centreParty, thisUpdate: revokedAt, nextUpdate, entries, number: 1 })
  }
  const { questions, nonce } = readOcspRequest(body)
  return answerOcsp({
    responder: nation.centreParty,
    producedAt: now,
    nonce: answer === 'no-nonce' ? null : nonce,
    answers: questions.map(({ der }) => ({
      question: der,
      status: answer === 'revoked' ? { revokedAt } : 'good',
      thisUpdate: now,
    })),
  })
}

async function checked(overrides: Partial<CheckJob> = {}) {
  const signature = await signDetached(document, person, { signingTime: new Date() })
  const policy = { ...defaultPolicy, revocation: 'any' } as const
  return checks.check({ signature, document: { path: documentPath }, at: new Date(), policy, ...overrides })
}

async function codeFor(ocsp: CentreAnswer, crl: CentreAnswer): Promise<string | null> {
  answers = { ocsp, crl }
  const { faults, signers } = await checked()
  return judge([...faults, ...signers.flatMap((signer) => signer.faults)]).code
}

test('given digests of a document are used instead of hashing it, and wrong ones refuse the signature', async () => {
  const { faults, signers, digests } = await checked()
  expect([faults, signers[0]!.faults]).toEqual([[], []])
  expect(digests!.map(({ algorithm }) => algorithm)).toEqual(['gost-34.311'])
  const again = await checked({ document: { path: documentPath, digests } })
  expect([again.signers[0]!.faults, again.digests]).toEqual([[], undefined])
  const others = digests!.map(({ algorithm, digest }) => ({ algorithm, digest: digest.toReversed() }))
  const wrong = await checked({ document: { path: documentPath, digests: others } })
  expect(wrong.signers[0]!.faults).toEqual(['other-document'])
})

test('a valid signature passes, and its evidence is returned', async () => {
  const { faults, signers } = await checked()
  expect(faults).toEqual([])
  expect(signers).toMatchObject([
    { faults: [], owner: { commonName: 'ТЕСТОВ ТЕСТ', iin: '900101300123' }, algorithm: 'GOST 34.310-2004' },
  ])
  const { certificates, ocspResponses, crls } = signers[0]!.evidence
  expect(certificates).toEqual([person.certificate.der, nation.centre.der, nation.root.der])
  expect(ocspResponses).toHaveLength(1)
  expect(crls).toEqual([])
})

test('a signature of another document is a fault', async () => {
  const other = join(folder, 'other.pdf')
  writeFileSync(other, document.subarray(1))
  expect(await checked({ document: { path: other } })).toMatchObject({
    signers: [{ faults: ['other-document'] }],
  })
})

test('a signature with the document inside is read by its path', async () => {
  const path = join(folder, 'attached.cms')
  writeFileSync(path, await signAttached(document, person, { signingTime: new Date() }))
  expect(await checked({ signature: { path }, document: null })).toMatchObject({
    signers: [{ faults: [] }],
  })
})

test.each<[CentreAnswer, CentreAnswer, string | null]>([
  ['good', 'revoked', null],
  ['revoked', 'good', 'DS-501'],
  ['down', 'good', null],
  ['down', 'revoked', 'DS-502'],
  ['garbage', 'good', null],
  ['no-nonce', 'revoked', 'DS-502'],
  ['down', 'down', 'DS-901'],
  ['garbage', 'garbage', 'DS-901'],
])('with OCSP %s and CRL %s the code is %s', async (ocsp, crl, code) => {
  expect(await codeFor(ocsp, crl)).toBe(code)
  // OCSP that decides needs no CRL
  expect(asked.includes('crl')).toBe(ocsp !== 'good' && ocsp !== 'revoked')
})

test('no service is asked about an untrusted chain', async () => {
  const stranger = await foundNation('gost-kz-2004', 'Stranger')
  const liar = await stranger.issue('LIAR', { extensions: [authorityInfoAccess({ ocsp: ocspAddress })] })
  const signature = await signDetached(document, liar, { signingTime: new Date() })
  expect(await checked({ signature })).toMatchObject({ signers: [{ faults: ['issuer-unknown'] }] })
  expect(asked).toEqual([])
})

test('a short document can be given as bytes', async () => {
  expect(await checked({ document })).toMatchObject({ signers: [{ faults: [] }] })
  expect(await checked({ document: document.subarray(1) })).toMatchObject({
    signers: [{ faults: ['other-document'] }],
  })
})

test('bytes that are no signature are a fault, not an error', async () => {
  expect(await checked({ signature: document.subarray(0, 100) })).toEqual({
    faults: ['not-a-signature'],
    signers: [],
  })
})

test('bidirectional and invisible characters of a name are shown as their code points', async () => {
  const disguised = await nation.issue('ТЕСТОВ\u202eТСЕТ\u3164', {
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + day),
  })
  const signature = await signDetached(document, disguised, { signingTime: new Date() })
  const { signers } = await checked({ signature })
  expect(signers[0]!.owner?.commonName).toBe('ТЕСТОВ[U+202E]ТСЕТ[U+3164]')
})

test('a timestamp is checked with the revocation of its service', async () => {
  const clock = await nation.issue('CLOCK', {
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + day),
    extensions: [
      keyUsage('digitalSignature'),
      extendedKeyUsage(['1.3.6.1.5.5.7.3.8'], true),
      authorityInfoAccess({ ocsp: ocspAddress }),
    ],
  })
  const token = await nation.stamp(document, new Date(), clock)
  const job = () => ({
    token,
    over: { hash: 'sha-256', digest: hash('sha-256', document) } as const,
    at: new Date(),
  })
  // The root of this test publishes nothing about the centre.
  expect(await checks.checkTimestamp(job())).toMatchObject({
    faults: ['timestamp-revocation-unknown'],
    endsAt: clock.certificate.notAfter,
    centres: [new Uint8Array(nation.centre.der)],
  })
  answers.ocsp = 'revoked'
  expect((await checks.checkTimestamp(job())).faults).toEqual(['timestamp-untrusted'])
  expect(asked).toEqual(['ocsp', 'ocsp'])
})
