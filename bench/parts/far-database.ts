/** A worker that stands between the product and its database and holds every answer back, as a network would. */
import { connect, createServer, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const { port, socket, delayMs } = workerData as { port: number; socket: string; delayMs: number }

createServer((near) => {
  near.setNoDelay(true)
  const far = connect(socket)
  near.on('data', (chunk) => far.write(chunk))
  far.on('data', (chunk) => held(() => near.writable && near.write(chunk)))
  ends(near, far)
  ends(far, near)
}).listen(port, '127.0.0.1', () => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort!.postMessage('ready')
})

/**
 * Timers count whole milliseconds and fire up to one later, so 2.5 becomes 2.1 to 3. Polling the clock would be
 * exact, but would take one of the processors that are measured.
 */
function held(pass: () => void): void {
  if (delayMs === 0) pass()
  else setTimeout(pass, delayMs)
}

function ends(one: Socket, other: Socket): void {
  one.on('error', () => other.destroy())
  one.on('close', () => other.destroy())
}
