/** Calls to addresses that somebody typed: where they may lead, and what is sent. */
import { describe, expect, test } from 'vitest'
import { httpService, tcpService } from '../../signatures/outbound/testing-services.ts'
import { headersOf, openWebhookCaller, type WebhookMessage } from './caller.ts'

const message: WebhookMessage = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
  secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
}

test('messages are signed with each secret, as Standard Webhooks specifies', () => {
  const { secrets } = message
  expect(headersOf(message)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
  const two = headersOf({ ...message, secrets: [...secrets, 'whsec_AAAA'] })['webhook-signature']!.split(' ')
  expect(two).toHaveLength(2)
  expect(two[0]).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

describe('an address', () => {
  const caller = openWebhookCaller({ privateHosts: ['10.0.0.5:8080'] })

  test.each(['https://example.kz/hook', 'https://8.8.8.8/', 'http://10.0.0.5:8080/hook'])(
    '%s may be called',
    (url) => expect(caller.mayCall(url)).toBe(true),
  )

  test.each([
    'http://example.kz/hook',
    'https://example.kz:8443/hook',
    'https://name:password@example.kz/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.6/',
    'https://192.168.0.1/',
    'https://[fe80::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::]/',
    'https://0.0.0.0/',
    'https://0/',
    'https://127.0.0.1./',
    'https://017700000001/',
    'https://①②⑦.0.0.1/',
    'https://example.kz:0/',
    'https://example.kz:22/',
    'http://10.0.0.5:8081/hook',
    'http://10.0.0.5.:8080@evil.example/',
    'ftp://example.kz/',
    'javascript:alert(1)',
    'x',
  ])('%s may not be called', (url) => expect(caller.mayCall(url)).toBe(false))
})

describe('a receiver', () => {
  const to = (service: { name: string }, wholeMs = 15_000) =>
    openWebhookCaller({ privateHosts: [service.name], limits: { connectMs: 3000, wholeMs } })

  test('gets the body and the headers, and only its status is read', async () => {
    const seen: unknown[] = []
    const service = await httpService((request, response) => {
      seen.push(request.method, request.headers['webhook-id'], request.headers['content-type'])
      request.on('data', (chunk: Buffer) => seen.push(chunk.toString()))
      request.on('end', () =>
        response.writeHead(202, { 'content-encoding': 'gzip' }).end('x'.repeat(100_000)),
      )
    })
    expect(await to(service).call(service.address, message)).toEqual({ status: 202 })
    expect(seen).toEqual(['POST', message.id, 'application/json', message.body])
  })

  test('that redirects is not followed', async () => {
    const inside = await httpService((_, response) => response.end('secret'))
    const service = await httpService((_, response) =>
      response.writeHead(307, { location: inside.address }).end(),
    )
    expect(await to(service).call(service.address, message)).toEqual({ status: 307 })
    expect(inside.connections()).toBe(0)
  })

  test('that is unreachable, silent or no HTTP server is a failure', async () => {
    const silent = await tcpService(() => {})
    expect(await to(silent, 60).call(silent.address, message)).toEqual({ failure: 'timeout' })
    const garbled = await tcpService((socket) => socket.once('data', () => socket.end('220 mail\r\n')))
    expect(await to(garbled).call(garbled.address, message)).toEqual({ failure: 'bad-answer' })
    const dead = { name: '127.0.0.1:1' }
    expect(await to(dead).call('http://127.0.0.1:1/', message)).toEqual({ failure: 'unreachable' })
  })

  test('whose name resolves to an internal address, at once or later, is not connected to', async () => {
    const service = await httpService((_, response) => response.end('secret'))
    const answers = [
      ['127.0.0.1'],
      ['93.184.216.34', '127.0.0.1'],
      ['10.0.0.1'],
      ['::1'],
      ['169.254.169.254'],
    ]
    for (const addresses of answers) {
      const caller = openWebhookCaller({ resolve: async () => addresses })
      expect(caller.mayCall('https://hook.example.kz/')).toBe(true)
      expect(await caller.call('https://hook.example.kz/', message)).toEqual({ failure: 'refused-address' })
    }
    expect(service.connections()).toBe(0)
  })

  test('is connected to at the address that was checked: the name is resolved once', async () => {
    const judged = await httpService((_, response) => response.end(), { host: '127.0.0.2' })
    const other = await httpService((_, response) => response.end(), { host: '127.0.0.3', port: judged.port })
    const answers = [['127.0.0.2'], ['127.0.0.3']]
    const name = `hook.inside:${judged.port}`
    const caller = openWebhookCaller({ privateHosts: [name], resolve: async () => answers.shift()! })
    expect(await caller.call(`http://${name}/`, message)).toEqual({ status: 200 })
    expect([answers.length, other.connections()]).toEqual([1, 0])
  })
})
