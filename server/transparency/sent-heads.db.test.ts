/** The daily head goes to an address and to mailboxes, and nobody gets it again because the other way failed. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { startRequestsApp } from '../requests/core/testing-requests.ts'
import { publicUrl } from '../testing.ts'
import { originAt } from './checkpoints.ts'
import { mailHead, postHead } from './sent-heads.ts'
import { submitTo } from './witnesses.ts'

const testApp = await startRequestsApp()
const { database, time } = testApp
const statuses = [503, 503, 200]
const posted: string[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (part: string) => (body += part))
  request.on('end', () => {
    posted.push(body)
    response.writeHead(statuses[posted.length - 1]!).end()
  })
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
afterAll(() => receiver.close())

test('heads are e-mailed once, while posting them to a failing address is tried again', async () => {
  const house = await testApp.company()
  await house.send(await house.route(await house.point('InternalApprove')))
  const mailed: string[] = []
  const { port } = receiver.address() as AddressInfo
  const heads = {
    database,
    queueMail: async (_: unknown, { to }: { to: string }) => void mailed.push(to),
    publicUrl,
    clock: () => time.now,
    log: { key: testApp.logKey, origin: originAt(publicUrl) },
    witnessing: { witnesses: [], quorum: 0, submit: submitTo },
    headsTo: { emails: ['one@example.kz', 'two@example.kz'], url: new URL(`http://127.0.0.1:${port}/`) },
  }
  await expect(postHead(heads)).rejects.toThrow('503')
  await mailHead(heads)
  await expect(postHead(heads)).rejects.toThrow('503')
  await postHead(heads)
  expect(posted).toEqual([posted[0], posted[0], posted[0]])
  expect(mailed).toEqual(['one@example.kz', 'two@example.kz'])
  const nowhere = { ...heads, headsTo: { emails: [], url: undefined } }
  await postHead(nowhere)
  await mailHead(nowhere)
  expect([posted.length, mailed.length]).toEqual([3, 2])
})
