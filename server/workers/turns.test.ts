import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTurns, type Claimant } from './turns.ts'

const limits = { seats: 4, maxWaiting: 100, maxOwnWaiting: 10 }
const person = (organization: string, name: string): Claimant => ({ organization, person: name })
const visitor = (network: string): Claimant => ({ network })

function started(turns: ReturnType<typeof createTurns<string>>, most = limits.seats): string[] {
  const all: string[] = []
  for (let task = turns.next(); task !== undefined && all.length < most; task = turns.next()) all.push(task)
  return all
}

test('one person has one job in flight, however many wait', () => {
  const turns = createTurns<string>(limits)
  for (const task of ['a1', 'a2', 'a3']) turns.add(person('one', 'a'), task)
  expect(started(turns)).toEqual(['a1'])
  turns.done(person('one', 'a'))
  expect(started(turns)).toEqual(['a2'])
})

test('organisations take turns, and people within an organisation do too', () => {
  const turns = createTurns<string>({ ...limits, seats: 100 })
  for (const name of ['a', 'b', 'c']) turns.add(person('one', name), `one ${name}`)
  turns.add(person('two', 'd'), 'two d')
  expect(started(turns, 100)).toEqual(['one a', 'two d', 'one b', 'one c'])
})

test('an organisation has at most half of the seats', () => {
  const turns = createTurns<string>(limits)
  for (const name of ['a', 'b', 'c', 'd']) turns.add(person('one', name), name)
  expect(started(turns)).toEqual(['a', 'b'])
  turns.add(person('two', 'e'), 'e')
  expect(started(turns)).toEqual(['e'])
})

test('callers without an account come last, and have one seat together', () => {
  const turns = createTurns<string>(limits)
  turns.add(visitor('192.0.2.1'), 'x')
  turns.add(visitor('192.0.2.2'), 'y')
  turns.add(person('one', 'a'), 'a')
  expect(started(turns)).toEqual(['a', 'x'])
  turns.done(visitor('192.0.2.1'))
  expect(started(turns)).toEqual(['y'])
})

test("the server's own work is bounded by the seats alone", () => {
  const turns = createTurns<string>(limits)
  for (const task of ['1', '2', '3']) turns.add(null, task)
  expect(started(turns)).toEqual(['1', '2', '3'])
})

test('a full line of one person, of all visitors, and of everybody', () => {
  const turns = createTurns<string>({ seats: 1, maxWaiting: 5, maxOwnWaiting: 2 })
  for (const task of ['1', '2']) turns.add(person('one', 'a'), task)
  expect(turns.whyNot(person('one', 'a'))).toBe('own-line-full')
  expect(turns.whyNot(person('one', 'b'))).toBeNull()
  turns.add(visitor('192.0.2.1'), '3')
  turns.add(visitor('192.0.2.2'), '4')
  expect(turns.whyNot(visitor('192.0.2.3'))).toBe('own-line-full')
  turns.add(null, '5')
  expect(turns.whyNot(person('two', 'c'))).toBe('full')
})

test('whatever comes and goes, limits hold, nothing is lost and nothing is left behind', () => {
  const claimants = [
    person('one', 'a'),
    person('one', 'b'),
    person('one', 'c'),
    person('two', 'd'),
    visitor('192.0.2.1'),
    visitor('192.0.2.2'),
    null,
  ]
  type Task = { of: number }
  const step = fc.record({ of: fc.nat(claimants.length - 1), act: fc.constantFrom('add', 'next', 'done') })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const turns = createTurns<Task>(limits)
      const [inFlight, added]: [Task[], Task[]] = [[], []]
      let finished = 0
      const finish = () => {
        const task = inFlight.shift()
        if (!task) return
        turns.done(claimants[task.of]!)
        finished++
      }
      for (const { of, act } of steps) {
        if (act === 'add' && turns.whyNot(claimants[of]!) === null) {
          const task = { of }
          added.push(task)
          turns.add(claimants[of]!, task)
        }
        if (act === 'next' && inFlight.length < limits.seats) {
          const task = turns.next()
          if (task) inFlight.push(task)
        }
        if (act === 'done') finish()
        for (const [i, claimant] of claimants.entries()) {
          if (claimant !== null) expect(inFlight.filter((task) => task.of === i).length).toBeLessThan(2)
        }
        expect(inFlight.filter(({ of: i }) => i < 3).length).toBeLessThanOrEqual(2)
        expect(inFlight.filter(({ of: i }) => i === 4 || i === 5).length).toBeLessThanOrEqual(1)
      }
      while (turns.waiting() > 0 || inFlight.length > 0) {
        const task = inFlight.length < limits.seats ? turns.next() : undefined
        if (task) inFlight.push(task)
        else finish()
      }
      expect(finished).toBe(added.length)
    }),
  )
})
