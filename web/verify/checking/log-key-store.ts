/** Keeps the seen keys of the log in this browser; where that is not possible, every visit is the first one. */
import type { SeenKey } from './log-keys.ts'

const databaseName = 'kelisim-verify'
const storeName = 'log-keys'

export async function readSeenKeys(): Promise<SeenKey[]> {
  return withStore('readonly', (store) => store.getAll() as IDBRequest<SeenKey[]>).catch(() => [])
}

export async function keepSeenKeys(keys: readonly SeenKey[]): Promise<void> {
  for (const key of keys) await withStore('readwrite', (store) => store.put(key)).catch(() => {})
}

async function withStore<T>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await openStore()
  try {
    return await resultOf(use(database.transaction(storeName, mode).objectStore(storeName)))
  } finally {
    database.close()
  }
}

function openStore(): Promise<IDBDatabase> {
  const opening = indexedDB.open(databaseName, 1)
  opening.addEventListener('upgradeneeded', () => {
    opening.result.createObjectStore(storeName, { keyPath: 'key' })
  })
  return resultOf(opening)
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new DOMException('IndexedDB')))
  })
}
