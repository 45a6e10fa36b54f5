/** For tests: services on this machine that misbehave as a test needs, closed after it. */
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type Service = {
  port: number
  /** host:port */
  name: string
  address: string
  /** Connections so far. */
  connections: () => number
}

export function httpService(answer: RequestListener, place: ListenAddress = {}): Promise<Service> {
  return listening(createHttpServer(answer), place)
}

/** Below HTTP: `meet` gets each connection and may write anything into it, or nothing. */
export function tcpService(meet: (socket: Socket) => void, place: ListenAddress = {}): Promise<Service> {
  return listening(createTcpServer(meet), place)
}

/** A service that reads the request and then writes exactly this. */
export function rawService(text: string): Promise<Service> {
  return tcpService((socket) => socket.once('data', () => socket.write(text)))
}

type ListenAddress = { host?: string; port?: number }

async function listening(server: Server, { host = '127.0.0.1', port = 0 }: ListenAddress): Promise<Service> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(port, host)
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const taken = (server.address() as AddressInfo).port
  const name = `${host}:${taken}`
  return { port: taken, name, address: `http://${name}/`, connections: () => connections }
}
