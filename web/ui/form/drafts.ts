/**
 * What a person typed outlives an error, a reload and a lost session: it waits in this tab's storage until it is
 * saved or knowingly dropped.
 */
const prefix = 'draft:'

export function readDraft(id: string): object | null {
  const stored = sessionStorage.getItem(prefix + id)
  return stored === null ? null : (JSON.parse(stored) as object)
}

export function keepDraft(id: string, values: object): void {
  sessionStorage.setItem(prefix + id, JSON.stringify(values))
}

export function dropDraft(id: string): void {
  sessionStorage.removeItem(prefix + id)
}

/** Leaving a page without saving drops what was typed there. */
export function dropAllDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
