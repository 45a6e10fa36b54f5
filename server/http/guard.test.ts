/** What the guard does with a call whose caller has already left. */
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { guard } from './guard.ts'

test('a call whose connection closed before it was handled is dropped', async () => {
  const lines: string[] = []
  const app = Fastify({
    logger: { level: 'error', stream: { write: (line: string) => void lines.push(line) } },
  })
  // Simulates a process that stood still: the connection is gone, and with it the address of the caller.
  app.addHook('onRequest', async ({ socket }) => {
    Object.defineProperty(socket, 'remoteAddress', { value: undefined })
  })
  const counted: unknown[] = []
  const limits = {
    overall: (address: string) => void counted.push(address),
    perEndpoint: async () => {},
    perOrganization: async () => {},
  }
  guard(app, { publicUrl: new URL('https://kelisim.kz'), limits, build: 'test' })
  let isHandled = false
  app.get('/', { config: { access: 'anyone' } }, async () => {
    isHandled = true
    return {}
  })
  await expect(app.inject('/')).rejects.toThrow('destroyed')
  expect({ isHandled, counted, lines }).toEqual({ isHandled: false, counted: [], lines: [] })
})
