/** Ends uploads that come so slowly that their only purpose can be to hold a connection and a file. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { second } from '@kelisim/domain/durations.ts'
import { Refusal } from '@kelisim/domain/errors.ts'

/** Slower than any connection that people work over; averaged over time, because mobile networks pause. */
const slowest = { bytesPerSecond: 1024, over: 30 * second }

/** Runs the work that reads the body; refuses, and closes the connection, when the body comes too slowly. */
export async function unlessTooSlow<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  const { raw } = request
  let timer: NodeJS.Timeout | undefined
  const tooSlow = new Promise<never>((_, reject) => {
    let before = raw.socket.bytesRead
    timer = setInterval(() => {
      const now = raw.socket.bytesRead
      if (!raw.complete && now - before < (slowest.bytesPerSecond * slowest.over) / second) {
        reply.header('connection', 'close')
        // Destroying the stream ends the work that reads it, after the response was sent.
        reply.raw.once('finish', () => raw.destroy())
        reject(new Refusal('upload-too-slow'))
      }
      before = now
    }, slowest.over)
  })
  const working = work()
  working.catch(() => {})
  try {
    return await Promise.race([working, tooSlow])
  } finally {
    clearInterval(timer)
  }
}
