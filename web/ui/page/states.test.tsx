// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { button, click, render } from '../testing/render.tsx'
import { PageNotFound } from './states.tsx'

let shown: Awaited<ReturnType<typeof render>> | null = null

afterEach(async () => {
  await shown?.unmount()
  shown = null
  vi.restoreAllMocks()
})

test('a page that does not exist leads back to the previous page', async () => {
  vi.spyOn(window.history, 'length', 'get').mockReturnValue(2)
  const back = vi.spyOn(window.history, 'back').mockImplementation(() => {})
  shown = await render(<PageNotFound />)
  await click(button(shown.place, 'Назад'))
  expect(back).toHaveBeenCalledOnce()
})

test('a page that does not exist leads to the incoming requests if it is the first in its tab', async () => {
  vi.spyOn(window.history, 'length', 'get').mockReturnValue(1)
  shown = await render(<PageNotFound />)
  expect(button(shown.place, 'Назад')).toBeUndefined()
  expect(shown.place.querySelector('a')?.getAttribute('href')).toBe('/signingRequests/incomings')
})
