/**
 * After a deployment, chunks of the old version may be gone: reloads the page, but only once for each address to avoid
 * a loop. Without a connection a reload would replace what can still be read by the browser's error page.
 */
import { noteConnection } from '../../api/connection.ts'

const key = 'reloaded-for-chunk'

export function reloadOnceOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine) {
      noteConnection(false)
      return
    }
    if (sessionStorage.getItem(key) === window.location.href) return
    event.preventDefault()
    sessionStorage.setItem(key, window.location.href)
    window.location.reload()
  })
  window.addEventListener('load', () => setTimeout(() => sessionStorage.removeItem(key), 10_000))
}
