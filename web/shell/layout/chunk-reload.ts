/**
 * After a deployment, chunks of the old version may be gone: reloads the page, but only once for each address to
 * avoid a loop. It does not reload while the server is unreachable, because the browser's error page would replace a
 * page that can still be read.
 */
import { noteConnection } from '../../api/connection.ts'

const key = 'reloaded-for-chunk'

export function reloadOnceOnMissingChunk(reload: () => void = () => window.location.reload()): void {
  window.addEventListener('vite:preloadError', () => void reloadIfServed(reload))
  window.addEventListener('load', () => setTimeout(() => sessionStorage.removeItem(key), 10_000))
}

async function reloadIfServed(reload: () => void): Promise<void> {
  const isServed = navigator.onLine && (await answers())
  noteConnection(isServed)
  if (!isServed || sessionStorage.getItem(key) === window.location.href) return
  sessionStorage.setItem(key, window.location.href)
  reload()
}

async function answers(): Promise<boolean> {
  try {
    await fetch('/health', { cache: 'no-store' })
    return true
  } catch {
    return false
  }
}
