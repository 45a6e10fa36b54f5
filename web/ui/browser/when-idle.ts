/** Runs something when the browser is idle, after two seconds at the latest. */
const idleTimeout = 2000

/** Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, idleTimeout)
    return () => clearTimeout(timer)
  }
  const handle = window.requestIdleCallback(work, { timeout: idleTimeout })
  return () => window.cancelIdleCallback(handle)
}
