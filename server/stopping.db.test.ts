import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { startTestApp } from './testing.ts'

test('a stopping server finishes what is running and takes nothing new', async () => {
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
