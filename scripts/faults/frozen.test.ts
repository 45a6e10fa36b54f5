import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { frozen, slowed, slowedWhile } from './frozen.ts'

/** This process works in a child process, as a database works in its backends. */
const parent = spawn('sh', ['-c', 'while :; do :; done & echo $!; wait'], {
  stdio: ['ignore', 'pipe', 'ignore'],
  detached: true,
})
afterAll(() => process.kill(-parent.pid!, 'SIGKILL'))
const child = await new Promise<number>((resolve) =>
  parent.stdout.once('data', (text: Buffer) => resolve(Number(text.toString()))),
)

/** R or S: the process runs; T: it is stopped. */
const stateOf = (pid: number) => /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]!

test('a frozen process stands still with its children, and continues afterwards', async () => {
  const freezing = frozen(parent.pid, 300)
  const end = performance.now() + 10_000
  const states = () => [parent.pid!, child].map(stateOf)
  // Nothing is awaited here, so the freezing cannot end before it is seen, however slow the machine is.
  while (states().some((state) => state !== 'T') && performance.now() < end);
  expect(states()).toEqual(['T', 'T'])
  await freezing
  await expect.poll(() => [parent.pid!, child].map(stateOf)).not.toContain('T')
})

test(
  'a slowed process stands still again and again, and continues afterwards',
  { timeout: 60_000 },
  async () => {
    let stops = 0
    let before = ''
    const watching = setInterval(() => {
      const now = stateOf(child)
      if (now === 'T' && before !== 'T') stops++
      before = now
    }, 20)
    await slowedWhile(parent.pid, () => stops < 3)
    clearInterval(watching)
    await expect.poll(() => stateOf(child)).not.toBe('T')
  },
)

test('a process slowed for a time continues after it', async () => {
  await slowed(parent.pid, 1)
  await expect.poll(() => stateOf(child)).not.toBe('T')
})
