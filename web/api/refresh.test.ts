import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { refresh } from './refresh.ts'

/** A list that is on the screen; the test completes its loads one after another. */
function shownList() {
  const client = new QueryClient()
  const loads: PromiseWithResolvers<string>[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['list', 1],
    queryFn: () => {
      loads.push(Promise.withResolvers())
      return loads.at(-1)!.promise
    },
  })
  const leave = observer.subscribe(() => {})
  const shown = () => client.getQueryData(['list', 1])
  return { client, loads, shown, leave }
}

test('a change that is announced during the first load is shown afterwards', async () => {
  const { client, loads, shown, leave } = shownList()
  refresh(client, ['list'])
  expect(loads).toHaveLength(1)
  loads[0]!.resolve('from before')
  await expect.poll(() => loads.length).toBe(2)
  loads[1]!.resolve('with the change')
  await expect.poll(shown).toBe('with the change')
  expect(loads).toHaveLength(2)
  leave()
})

test('a later load is restarted at once', async () => {
  const { client, loads, shown, leave } = shownList()
  loads[0]!.resolve('first')
  await expect.poll(shown).toBe('first')
  refresh(client, ['list'])
  refresh(client, ['list'])
  expect(loads).toHaveLength(3)
  loads[2]!.resolve('third')
  await expect.poll(shown).toBe('third')
  leave()
})
