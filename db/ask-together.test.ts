import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askTogether } from './ask-together.ts'
import { isUnreachable } from './db.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Records what it is asked, and answers when the test tells it to. */
function someDatabase() {
  const asked: { questions: readonly number[]; answer: () => void; fail: (code?: string) => void }[] = []
  const ask = (questions: readonly number[]) =>
    new Promise<string[]>((resolve, reject) =>
      asked.push({
        questions,
        answer: () => resolve(questions.map((question) => `answer to ${question}`)),
        fail: (code) => reject(Object.assign(new Error('away'), { code })),
      }),
    )
  return { asked, find: askTogether(ask), told: () => asked.map(({ questions }) => questions) }
}

test('a single question is asked alone, at once', async () => {
  const { asked, find, told } = someDatabase()
  const answer = find(1)
  await turn()
  expect(told()).toEqual([[1]])
  asked[0]!.answer()
  expect(await answer).toBe('answer to 1')
})

test('simultaneous questions are asked in one statement', async () => {
  const { asked, find, told } = someDatabase()
  const answers = [1, 2, 3].map(find)
  await turn()
  expect(told()).toEqual([[1, 2, 3]])
  asked[0]!.answer()
  expect(await Promise.all(answers)).toEqual(['answer to 1', 'answer to 2', 'answer to 3'])
})

test('while two statements are running, new questions wait and share the next one', async () => {
  const { asked, find, told } = someDatabase()
  const answers: Promise<string>[] = []
  for (const question of [1, 2, 3, 4, 5]) {
    answers.push(find(question))
    await turn()
  }
  expect(told()).toEqual([[1], [2]])
  asked[1]!.answer()
  expect(await answers[1]).toBe('answer to 2')
  await turn()
  expect(told()).toEqual([[1], [2], [3, 4, 5]])
})

const connectionLost = 'ECONNRESET'

test('a question that is asked again waits for the second answer, even if the first statement fails', async () => {
  const { asked, find, told } = someDatabase()
  const answer = find(1)
  await turn()
  vi.advanceTimersByTime(1000)
  await turn()
  expect(told()).toEqual([[1], [1]])
  // The server refused the statement, as it does when it is out of memory.
  asked[0]!.fail('53200')
  await turn()
  asked[1]!.answer()
  expect(await answer).toBe('answer to 1')
})

test('a failed statement fails the questions that it was asked for, and no others', async () => {
  const { asked, find } = someDatabase()
  const first = [find(1), find(2)]
  await turn()
  const second = find(3)
  await turn()
  asked[0]!.fail()
  asked[1]!.answer()
  expect((await Promise.allSettled(first)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await second).toBe('answer to 3')
  const third = find(4)
  await turn()
  asked[2]!.answer()
  expect(await third).toBe('answer to 4')
})

test('a statement with too few answers fails all its questions', async () => {
  const find = askTogether<number, string>(() => Promise.resolve(['one']))
  const both = await Promise.allSettled([find(1), find(2)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('a hanging statement delays no other questions, and its own are asked once more', async () => {
  const { asked, find, told } = someDatabase()
  const hanging = [find(1)]
  await turn()
  hanging.push(find(2))
  await turn()
  const waits = find(3)
  await turn()
  expect(told()).toEqual([[1], [2]])
  vi.advanceTimersByTime(1000)
  await turn()
  expect(told()).toEqual([[1], [2], [2, 1, 3]])
  asked[2]!.answer()
  expect(await Promise.all([...hanging, waits])).toEqual(['answer to 1', 'answer to 2', 'answer to 3'])
  // The end of a statement that is over already is not counted again.
  asked[0]!.answer()
  asked[1]!.fail()
  await turn()
  const others = [find(4)]
  await turn()
  others.push(find(5))
  await turn()
  others.push(find(6))
  await turn()
  expect(told().slice(3)).toEqual([[4], [5]])
  asked[3]!.answer()
  expect(await others[0]).toBe('answer to 4')
  await turn()
  expect(told().at(-1)).toEqual([6])
})

test('the first answer counts, also one that comes while the question waits to be asked again', async () => {
  const { asked, find, told } = someDatabase()
  const first = find(1)
  await turn()
  vi.advanceTimersByTime(1000)
  asked[0]!.answer()
  expect(await first).toBe('answer to 1')
  await turn()
  expect(told()).toEqual([[1]])
})

test('a broken connection fails no question: those of its statement are asked once more, before others', async () => {
  const { asked, find, told } = someDatabase()
  const first = [find(1), find(2)]
  await turn()
  const second = find(3)
  await turn()
  const third = find(4)
  asked[0]!.fail(connectionLost)
  await turn()
  expect(told()).toEqual([[1, 2], [3], [1, 2, 4]])
  asked[1]!.answer()
  asked[2]!.answer()
  expect(await Promise.all([...first, second, third])).toHaveLength(4)
})

test('a question fails when its second statement loses its connection too; others of that statement do not', async () => {
  const { asked, find, told } = someDatabase()
  const first = find(1)
  await turn()
  asked[0]!.fail(connectionLost)
  const second = find(2)
  await turn()
  asked[1]!.fail(connectionLost)
  await expect(first).rejects.toThrow('away')
  await turn()
  expect(told()).toEqual([[1], [1, 2], [2]])
  asked[2]!.answer()
  expect(await second).toBe('answer to 2')
})

test('after five seconds without being sent or answered, a question is refused as without a connection', async () => {
  const { find, told } = someDatabase()
  const failures: unknown[] = []
  const ask = (question: number) =>
    find(question).catch((error: unknown) => void failures.push([question, isUnreachable(error)]))
  // Each second frees two turns, which take the two hundred oldest questions.
  void Promise.all(Array.from({ length: 2000 }, (_, i) => ask(i)))
  for (let second = 0; second < 20; second++) {
    await turn()
    vi.advanceTimersByTime(1000)
  }
  await turn()
  expect(failures).toHaveLength(2000)
  expect(failures).toContainEqual([0, true])
  expect(failures).toContainEqual([1999, true])
  expect(
    told()
      .flat()
      .filter((question) => question === 1999),
  ).toHaveLength(0)
  const again = told().length
  const late = find(3000)
  await turn()
  expect(told().slice(again)).toEqual([[3000]])
  void late.catch(() => {})
})

test('one statement takes at most a hundred questions', async () => {
  const { find, told } = someDatabase()
  void Promise.all(Array.from({ length: 250 }, (_, i) => find(i)))
  await turn()
  expect(told().map(({ length }) => length)).toEqual([100, 100])
})

const outcomes = ['answer', 'lose', 'fail', 'hang'] as const

test('each question gets its own answer, and none that was looked up before it was asked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('ask', 'turn', 'second', ...outcomes), { maxLength: 60 }),
      async (steps) => {
        let number = 0
        let time = 0
        type Asked = { number: number; askedAt: number }
        const pending: Record<'answer' | 'lose' | 'fail', () => void>[] = []
        const counts = new Map<number, number>()
        const find = askTogether<Asked, { number: number; foundAt: number }>(
          (questions) =>
            new Promise((resolve, reject) => {
              const foundAt = ++time
              for (const question of questions)
                counts.set(question.number, (counts.get(question.number) ?? 0) + 1)
              pending.push({
                answer: () => resolve(questions.map((question) => ({ number: question.number, foundAt }))),
                lose: () => reject(Object.assign(new Error('lost'), { code: connectionLost })),
                fail: () => reject(new Error('wrong statement')),
              })
            }),
        )
        const ends: Promise<void>[] = []
        let losses = 0
        let failures = 0
        for (const step of steps) {
          if (step === 'turn') await turn()
          else if (step === 'second') vi.advanceTimersByTime(1000)
          else if (step === 'hang') pending.shift()
          else if (step !== 'ask') {
            const asked = pending.shift()
            if (asked && step === 'lose') losses++
            if (asked && step === 'fail') failures++
            asked?.[step]()
          } else {
            const question = { number: ++number, askedAt: ++time }
            ends.push(
              find(question).then(
                (answer) => {
                  expect(answer.number).toBe(question.number)
                  expect(answer.foundAt).toBeGreaterThan(question.askedAt)
                },
                (error: unknown) => {
                  const isGivenUp = error instanceof Error && error.message.includes('not answered')
                  const { message } = error as Error
                  if (message === 'wrong statement') expect(failures).toBeGreaterThan(0)
                  else if (message === 'lost') {
                    expect(losses).toBeGreaterThan(0)
                    // A caller is told so only after its question was sent twice.
                    expect(counts.get(question.number)).toBe(2)
                  } else expect(isGivenUp && isUnreachable(error)).toBe(true)
                },
              ),
            )
          }
        }
        // No caller hangs, whatever happens to the statements: each waits at most five seconds before either of its two
        // statements, and after them.
        for (let round = 0; round < 20; round++) {
          await turn()
          vi.advanceTimersByTime(1000)
        }
        await Promise.all(ends)
        for (const count of counts.values()) expect(count).toBeLessThanOrEqual(2)
      },
    ),
    { numRuns: 200 },
  )
})
