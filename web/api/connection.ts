/** Whether the server can be reached, according to the last call and the browser. */

let isLost = false
const listeners = new Set<() => void>()

export function isConnectionLost(): boolean {
  return isLost
}

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function noteConnection(isThere: boolean): void {
  if (isLost === !isThere) return
  isLost = !isThere
  for (const listener of listeners) listener()
}
