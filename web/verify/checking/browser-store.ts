/** The IndexedDB of the check page. Where the browser does not allow it, every visit is like the first one. */
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
  // An open page of an earlier version may block the upgrade of the database: then nothing is stored.
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
