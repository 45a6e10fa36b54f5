import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { expect, test } from 'vitest'
import { onceReachable } from './waiting-room.ts'

async function freePort(): Promise<number> {
  const probe = createServer().listen(0)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

const refused = () =>
  Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))

test('while the database is down every call is answered 503, and then the real server gets the port', async () => {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const answers: Response[] = []
  let tries = 0
  const done = await onceReachable(
    async () => {
      tries++
      if (tries === 2) {
        answers.push(
          await fetch(`${address}/api-user/profile`, { headers: { 'accept-language': 'kk' } }),
          await fetch(`${address}/health/live`),
          await fetch(`${address}/health/ready`),
          await fetch(`${address}/points/my`, { headers: { accept: 'text/html' } }),
        )
      }
      return tries < 3 ? refused() : 'migrated'
    },
    { port, host: '127.0.0.1', onWait: () => {}, pauseMs: 1 },
  )
  expect(done).toBe('migrated')
  expect(answers.map((a) => a.status)).toEqual([503, 200, 503, 503])
  expect(await answers[0]!.json()).toMatchObject({
    ClassName: 'TemporaryUnavailableException',
    ExceptionData: { Alias: 'service-unavailable' },
    Message: expect.stringContaining('қолжетімсіз') as unknown,
  })
  expect(answers[0]!.headers.get('retry-after')).toBe('2')
  expect(await answers[3]!.text()).toContain('http-equiv="refresh"')

  const real = createServer().listen(port, '127.0.0.1')
  await once(real, 'listening')
  real.close()
})

test('migrations wait for a locked table, as during a backup', async () => {
  const port = await freePort()
  const held = Object.assign(new pg.DatabaseError('canceling statement due to lock timeout', 1, 'error'), {
    code: '55P03',
  })
  let tries = 0
  const statuses: number[] = []
  const migrated = onceReachable(
    async () => {
      tries++
      if (tries === 2) statuses.push((await fetch(`http://127.0.0.1:${port}/health/live`)).status)
      if (tries < 3) throw held
      return 'migrated'
    },
    { port, host: '127.0.0.1', onWait: () => {}, pauseMs: 1 },
  )
  expect(await migrated).toBe('migrated')
  expect(statuses).toEqual([200])
})

test('an error of the database itself is not waited for', async () => {
  const wrong = () => Promise.reject(new Error('The database is newer than this program'))
  const options = { port: await freePort(), host: '127.0.0.1', onWait: () => {} }
  await expect(onceReachable(wrong, options)).rejects.toThrow('newer')
})
