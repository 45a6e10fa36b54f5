/** Batches calls: items that arrive while a batch is running are processed together in the next one. */
export function batched<T, R>(work: (items: readonly T[]) => Promise<readonly R[]>): (item: T) => Promise<R> {
  type Waiting = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let isAtIt = false

  async function goOn(): Promise<void> {
    isAtIt = true
    // Lets items that are ready now join the batch.
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
