/** Keeps the seen keys of the log in this browser. */
import { resultOf, withStore } from './browser-store.ts'
import type { SeenKey } from './log-keys.ts'

export async function readSeenKeys(): Promise<SeenKey[]> {
  const read = withStore('log-keys', 'readonly', (store) => resultOf(store.getAll() as IDBRequest<SeenKey[]>))
  return read.catch(() => [])
}

export async function keepSeenKeys(keys: readonly SeenKey[]): Promise<void> {
  for (const key of keys)
    await withStore('log-keys', 'readwrite', (store) => resultOf(store.put(key))).catch(() => {})
}
