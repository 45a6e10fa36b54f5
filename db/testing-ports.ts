/** For tests that start a program which needs to be told its ports. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * The first of so many consecutive free ports. Below 32768, because the system gives higher ports to outgoing
 * connections, which concurrent tests open all the time.
 */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = 16_384 + 4 * randomInt(4_096)
    const areFree = await Promise.all(Array.from({ length: count }, (_, i) => isFree(first + i)))
    if (areFree.every(Boolean)) return first
  }
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const answer = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, () => resolve(true))
  })
  if (answer) await new Promise((resolve) => server.close(resolve))
  return answer
}
