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

/** What is due, in the order in which it came. */
const due: { at: number; pass: () => void }[] = []

/** Timers count whole milliseconds, so the last part is waited for by looking at the clock again and again. */
function held(pass: () => void): void {
  due.push({ at: performance.now() + delayMs, pass })
  if (due.length === 1) wait()
}

function wait(): void {
  const left = due[0]!.at - performance.now()
  if (left > 1.5) setTimeout(look, left - 1.5)
  else setImmediate(look)
}

function look(): void {
  while (due.length > 0 && due[0]!.at <= performance.now()) due.shift()!.pass()
  if (due.length > 0) wait()
}

function ends(one: Socket, other: Socket): void {
  one.on('error', () => other.destroy())
  one.on('close', () => other.destroy())
}
