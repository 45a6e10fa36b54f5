/** Caches responses for as long as they are valid, within bounds; concurrent calls for the same key share one load. */

export type Fresh = { bytes: Uint8Array; freshUntil: Date }

export type FreshCache = {
  /** The cached response, or what `load` returns. Failures are not cached: the next caller tries again. */
  read: (key: string, load: () => Promise<Fresh>) => Promise<Fresh>
}

export function createFreshCache({
  maxBytes,
  maxEntries,
  clock,
}: {
  maxBytes: number
  maxEntries: number
  clock: () => Date
}): FreshCache {
  /** In the order of last use: the first is evicted first. */
  const kept = new Map<string, Fresh>()
  const loading = new Map<string, Promise<Fresh>>()
  let bytes = 0

  function take(key: string): Fresh | undefined {
    const entry = kept.get(key)
    if (!entry) return undefined
    remove(key, entry)
    if (!isFresh(entry)) return undefined
    keep(key, entry)
    return entry
  }

  function keep(key: string, entry: Fresh): void {
    if (!isFresh(entry) || entry.bytes.length > maxBytes) return
    kept.set(key, entry)
    bytes += entry.bytes.length
    for (const [oldest, its] of kept) {
      if (bytes <= maxBytes && kept.size <= maxEntries) break
      remove(oldest, its)
    }
  }

  function remove(key: string, entry: Fresh): void {
    kept.delete(key)
    bytes -= entry.bytes.length
  }

  async function loaded(key: string, load: () => Promise<Fresh>): Promise<Fresh> {
    const entry = await load()
    keep(key, entry)
    return entry
  }

  // The comparison is written this way because an invalid date must not count as fresh.
  const isFresh = ({ freshUntil }: Fresh) => freshUntil > clock()

  return {
    read: async (key, load) => {
      const entry = take(key)
      if (entry) return entry
      const shared = loading.get(key) ?? loaded(key, load).finally(() => loading.delete(key))
      loading.set(key, shared)
      return shared
    },
  }
}
