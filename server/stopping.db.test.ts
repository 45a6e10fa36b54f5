import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { startTestApp } from './testing.ts'

test('a stopping server finishes running calls and takes no new ones', async () => {
  const { app } = await startTestApp()
  const running = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  app.get('/slow', { config: { access: 'anyone' } }, async () => {
    entered.resolve()
    await running.promise
    return { status: 'finished' }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const answer = fetch(`${address}/slow`)
  await entered.promise

  const stopped = app.close()
  await expect(fetch(`${address}/health/live`)).rejects.toThrow()
  running.resolve()
  expect(await (await answer).json()).toEqual({ status: 'finished' })
  await stopped
})

test('a stopping server waits neither for idle connections nor for incomplete requests', async () => {
  const { app } = await startTestApp()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  // Browsers open connections in advance, and a slow one may have sent only half of a request.
  const silent = connect(port, '127.0.0.1')
  const halfway = connect(port, '127.0.0.1')
  await Promise.all([once(silent, 'connect'), once(halfway, 'connect')])
  halfway.write('GET /health/live HTTP/1.1\r\nHost: local')
  // Once this call is answered, the server has accepted the two connections that were opened before it.
  await fetch(`http://127.0.0.1:${port}/health/live`)
  const ended = Promise.all([once(silent, 'close'), once(halfway, 'close')])
  await app.close()
  await ended
})

test('a draining server says that it is not ready, and serves calls until it closes', async () => {
  const { app } = await startTestApp({ http: { drainSeconds: 5 } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  expect((await fetch(`${address}/health/ready`)).status).toBe(200)
  expect((await fetch(`${address}/api/Log/head`)).status).toBe(200)
  const stopped = app.close()
  const notReady = await fetch(`${address}/health/ready`)
  expect([notReady.status, notReady.headers.get('connection')]).toEqual([503, 'close'])
  expect((await fetch(`${address}/api/Log/head`)).status).toBe(200)
  await stopped
  await expect(fetch(`${address}/health/live`)).rejects.toThrow()
})
