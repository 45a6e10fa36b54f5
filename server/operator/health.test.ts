import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { checkMailServer } from './health.ts'

const passwords: string[] = []
const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth({ password, username }, _, done) {
    passwords.push(password ?? '')
    done(null, { user: username ?? '' })
  },
})
server.on('error', () => {})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
afterAll(() => server.close(() => {}))
const { port } = server.server.address() as AddressInfo
const url = `smtp://post:secret@127.0.0.1:${port}`

test('the password of the mail server is not sent if its encryption was stripped', async () => {
  await expect(checkMailServer(url, true)).rejects.toThrow()
  expect(passwords).toEqual([])
  expect(await checkMailServer(url, false)).toBe(`127.0.0.1:${port}`)
  expect(passwords).toEqual(['secret'])
})
