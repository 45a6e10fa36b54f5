import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reservedForCode } from './limited-process.ts'
import { createPool, PoolError, type Pool } from './pool.ts'
import { createShares } from './shares.ts'
import type { TestJob } from './testing-worker.ts'
import type { Claimant } from './turns.ts'

const deadlineMs = 600_000
const queueTimeoutMs = 300_000

let pool: Pool<TestJob, unknown>
// Deadlines pass only when a test says so: a child that starts slowly on a busy machine must not be overdue.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(async () => {
  vi.useRealTimers()
  await pool.close()
})

function start(overrides: Partial<Parameters<typeof createPool>[0]> = {}) {
  pool = createPool<TestJob, unknown>({
    file: new URL('testing-worker.ts', import.meta.url),
    setup: 'prepared',
    seats: 1,
    maxQueue: 2,
    deadlineMs,
    queueTimeoutMs,
    memory: { heapMb: 32, outsideMb: 64 },
    // Without CPU times of children, deadlines count elapsed time.
    timeOf: () => null,
    shares: createShares(2),
    answer: (question) => Promise.resolve(`answer to ${String(question)}`),
    ...overrides,
  })
  return (job: TestJob, claimant: Claimant = null) => pool.run(job, claimant)
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof PoolError ? error.reason : String(error)),
  )

type Surroundings = { setup: string; pid: number; folder: string; files: string[]; environment: string[] }
const surroundings = (run: ReturnType<typeof start>, claimant: Claimant = null) =>
  run({ surroundings: true }, claimant) as Promise<Surroundings>

test('jobs are done in order, and the child process may ask questions meanwhile', async () => {
  const run = start()
  const all = Promise.all([run({ say: 'one' }), run({ ask: 'two' }), run({ say: 'three' })])
  expect(await all).toEqual(['one', 'answer to two', 'three'])
})

test('a failed answer reaches the child process as a failure', async () => {
  const run = start({ answer: () => Promise.reject(new Error('no network')) })
  expect(await run({ ask: 'anything' })).toBe('Error: Error: no network')
})

test('a child process has an empty environment and its own folder, which is removed with it', async () => {
  const run = start()
  const first = await surroundings(run)
  expect(first).toMatchObject({ setup: 'prepared', files: ['left-behind'], environment: ['TMPDIR'] })
  expect(existsSync(first.folder)).toBe(true)
  expect((await surroundings(run)).pid).toBe(first.pid)
  await pool.close()
  expect(existsSync(first.folder)).toBe(false)
})

test('a child process whose job takes too long is replaced, and waiting jobs get their turn', async () => {
  const run = start({ queueTimeoutMs: 2 * deadlineMs })
  await run({ say: 'started' })
  const [slow, next] = [reasonOf(run({ hang: true })), run({ say: 'next' })]
  vi.advanceTimersByTime(deadlineMs)
  expect(await slow).toBe('overdue')
  expect(await next).toBe('next')
})

test('a job that gets little CPU time on a busy machine has more time', async () => {
  let worked = 0
  const run = start({ timeOf: () => worked })
  await run({ say: 'started' })
  let isOver = false
  const slow = reasonOf(run({ hang: true })).finally(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(deadlineMs)
  expect(isOver).toBe(false)
  worked = deadlineMs
  await vi.advanceTimersByTimeAsync(deadlineMs)
  expect(await slow).toBe('overdue')
})

test('a job without any CPU time ends after a few times its deadline', async () => {
  const run = start({ timeOf: () => 0 })
  await run({ say: 'started' })
  const asleep = reasonOf(run({ hang: true }))
  await vi.advanceTimersByTimeAsync(4 * deadlineMs)
  expect(await asleep).toBe('overdue')
})

test.each<[string, TestJob]>([
  ['throws', { throw: 'nonsense' }],
  ['ends itself', { exit: true }],
  ['fills its heap', { eat: true }],
  ['takes too much memory outside of its heap', { inflate: 4096 }],
])('a job that %s fails alone, and its process ends', async (_, job) => {
  const run = start()
  const { pid } = await surroundings(run)
  expect(await reasonOf(run(job))).toBe('crashed')
  const { pid: another } = await surroundings(run)
  expect(another).not.toBe(pid)
})

test('a job that finds the disk full fails with out-of-space', async () => {
  const run = start()
  expect(await reasonOf(run({ throw: 'no space left on device', code: 'ENOSPC' }))).toBe('out-of-space')
})

test.runIf(process.platform === 'linux')('memory outside the heap is limited by the kernel', async () => {
  const run = start({ memory: { heapMb: 64, outsideMb: 512 } })
  const { pid } = await surroundings(run)
  const limit = /Max data size\s+(\d+)/.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))
  const code = reservedForCode(readFileSync('/proc/self/maps', 'utf8'))
  expect(Number(limit![1])).toBeLessThan((1024 + code) * 1024 * 1024)
  expect(await run({ inflate: 128 })).toBe('128')
})

test('writable memory for code is counted as reserved, other memory is not', () => {
  const maps =
    '7f0000000000-7f0020000000 rwxp 00000000 00:00 0\n7f0030000000-7f0040000000 rw-p 00000000 00:00 0\n'
  expect(reservedForCode(maps)).toBe(512)
  expect(reservedForCode('7f0000000000-7f0020000000 ---p 00000000 00:00 0\n')).toBe(0)
})

test('a child process that grew is replaced, so that its memory is freed', async () => {
  const run = start({ memory: { heapMb: 64, outsideMb: 256 } })
  const { pid } = await surroundings(run)
  expect(await run({ inflate: 200 })).toBe('200')
  expect((await surroundings(run)).pid).not.toBe(pid)
})

test('a child process that does not start is reported as such, not as a failure of the job', async () => {
  const run = start({ file: new URL('no-such-worker.ts', import.meta.url) })
  expect(await reasonOf(run({ say: 'a' }))).toBe('unstarted')
})

test('a child process does not end by SIGINT, SIGTERM or SIGHUP, which a terminal sends to the whole group', async () => {
  const run = start()
  const { pid } = await surroundings(run)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal)
  expect((await surroundings(run)).pid).toBe(pid)
})

test('a job is refused at once when the queue is full', async () => {
  const run = start()
  const works = [{ hang: true } as const, { say: 'a' }, { say: 'b' }, { say: 'c' }].map((job) =>
    reasonOf(run(job)),
  )
  expect(await works[3]).toBe('full')
  await pool.close()
  expect(await Promise.all(works)).toEqual(['closed', 'closed', 'closed', 'full'])
})

test('a job that has waited too long is refused', async () => {
  const run = start()
  await run({ say: 'started' })
  const [slow, waiting] = [reasonOf(run({ hang: true })), reasonOf(run({ say: 'a' }))]
  vi.advanceTimersByTime(queueTimeoutMs)
  expect(await waiting).toBe('queue-timeout')
  vi.advanceTimersByTime(deadlineMs)
  expect(await slow).toBe('overdue')
})

test('one person whose jobs all hang does not keep others waiting', async () => {
  const run = start({ seats: 2, maxQueue: 100, maxOwnQueue: 2 })
  const hostile = { organization: 'one', person: 'a' }
  const hung = Array.from({ length: 4 }, () => reasonOf(run({ hang: true }, hostile)))
  expect(await hung[3]).toBe('own-queue-full')
  expect(pool.whyNot(hostile)?.reason).toBe('own-queue-full')
  expect(await run({ say: 'beside them' }, { organization: 'two', person: 'b' })).toBe('beside them')
  await pool.close()
  expect(await Promise.all(hung)).toEqual(['closed', 'closed', 'closed', 'own-queue-full'])
})

test('an organisation with a killed job continues in a separate child process with low priority', async () => {
  const run = start({ seats: 2 })
  const hostile = { organization: 'one', person: 'a' }
  const { pid } = await surroundings(run)
  expect(await reasonOf(run({ throw: 'nonsense' }, hostile))).toBe('crashed')
  const aside = await surroundings(run, hostile)
  expect(getPriority(aside.pid)).toBe(Math.max(10, getPriority()))
  expect((await surroundings(run, hostile)).pid).toBe(aside.pid)
  const other = await surroundings(run, { organization: 'two', person: 'b' })
  expect(getPriority(other.pid)).toBe(getPriority())
  expect([pid, aside.pid]).not.toContain(other.pid)
  const colleague = { organization: 'one', person: 'b' }
  const hung = reasonOf(run({ hang: true }, hostile))
  const waiting = reasonOf(run({ say: 'a' }, colleague))
  expect(await run({ say: 'beside it' })).toBe('beside it')
  await pool.close()
  expect(await Promise.all([hung, waiting])).toEqual(['closed', 'closed'])
})

test('the share of an organisation counts jobs of several pools together', async () => {
  const shares = createShares(1)
  const run = start({ shares })
  const other = createPool<TestJob, unknown>({
    file: new URL('testing-worker.ts', import.meta.url),
    setup: 'prepared',
    seats: 1,
    maxQueue: 2,
    deadlineMs,
    queueTimeoutMs,
    memory: { heapMb: 32, outsideMb: 64 },
    shares,
  })
  const claimant = { organization: 'one', person: 'a' }
  await run({ say: 'started' }, claimant)
  const hung = reasonOf(run({ hang: true }, claimant))
  const colleague = other.run({ say: 'after it' }, { organization: 'one', person: 'b' })
  vi.advanceTimersByTime(queueTimeoutMs - 1)
  await pool.close()
  expect(await hung).toBe('closed')
  expect(await colleague).toBe('after it')
  await other.close()
})

test('closing the pool ends all jobs', async () => {
  const run = start()
  const works = [reasonOf(run({ hang: true })), reasonOf(run({ say: 'waiting' }))]
  await pool.close()
  expect(await Promise.all(works)).toEqual(['closed', 'closed'])
  expect(await reasonOf(run({ say: 'late' }))).toBe('closed')
})
