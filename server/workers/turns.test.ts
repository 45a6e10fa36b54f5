import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minute } from '@kelisim/domain/durations.ts'
import { createShares, type Shares } from './shares.ts'
import { createTurns, type Claimant, type Turns } from './turns.ts'

const limits = { maxWaiting: 100, maxOwnWaiting: 10 }
const ofOrganization = 2
const person = (organization: string, name: string): Claimant => ({ organization, person: name })
const visitor = (network: string): Claimant => ({ network })

type Task = { claimant: Claimant; name: string }

/** Starts all tasks that may start, and returns their names. */
function started(turns: Turns<Task>, shares: Shares): string[] {
  const all: string[] = []
  for (let task = turns.next(shares.mayStart); task; task = turns.next(shares.mayStart)) {
    shares.start(task.claimant)
    all.push(task.name)
  }
  return all
}

function opened(most = ofOrganization) {
  const shares = createShares(most)
  const turns = createTurns<Task>(limits)
  const add = (claimant: Claimant, ...names: string[]) => {
    for (const name of names) turns.add(claimant, { claimant, name })
  }
  return { shares, turns, add, start: () => started(turns, shares) }
}

test('one person has one running job, however many wait', () => {
  const { shares, add, start } = opened()
  add(person('one', 'a'), 'a1', 'a2', 'a3')
  expect(start()).toEqual(['a1'])
  shares.end(person('one', 'a'), false)
  expect(start()).toEqual(['a2'])
})

test('organisations take turns, and so do the people of an organisation', () => {
  const { add, start } = opened(100)
  for (const name of ['a', 'b', 'c']) add(person('one', name), `one ${name}`)
  add(person('two', 'd'), 'two d')
  expect(start()).toEqual(['one a', 'two d', 'one b', 'one c'])
})

test('an organisation runs only its share of jobs, and leaves room for others', () => {
  const { add, start } = opened()
  for (const name of ['a', 'b', 'c', 'd']) add(person('one', name), name)
  expect(start()).toEqual(['a', 'b'])
  add(person('two', 'e'), 'e')
  expect(start()).toEqual(['e'])
})

test('an organisation whose job was killed runs one job at a time for ten minutes', () => {
  let now = 0
  const shares = createShares(ofOrganization, () => now)
  shares.start(person('one', 'a'))
  shares.end(person('one', 'a'), true)
  shares.start(person('one', 'b'))
  expect(shares.mayStart(person('one', 'c'))).toBe(false)
  expect([shares.wasKilledLately(person('one', 'c')), shares.wasKilledLately(person('two', 'd'))]).toEqual([
    true,
    false,
  ])
  expect(shares.mayStart(person('two', 'd'))).toBe(true)
  now = 10 * minute
  expect(shares.mayStart(person('one', 'c'))).toBe(true)
})

test('callers without an account come last, and have one share together', () => {
  const { shares, add, start } = opened()
  add(visitor('192.0.2.1'), 'x')
  add(visitor('192.0.2.2'), 'y')
  add(person('one', 'a'), 'a')
  expect(start()).toEqual(['a', 'x'])
  shares.end(visitor('192.0.2.1'), false)
  expect(start()).toEqual(['y'])
})

test('jobs of the server itself have no such limits', () => {
  const { add, start } = opened()
  add(null, '1', '2', '3')
  expect(start()).toEqual(['1', '2', '3'])
})

test('waiting jobs are limited for one person, for all visitors, and in total', () => {
  const turns = createTurns<string>({ maxWaiting: 5, maxOwnWaiting: 2 })
  for (const task of ['1', '2']) turns.add(person('one', 'a'), task)
  expect(turns.whyNot(person('one', 'a'))).toBe('own-queue-full')
  expect(turns.whyNot(person('one', 'b'))).toBeNull()
  turns.add(visitor('192.0.2.1'), '3')
  turns.add(visitor('192.0.2.2'), '4')
  expect(turns.whyNot(visitor('192.0.2.3'))).toBe('own-queue-full')
  turns.add(null, '5')
  expect(turns.whyNot(person('two', 'c'))).toBe('full')
})

test('for any sequence of jobs the limits hold, and no job is lost or left behind', () => {
  const claimants = [
    person('one', 'a'),
    person('one', 'b'),
    person('one', 'c'),
    person('two', 'd'),
    visitor('192.0.2.1'),
    visitor('192.0.2.2'),
    null,
  ]
  const step = fc.record({
    of: fc.nat(claimants.length - 1),
    act: fc.constantFrom('add', 'next', 'done', 'killed', 'withdraw'),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const shares = createShares(ofOrganization, () => 0)
      const turns = createTurns<{ of: number }>(limits)
      const inFlight: { of: number }[] = []
      let [added, finished] = [0, 0]
      const finish = (wasKilled: boolean) => {
        const task = inFlight.shift()
        if (!task) return
        shares.end(claimants[task.of]!, wasKilled)
        finished++
      }
      const begin = () => {
        const task = turns.next(shares.mayStart)
        if (!task) return false
        shares.start(claimants[task.of]!)
        inFlight.push(task)
        return true
      }
      for (const { of, act } of steps) {
        const claimant = claimants[of]!
        if (act === 'add' && turns.whyNot(claimant) === null) {
          turns.add(claimant, { of })
          added++
        }
        if (act === 'withdraw' && turns.whyNot(claimant) === null) {
          const task = { of }
          turns.add(claimant, task)
          expect([turns.withdraw(claimant, task), turns.withdraw(claimant, task)]).toEqual([true, false])
        }
        if (act === 'next') begin()
        if (act === 'done' || act === 'killed') finish(act === 'killed')
        for (const [i, one] of claimants.entries()) {
          if (one !== null) expect(inFlight.filter((task) => task.of === i).length).toBeLessThan(2)
        }
        expect(inFlight.filter(({ of: i }) => i < 3).length).toBeLessThanOrEqual(ofOrganization)
        expect(inFlight.filter(({ of: i }) => i === 4 || i === 5).length).toBeLessThanOrEqual(1)
      }
      while (turns.waiting() > 0 || inFlight.length > 0) if (!begin()) finish(false)
      expect(finished).toBe(added)
      expect(turns.canStart(() => true)).toBe(false)
    }),
  )
})
