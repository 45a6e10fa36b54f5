import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { frozen, slowed } from './frozen.ts'

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
  await expect.poll(() => [parent.pid!, child].map(stateOf)).toEqual(['T', 'T'])
  await freezing
  await expect.poll(() => [parent.pid!, child].map(stateOf)).not.toContain('T')
})

test('what is slowed stands still again and again, and goes on afterwards', async () => {
  const states: string[] = []
  const watching = setInterval(() => states.push(stateOf(child)), 20)
  await slowed(parent.pid, 1500)
  clearInterval(watching)
  const stops = states.filter((state, i) => state === 'T' && states[i - 1] !== 'T').length
  expect(stops).toBeGreaterThanOrEqual(2)
  await expect.poll(() => stateOf(child)).not.toBe('T')
})
