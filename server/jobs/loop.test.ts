import { expect, test } from 'vitest'
import { startLoop } from './loop.ts'

const forever = 1_000_000_000

test('a loop repeats at once while there is more work, and stops after the current round', async () => {
  const resting = Promise.withResolvers<void>()
  let rounds = 0
  const loop = startLoop(
    async () => {
      rounds++
      if (rounds === 3) resting.resolve()
      return rounds < 3
    },
    { everyMs: forever, onError: (error) => expect.fail(String(error)) },
  )
  await resting.promise
  await loop.stop()
  expect(rounds).toBe(3)
})

test('a failed round is reported and does not end the loop', async () => {
  const errors: unknown[] = []
  const again = Promise.withResolvers<void>()
  const loop = startLoop(
    async () => {
      if (errors.length > 0) return again.resolve()
      throw new Error('the road is closed')
    },
    { everyMs: 0, onError: (error) => errors.push(error) },
  )
  await again.promise
  await loop.stop()
  expect(errors.map(String)).toEqual(['Error: the road is closed'])
})

test('stopping aborts the current round and waits for its end', async () => {
  const begun = Promise.withResolvers<void>()
  let isDone = false
  const loop = startLoop(
    async (signal) => {
      begun.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      isDone = true
    },
    { everyMs: 0, onError: () => {} },
  )
  await begun.promise
  await loop.stop()
  expect(isDone).toBe(true)
})
