/**
 * How the server stops: it reports that it is not ready, goes on serving until proxies have noticed, then accepts
 * nothing new and finishes running calls. Idle connections do not keep it: browsers open some in advance and may
 * never use them.
 */
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export type Stopping = { isStopping: () => boolean }

/** Long enough for a request that is already on its way, too short to be noticed. */
const lookEveryMs = 100

export function stopGently(app: FastifyInstance, drainMs: number): Stopping {
  /** The number of running calls on each connection. */
  const connections = new Map<Socket, number>()
  let isStopping = false

  app.server.on('connection', (socket: Socket) => {
    connections.set(socket, 0)
    socket.once('close', () => connections.delete(socket))
  })
  const count = (socket: Socket, change: number) => {
    const known = connections.get(socket)
    if (known !== undefined) connections.set(socket, known + change)
  }
  app.server.prependListener('request', ({ socket }, response) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })

  app.addHook('preClose', async () => {
    isStopping = true
    if (drainMs > 0) await pause(drainMs)
    const looking = setInterval(() => {
      for (const [socket, calls] of connections) if (calls === 0) socket.destroy()
    }, lookEveryMs)
    app.server.once('close', () => clearInterval(looking))
  })
  // While stopping, a response closes its connection: a kept-alive one would hold the process until it times out.
  app.addHook('onSend', (_, reply, payload, done) => {
    if (isStopping) reply.header('connection', 'close')
    done(null, payload)
  })
  return { isStopping: () => isStopping }
}
