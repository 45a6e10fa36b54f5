/** Proxies close connections that stay silent, so each gets a few bytes every twenty seconds. */

const seconds = 20

export type Heartbeat<T> = { add: (one: T) => void; delete: (one: T) => void; stop: () => void }

/** Each keeps the second in which it came: ten thousand written to at once would hold up everybody else. */
export function startHeartbeat<T>(beat: (one: T) => void): Heartbeat<T> {
  const bySecond = Array.from({ length: seconds }, () => new Set<T>())
  let now = 0
  const timer = setInterval(() => {
    now = (now + 1) % seconds
    bySecond[now]!.forEach(beat)
  }, 1000)
  timer.unref()
  return {
    add: (one) => void bySecond[now]!.add(one),
    delete: (one) => bySecond.forEach((some) => some.delete(one)),
    stop: () => clearInterval(timer),
  }
}
