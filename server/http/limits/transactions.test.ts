import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { sessionTimeouts } from '@kelisim/db/db.ts'
import { openTransactions } from './transactions.ts'

afterEach(() => vi.useRealTimers())

const [a, b, c] = ['a', 'b', 'c'].map((organization) => ({ organization, person: `of ${organization}` })) as [
  Member,
  Member,
  Member,
]
type Member = { organization: string; person: string }

/** Transactions that end when the test says so, in a process with this many connections. */
function opened(max: number) {
  const time = { now: 0 }
  const inProgress: { name: string; end: (error?: Error) => void }[] = []
  const write = (work: (tx: never) => Promise<unknown>) => work(undefined as never)
  const database = { writers: { options: { max } }, write: write as never }
  const transactions = openTransactions(database, () => time.now)
  const begin = (member: Member, name = member.organization) => {
    const wrote = transactions.writeFor(member)(
      () =>
        new Promise<string>((resolve, reject) => {
          const end = (error?: Error) => {
            inProgress.splice(inProgress.indexOf(one), 1)
            if (error) reject(error)
            else resolve(name)
          }
          const one = { name, end }
          inProgress.push(one)
        }),
    )
    return wrote
  }
  // Whoever still waits would be refused long after the test, in the middle of another one.
  onTestFinished(async () => {
    while (inProgress.length > 0) {
      inProgress[0]!.end()
      await new Promise(setImmediate)
    }
    expect(transactions.waiting()).toBe(0)
  })
  const names = async () => {
    await new Promise(setImmediate)
    return inProgress.map(({ name }) => name)
  }
  const end = (name: string, error?: Error) => inProgress.find((one) => one.name === name)!.end(error)
  return { transactions, time, begin, end, names }
}

test('an organisation that fills the connections leaves one for others', async () => {
  const { begin, names } = opened(4)
  for (let i = 0; i < 10; i++) void begin(a)
  expect(await names()).toEqual(['a', 'a', 'a'])
  void begin(b)
  expect(await names()).toEqual(['a', 'a', 'a', 'b'])
})

test('a waiting transaction is not overtaken by an organisation that had its turn', async () => {
  const { begin, end, names, transactions } = opened(2)
  void begin(a, 'first of a')
  void begin(b, 'first of b')
  void begin(a, 'second of a')
  void begin(c, 'first of c')
  void begin(a, 'third of a')
  expect(await names()).toEqual(['first of a', 'first of b'])
  expect(transactions.waiting()).toBe(3)
  end('first of a')
  expect(await names()).toEqual(['first of b', 'second of a'])
  end('second of a')
  expect(await names()).toEqual(['first of b', 'first of c'])
})

test('few transactions are in progress while somebody reads, and for a moment after that', async () => {
  const { begin, end, names, transactions, time } = opened(10)
  let endReading = () => {}
  const reading = transactions.reading(() => new Promise<void>((resolve) => (endReading = resolve)))
  for (const member of [a, b, c, a, b, c, a]) void begin(member)
  expect(await names()).toEqual(['a', 'b', 'c'])
  endReading()
  await reading
  end('a')
  expect(await names()).toHaveLength(3)
  time.now += 100
  end('b')
  expect(await names()).toHaveLength(5)
})

test('a transaction that fails frees its place and rejects only its own promise', async () => {
  const { begin, end, names } = opened(1)
  const failed = begin(a)
  const next = begin(b)
  await names()
  end('a', new Error('refused'))
  await expect(failed).rejects.toThrow('refused')
  expect(await names()).toEqual(['b'])
  end('b')
  expect(await next).toBe('b')
})

test('a transaction that waits too long is refused with service-unavailable and takes no turn', async () => {
  const { begin, end, names, transactions } = opened(1)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  void begin(a)
  const late = expect(begin(b)).rejects.toMatchObject({ alias: 'service-unavailable' })
  vi.advanceTimersByTime(sessionTimeouts.lock_timeout)
  await late
  expect(transactions.waiting()).toBe(0)
  end('a')
  expect(await names()).toEqual([])
})
