/**
 * After a deployment, chunks of the old version may be gone: reloads the page, but only once for each address to avoid
 * a loop.
 */
const key = 'reloaded-for-chunk'

export function reloadOnceOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (sessionStorage.getItem(key) === window.location.href) return
    event.preventDefault()
    sessionStorage.setItem(key, window.location.href)
    window.location.reload()
  })
  window.addEventListener('load', () => setTimeout(() => sessionStorage.removeItem(key), 10_000))
}
