/** After a new version was put up, a part of the old one can be gone: reload, but only once, lest we go in circles. */
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
