/** What can wait for the page to be shown: runs when the browser has nothing to do, within two seconds at the latest. */
const idleTimeout = 2000

/** Returns how to call it off. */
export function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, idleTimeout)
    return () => clearTimeout(timer)
  }
  const handle = window.requestIdleCallback(work, { timeout: idleTimeout })
  return () => window.cancelIdleCallback(handle)
}
