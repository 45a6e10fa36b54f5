import { expect, test } from 'vitest'
import { callerTo, oneAttempt, reasonOf } from '../signatures/outbound/testing-caller.ts'
import { httpService, tcpService, type Service } from '../signatures/outbound/testing-services.ts'
import { openContractorDirectory } from './contractors.ts'

const bin = '240540017348'

function directoryAt(service: Service, limits = oneAttempt) {
  const address = `${service.address}companies/{bin}?of=kz`
  return openContractorDirectory({ address, privateHosts: [] }, callerTo([service], { limits }))
}

function answering(body: string, type = 'application/json', status = 200) {
  return httpService((_, response) => response.writeHead(status, { 'content-type': type }).end(body))
}

test('the number is put into the address, and the name is returned', async () => {
  const urls: (string | undefined)[] = []
  const service = await httpService((request, response) => {
    urls.push(request.url)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":" ТОО «Алтын» ","x":1}')
  })
  expect(await directoryAt(service)(bin)).toBe('ТОО «Алтын»')
  expect(urls).toEqual([`/companies/${bin}?of=kz`])
})

test.each(['{"name":null}', '{"name":""}', '{"name":"  "}', '{"name":"a\\u202eb"}'])(
  '%s means that the number is unknown',
  async (body) => {
    expect(await directoryAt(await answering(body))(bin)).toBeNull()
  },
)

test('a name that is too long is cut', async () => {
  const name = 'ұ'.repeat(400)
  expect(await directoryAt(await answering(JSON.stringify({ name })))(bin)).toBe('ұ'.repeat(250))
})

test.each([
  ['invalid JSON', 'name', 'application/json', 200],
  ['another shape', '["ТОО"]', 'application/json', 200],
  ['an HTML page', '<html>', 'text/html', 200],
  ['status 404', '{}', 'application/json', 404],
])('a response with %s is an error', async (_, body, type, status) => {
  const service = await answering(body, type, status)
  expect(await reasonOf(directoryAt(service)(bin))).toBe('bad-answer')
})

test('a response that is too large is an error', async () => {
  const service = await answering(JSON.stringify({ name: 'x'.repeat(100_000) }))
  expect(await reasonOf(directoryAt(service)(bin))).toBe('too-big')
})

test('a directory that does not respond times out, and is not called after five timeouts', async () => {
  const service = await tcpService(() => {})
  const directory = directoryAt(service, { ...oneAttempt, connectMs: 50, wholeMs: 50 })
  for (let i = 0; i < 5; i++) expect(await reasonOf(directory(bin))).toBe('timeout')
  expect(await reasonOf(directory(bin))).toBe('circuit-open')
  expect(service.connections()).toBe(5)
})

test('an address in our own network is called only if it is listed', async () => {
  const service = await answering('{"name":"ТОО"}')
  const at = (privateHosts: string[]) =>
    openContractorDirectory({ address: `${service.address}{bin}`, privateHosts })(bin)
  expect(await reasonOf(at([]))).toBe('refused-address')
  expect(await at([service.name])).toBe('ТОО')
})
