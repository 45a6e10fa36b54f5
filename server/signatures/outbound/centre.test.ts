import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createOutboundCaller } from './call.ts'
import { knownServices, openCentre, type PkiConfig } from './centre.ts'
import { ownFolder, reasonOf, text } from './testing-caller.ts'
import { httpService, type Service } from './testing-services.ts'

/** A centre with all its services at one address, like the stand-in of the demo. */
async function centreAt(service: Service, settings: Partial<PkiConfig> = {}) {
  const pki = {
    ocspUrl: undefined,
    tspUrl: undefined,
    crlUrls: [],
    privateHosts: [service.name],
    ...settings,
  }
  return openCentre({
    pki,
    dataDir: ownFolder(),
    caller: createOutboundCaller({ known: knownServices(pki), pause: async () => {} }),
    examineCrl: async () => new Date(Date.now() + 1000),
    clock: () => new Date(),
  })
}

/** Responds with what it received: path, type and body. */
function echo(type: string): Promise<Service> {
  return httpService((request, response) => {
    const asked: string[] = [request.url ?? '', request.headers['content-type'] ?? '']
    request.on('data', (chunk: Buffer) => asked.push(chunk.toString()))
    request.on('end', () => response.setHeader('content-type', type).end(asked.join(' ')))
  })
}

const nothingNamed = { isChainTrusted: true, ocsp: [], crl: [] } as const

test('OCSP is requested at the address in the certificate, or at the configured one', async () => {
  const service = await echo('application/ocsp-response')
  const named = { ...nothingNamed, ocsp: ['ldap://directory.kz/', `${service.address}certificate`] }
  const question = Buffer.from('question')

  const centre = await centreAt(service)
  expect(text(await centre.askOcsp(question, named))).toBe('/certificate application/ocsp-request question')

  const configured = await centreAt(service, { ocspUrl: new URL(`${service.address}configured`) })
  expect(text(await configured.askOcsp(question, named))).toBe(
    '/configured application/ocsp-request question',
  )
})

test('timestamps are requested at the configured address', async () => {
  const service = await echo('application/timestamp-reply')
  const centre = await centreAt(service, { tspUrl: new URL(`${service.address}tsp/`) })
  expect(text(await centre.askTimestamp(Buffer.from('question')))).toBe(
    '/tsp/ application/timestamp-query question',
  )
})

test('a missing address of a service is reported as such', async () => {
  const centre = await centreAt(await echo(''))
  expect(await reasonOf(centre.askTimestamp(new Uint8Array()))).toBe('no-address')
  expect(await reasonOf(centre.askOcsp(new Uint8Array(), nothingNamed))).toBe('no-address')
  expect(await centre.crlFiles(nothingNamed)).toEqual([])
})

test('a response above 64 KB is refused', async () => {
  const service = await httpService((_, response) =>
    response.setHeader('content-type', 'application/timestamp-reply').end(Buffer.alloc(64 * 1024 + 1)),
  )
  const centre = await centreAt(service, { tspUrl: new URL(service.address) })
  expect(await reasonOf(centre.askTimestamp(new Uint8Array()))).toBe('too-big')
})

test('one unavailable revocation list does not hide the others', async () => {
  const service = await echo('application/pkix-crl')
  const named = {
    ...nothingNamed,
    crl: [`${service.address}a.crl`, `${service.address}a.crl`, 'http://127.0.0.1:5432/b.crl', 'ldap://x/'],
  }
  const centre = await centreAt(service)
  const [first, second, ...more] = await centre.crlFiles(named)
  expect(first).toMatchObject({ address: `${service.address}a.crl` })
  expect(second).toMatchObject({ failure: { reason: 'refused-address' } })
  expect(more).toEqual([])
  expect(first && 'path' in first && readFileSync(first.path, 'utf8')).toBe('/a.crl ')

  const configured = await centreAt(service, { crlUrls: [new URL(`${service.address}own.crl`)] })
  expect(await configured.crlFiles(named)).toMatchObject([{ address: `${service.address}own.crl` }])
})
