import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { callerTo, get, newFile, oneAttempt, reasonOf, text, time } from './testing-caller.ts'
import { httpService, type Service } from './testing-services.ts'

describe('repeated attempts', () => {
  /** Fails the given number of times in the given way, then responds. */
  async function failing(times: number, fail: RequestListener): Promise<Service> {
    let left = times
    return httpService((request, response) => {
      left -= 1
      if (left >= 0) fail(request, response)
      else response.end('at last')
    })
  }

  test.each<[string, RequestListener]>([
    ['resets', (request) => request.socket.resetAndDestroy()],
    ['hangs up', (request) => request.socket.end()],
    ['answers 503', (_, response) => response.writeHead(503).end()],
    ['answers 429', (_, response) => response.writeHead(429).end()],
    ['breaks off', (request, response) => response.write('half', () => request.socket.resetAndDestroy())],
  ])('reach a service that %s twice', async (_, fail) => {
    const service = await failing(2, fail)
    expect(text(await callerTo([service]).call(get(service.address)))).toBe('at last')
    expect(service.connections()).toBe(3)
    expect(time.pauses).toEqual([125, 250])
  })

  test('are two at most', async () => {
    const service = await failing(3, (_, response) => response.writeHead(500).end())
    expect(await reasonOf(callerTo([service]).call(get(service.address)))).toBe('unreachable')
    expect(service.connections()).toBe(3)
  })

  test('leave only the last response in a saved file', async () => {
    const service = await failing(2, (request, response) =>
      response.write('a long beginning of another answer', () => request.socket.resetAndDestroy()),
    )
    const path = newFile()
    await callerTo([service]).save(get(service.address), path)
    expect(readFileSync(path, 'utf8')).toBe('at last')
  })

  test('end with unreachable if nobody listens, or the name is unknown', async () => {
    const gone = await nobodyAt()
    expect(await reasonOf(callerTo([gone]).call(get(`http://${gone}/`)))).toBe('unreachable')
    const resolve = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))
    const call = callerTo(['ocsp.inside:80'], { resolve }).call(get('http://ocsp.inside/'))
    await expect(call).rejects.toMatchObject({ reason: 'unreachable', message: 'ocsp.inside:80: ENOTFOUND' })
    const empty = callerTo(['ocsp.inside:80'], { resolve: async () => [] })
    expect(await reasonOf(empty.call(get('http://ocsp.inside/')))).toBe('unreachable')
  })
})

describe('a service that keeps failing', () => {
  async function troubled() {
    let isWell = false
    const service = await httpService((_, response) =>
      isWell ? response.end('well') : response.writeHead(503).end(),
    )
    const caller = callerTo([service], { limits: oneAttempt })
    const ask = () => reasonOf(caller.call(get(service.address)))
    for (let i = 0; i < 5; i++) expect(await ask()).toBe('unreachable')
    return { service, caller, ask, heal: () => void (isWell = true) }
  }

  test('is not called for thirty seconds, then once as a trial, then as before', async () => {
    const { service, caller, ask, heal } = await troubled()
    heal()
    time.now = 29_999
    expect(await ask()).toBe('circuit-open')
    expect(service.connections()).toBe(5)
    time.now = 30_000
    const [trial, meanwhile] = await Promise.allSettled([caller.call(get(service.address)), ask()])
    expect(trial.status).toBe('fulfilled')
    expect(meanwhile).toMatchObject({ value: 'circuit-open' })
    expect(text(await caller.call(get(service.address)))).toBe('well')
  })

  test('is not called again after a failed trial, which is a single attempt', async () => {
    const service = await httpService((_, response) => response.writeHead(503).end())
    const caller = callerTo([service])
    const ask = () => reasonOf(caller.call(get(service.address)))
    for (let i = 0; i < 5; i++) await ask()
    expect(service.connections()).toBe(15)
    time.now = 30_000
    expect(await ask()).toBe('unreachable')
    expect(service.connections()).toBe(16)
    time.now = 59_999
    expect(await ask()).toBe('circuit-open')
  })

  test('does not affect other services', async () => {
    const [ill, well] = [
      await httpService((_, response) => response.writeHead(503).end()),
      await httpService((_, response) => response.end('well')),
    ]
    const caller = callerTo([ill, well])
    for (let i = 0; i < 6; i++) await reasonOf(caller.call(get(ill.address)))
    expect(await reasonOf(caller.call(get(ill.address)))).toBe('circuit-open')
    expect(text(await caller.call(get(well.address)))).toBe('well')
  })

  test('does not affect another service of the same host, such as OCSP beside timestamps', async () => {
    const host = await httpService(({ url }, response) =>
      url?.startsWith('/ocsp') ? response.end('good') : response.writeHead(500).end(),
    )
    const caller = callerTo([host], { limits: oneAttempt })
    for (let i = 0; i < 6; i++) await reasonOf(caller.call(get(`${host.address}tsp`)))
    expect(await reasonOf(caller.call(get(`${host.address}tsp?again`)))).toBe('circuit-open')
    expect(text(await caller.call(get(`${host.address}ocsp`)))).toBe('good')
  })

  test('is not one that gives invalid responses: they delay nobody', async () => {
    const service = await httpService((_, response) => response.writeHead(404).end())
    const caller = callerTo([service])
    for (let i = 0; i < 6; i++) expect(await reasonOf(caller.call(get(service.address)))).toBe('bad-answer')
  })
})

test('many calls at once all get their own response', async () => {
  const service = await httpService((request, response) => response.end(request.url))
  const caller = callerTo([service])
  const paths = Array.from({ length: 60 }, (_, i) => `/${i}`)
  const answers = await Promise.all(paths.map((path) => caller.call(get(`http://${service.name}${path}`))))
  expect(answers.map(text)).toEqual(paths)
})

/** The address of a port that was free a moment ago, so nothing listens there. */
async function nobodyAt(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `127.0.0.1:${port}`
}
