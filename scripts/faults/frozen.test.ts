import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { frozen, slowed, slowedWhile } from './frozen.ts'

/** It works in a child of its own, as a database does in its backends. */
const parent = spawn('sh', ['-c', 'while :; do :; done & echo $!; wait'], {
  stdio: ['ignore', 'pipe', 'ignore'],
  detached: true,
})
afterAll(() => process.kill(-parent.pid!, 'SIGKILL'))
const child = await new Promise<number>((resolve) =>
  parent.stdout.once('data', (text: Buffer) => resolve(Number(text.toString()))),
)

/** R or S: it goes on; T: it stands still. */
const stateOf = (pid: number) => /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]!

test('what is frozen stands still with its children, and goes on afterwards', async () => {
  const freezing = frozen(parent.pid, 300)
  const end = performance.now() + 10_000
  const states = () => [parent.pid!, child].map(stateOf)
  // Nothing is awaited here, so the freezing cannot end before it is seen, however slow the machine is.
  while (states().some((state) => state !== 'T') && performance.now() < end);
  expect(states()).toEqual(['T', 'T'])
  await freezing
  await expect.poll(() => [parent.pid!, child].map(stateOf)).not.toContain('T')
})

test('what is slowed stands still again and again, and goes on afterwards', { timeout: 60_000 }, async () => {
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
})

test('what is slowed for a time goes on when it is over', async () => {
  await slowed(parent.pid, 1)
  await expect.poll(() => stateOf(child)).not.toBe('T')
})
