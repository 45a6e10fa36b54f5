/** A mail server as a separate process: accepts everything, and reports how many messages there were. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

let taken = 0
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _, done) {
    stream.resume()
    stream.on('end', () => {
      taken++
      done()
    })
  },
})
server.on('error', () => {})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
process.on('message', () => process.send!({ taken }))
process.send!({ port: (server.server.address() as AddressInfo).port })
