/**
 * Drafts of forms survive errors, reloads and a lost session: they are kept in the session storage of the tab until
 * they are saved or dropped.
 */
const prefix = 'draft:'
const ownerKey = 'drafts-of'

/**
 * Drops the drafts when another person signs in at the same computer. Drafts typed before anybody signed in go to the
 * first person who does.
 */
export function keepDraftsOf(person: string): void {
  const owner = sessionStorage.getItem(ownerKey)
  if (owner !== null && owner !== person) dropAllDrafts()
  sessionStorage.setItem(ownerKey, person)
}

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

/** Called when a page is left without saving, and when somebody signs out. */
export function dropAllDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
