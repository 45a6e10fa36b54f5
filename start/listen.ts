import type { FastifyInstance } from 'fastify'
import type { Config } from '@kelisim/server/config.ts'

/** A port that is in use is explained, and everything that was opened is closed. */
export async function listenOr(
  stop: (code: number) => Promise<void>,
  app: FastifyInstance,
  { port, host }: Config,
): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!isTaken) throw error
    process.stderr.write(`Port ${port} is taken by another program: stop it, or set PORT to a free one.\n`)
    await stop(1)
  }
}
