// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { isConnectionLost, noteConnection } from '../../api/connection.ts'
import { reloadOnceOnMissingChunk } from './chunk-reload.ts'

test('a missing chunk reloads the page once if the server answers, and is reported as a lost connection if not', async () => {
  const reload = vi.fn<() => void>()
  const health = vi.fn<() => Promise<Response>>()
  vi.stubGlobal('fetch', health)
  reloadOnceOnMissingChunk(reload)
  const miss = async () => {
    const calls = health.mock.calls.length
    window.dispatchEvent(new Event('vite:preloadError'))
    await vi.waitFor(() => expect(health.mock.calls.length).toBe(calls + 1), 30_000)
    await Promise.resolve()
  }
  health.mockRejectedValue(new TypeError('Failed to fetch'))
  await miss()
  await vi.waitFor(() => expect(isConnectionLost()).toBe(true), 30_000)
  expect(reload).not.toHaveBeenCalled()

  health.mockResolvedValue(new Response())
  await miss()
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce(), 30_000)
  expect(isConnectionLost()).toBe(false)
  await miss()
  expect(reload).toHaveBeenCalledOnce()
  noteConnection(true)
})
