/** What the check page keeps in this browser; where that is not possible, every visit is the first one. */
const databaseName = 'kelisim-verify'
const stores = ['log-keys', 'trust'] as const
export type StoreName = (typeof stores)[number]

export async function withStore<T>(
  name: StoreName,
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const database = await openStores()
  try {
    return await use(database.transaction(name, mode).objectStore(name))
  } finally {
    database.close()
  }
}

function openStores(): Promise<IDBDatabase> {
  const opening = indexedDB.open(databaseName, 2)
  opening.addEventListener('upgradeneeded', () => {
    for (const name of stores)
      if (!opening.result.objectStoreNames.contains(name))
        opening.result.createObjectStore(name, { keyPath: 'key' })
  })
  // A page of the former version that is still open holds the old form: then nothing is kept.
  return Promise.race([
    resultOf(opening),
    new Promise<never>((_, reject) => {
      opening.addEventListener('blocked', () => reject(new DOMException('In use elsewhere')))
    }),
  ])
}

export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new DOMException('IndexedDB')))
  })
}
