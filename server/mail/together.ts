/** What comes while the work before is under way is gathered and then done in one go: many waits become one. */
export function together<T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
): (item: T) => Promise<R> {
  type Waiting = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let isAtIt = false

  async function goOn(): Promise<void> {
    isAtIt = true
    // Whatever else is ready now comes along.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const taken = waiting
      waiting = []
      try {
        const results = await work(taken.map(({ item }) => item))
        taken.forEach(({ resolve }, i) => resolve(results[i]!))
      } catch (error) {
        for (const { reject } of taken) reject(error)
      }
    }
    isAtIt = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isAtIt) void goOn()
    })
}
