import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPool, PoolError, type Pool } from './pool.ts'

type Job =
  | { say: string }
  | { ask: string }
  | { hang: true }
  | { throw: string }
  | { exit: true }
  | { eat: true }

/** A worker that does as it is told. */
const worker = `
import { parentPort } from 'node:worker_threads'
const waiting = new Map()
parentPort.on('message', async (message) => {
  if ('answerTo' in message) return waiting.get(message.answerTo)(message)
  const { job } = message
  if (job.hang) for (;;);
  if (job.exit) process.exit(1)
  if (job.eat) { const all = []; for (;;) all.push(new Array(100000).fill(Math.random())) }
  if (job.throw) return parentPort.postMessage({ failure: job.throw })
  if (job.ask) {
    const answer = await new Promise((resolve) => {
      waiting.set(1, resolve)
      parentPort.postMessage({ question: job.ask, id: 1 })
    })
    return parentPort.postMessage({ result: answer.answer ?? answer.failure })
  }
  parentPort.postMessage({ result: job.say })
})
`

const deadlineMs = 60_000

let pool: Pool<Job, string>
// Deadlines pass when a test says so: a worker that a busy machine is slow to start is not overdue.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(async () => {
  vi.useRealTimers()
  await pool.close()
})

function start(overrides: Partial<Parameters<typeof createPool>[0]> = {}): Pool<Job, string> {
  pool = createPool<Job, string>({
    file: new URL(`data:text/javascript,${encodeURIComponent(worker)}`),
    workerData: null,
    size: 1,
    maxQueue: 2,
    deadlineMs,
    memory: { maxOldGenerationSizeMb: 32 },
    answer: (question) => Promise.resolve(`answer to ${String(question)}`),
    ...overrides,
  })
  return pool
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof PoolError ? error.reason : String(error)),
  )

test('work is done in order, and the worker may ask meanwhile', async () => {
  const { run } = start()
  const all = Promise.all([run({ say: 'one' }), run({ ask: 'two' }), run({ say: 'three' })])
  expect(await all).toEqual(['one', 'answer to two', 'three'])
})

test('an answer that fails reaches the worker as a failure', async () => {
  const { run } = start({ answer: () => Promise.reject(new Error('no network')) })
  expect(await run({ ask: 'anything' })).toBe('Error: no network')
})

test('one who takes too long is replaced, and those who wait get their turn', async () => {
  const { run } = start()
  const [slow, next] = [reasonOf(run({ hang: true })), run({ say: 'next' })]
  vi.advanceTimersByTime(deadlineMs)
  expect(await slow).toBe('overdue')
  expect(await next).toBe('next')
})

test.each<[string, Job]>([
  ['throws', { throw: 'nonsense' }],
  ['ends itself', { exit: true }],
  ['eats all its memory', { eat: true }],
])('one who %s is a failure of that work alone', async (_, job) => {
  const { run } = start()
  expect(await reasonOf(run(job))).toBe('crashed')
  expect(await run({ say: 'still there' })).toBe('still there')
})

test('a full queue says so at once', async () => {
  const { run } = start()
  const works = [{ hang: true } as const, { say: 'a' }, { say: 'b' }, { say: 'c' }].map((job) =>
    reasonOf(run(job)),
  )
  expect(await works[3]).toBe('full')
  vi.advanceTimersByTime(deadlineMs)
  expect(await Promise.all(works)).toEqual(['overdue', 'done', 'done', 'full'])
})

test('several at once', async () => {
  const { run } = start({ size: 2 })
  const hung = reasonOf(run({ hang: true }))
  expect(await run({ say: 'beside it' })).toBe('beside it')
  vi.advanceTimersByTime(deadlineMs)
  expect(await hung).toBe('overdue')
})

test('closing ends all work', async () => {
  const { run, close } = start()
  const works = [reasonOf(run({ hang: true })), reasonOf(run({ say: 'waiting' }))]
  await close()
  expect(await Promise.all(works)).toEqual(['closed', 'closed'])
  expect(await reasonOf(run({ say: 'late' }))).toBe('closed')
})
