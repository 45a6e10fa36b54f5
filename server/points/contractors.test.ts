import { expect, test } from 'vitest'
import { callerTo, oneAttempt, reasonOf } from '../signatures/outbound/testing-caller.ts'
import { httpService, tcpService, type Service } from '../signatures/outbound/testing-services.ts'
import { openDirectory } from './contractors.ts'

const bin = '240540017348'

function directoryAt(service: Service, limits = oneAttempt) {
  const address = `${service.address}companies/{bin}?of=kz`
  return openDirectory({ address, privateHosts: [] }, callerTo([service], { limits }))
}

function answering(body: string, type = 'application/json', status = 200) {
  return httpService((_, response) => response.writeHead(status, { 'content-type': type }).end(body))
}

test('the number stands where the address says, and the name is what comes back', async () => {
  const asked: (string | undefined)[] = []
  const service = await httpService((request, response) => {
    asked.push(request.url)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":" ТОО «Алтын» ","x":1}')
  })
  expect(await directoryAt(service)(bin)).toBe('ТОО «Алтын»')
  expect(asked).toEqual([`/companies/${bin}?of=kz`])
})

test.each(['{"name":null}', '{"name":""}', '{"name":"  "}', '{"name":"a\\u202eb"}'])(
  '%s: no such number',
  async (body) => {
    expect(await directoryAt(await answering(body))(bin)).toBeNull()
  },
)

test('a name longer than we keep is cut', async () => {
  const name = 'ұ'.repeat(400)
  expect(await directoryAt(await answering(JSON.stringify({ name })))(bin)).toBe('ұ'.repeat(250))
})

test.each([
  ['no JSON', 'name', 'application/json', 200],
  ['another shape', '["ТОО"]', 'application/json', 200],
  ['a page', '<html>', 'text/html', 200],
  ['not found', '{}', 'application/json', 404],
])('%s is no answer', async (_, body, type, status) => {
  const service = await answering(body, type, status)
  expect(await reasonOf(directoryAt(service)(bin))).toBe('bad-answer')
})

test('an answer without end is cut off', async () => {
  const service = await answering(JSON.stringify({ name: 'x'.repeat(100_000) }))
  expect(await reasonOf(directoryAt(service)(bin))).toBe('too-big')
})

test('a silent directory is given up, and after five times left alone', async () => {
  const service = await tcpService(() => {})
  const directory = directoryAt(service, { ...oneAttempt, connectMs: 50, wholeMs: 50 })
  for (let i = 0; i < 5; i++) expect(await reasonOf(directory(bin))).toBe('timeout')
  expect(await reasonOf(directory(bin))).toBe('circuit-open')
  expect(service.connections()).toBe(5)
})

test('an address in our own network is asked only when it is listed', async () => {
  const service = await answering('{"name":"ТОО"}')
  const at = (privateHosts: string[]) =>
    openDirectory({ address: `${service.address}{bin}`, privateHosts })(bin)
  expect(await reasonOf(at([]))).toBe('refused-address')
  expect(await at([service.name])).toBe('ТОО')
})
