/**
 * For tests: stands between clients and PostgreSQL as a pooler does. It drops the settings that clients bring, tells
 * them a process number of its own, and its sessions have settings of their own.
 */
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, inject } from 'vitest'

/** Returns its address for a database of the test server. */
export async function startTestPooler(
  database: string,
  settings: Readonly<Record<string, number>>,
): Promise<{ connectionString: string }> {
  const { host, user } = inject('postgres')
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const backend = createConnection(`${host}/.s.PGSQL.5432`)
    for (const socket of [client, backend]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          client.destroy()
          backend.destroy()
        })
    }
    client.once('data', (startup: Buffer) => {
      backend.write(startupOf(user, database, settings))
      if (startup.length > startup.readInt32BE(0)) backend.write(startup.subarray(startup.readInt32BE(0)))
      client.pipe(backend)
    })
    backend.once('data', (first: Buffer) => {
      client.write(withOtherProcess(first))
      backend.pipe(client)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { connectionString: `postgres://${user}@127.0.0.1:${port}/${database}` }
}

function startupOf(user: string, database: string, settings: Readonly<Record<string, number>>): Buffer {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const pairs = ['user', user, 'database', database, 'options', options.join(' ')]
  const body = Buffer.from(`${pairs.join('\0')}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(body.length + 8, 0)
  head.writeInt32BE(196_608, 4)
  return Buffer.concat([head, body])
}

/** BackendKeyData: the type K, its length, the process, the secret. */
function withOtherProcess(messages: Buffer): Buffer {
  for (let at = 0; at < messages.length; at += 1 + messages.readInt32BE(at + 1)) {
    if (messages[at] === 'K'.charCodeAt(0)) messages.writeInt32BE(1, at + 5)
  }
  return messages
}
