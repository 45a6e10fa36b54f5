/** For tests that start a program which needs to be told its ports. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * The first of so many free ports in a row. Below 32768: the ports above are given to whoever calls somebody, and the tests beside
 * this one do so all the time.
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
