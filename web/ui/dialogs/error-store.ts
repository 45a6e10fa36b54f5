/** The error that the modal shows, wherever it was met. */
import type { ApiError } from '../../api/api.ts'

let current: ApiError | null = null
const listeners = new Set<() => void>()

/**
 * Handled where they arise, in the form or the editor: no dialog and no error page (SPEC.md section 8).
 */
const silent = new Set([
  'classificator-name-already-in-use',
  'business-analyst-unavailable',
  'unsuccessful_route_state',
  'private_point_in_public_route',
  'internal_point_not_belong_to_organization',
  'unsuccessful_point_state',
  'forbidden_external_point_by_options',
  'forbidden_counter_party_point_by_options',
  'counter_party_targets_creator_organization',
])

export function isSilent(alias: string): boolean {
  return silent.has(alias)
}

export function showError(error: ApiError): void {
  if (isSilent(error.alias) || error.status === 401) return
  current = error
  tell()
}

export function hideError(): void {
  current = null
  tell()
}

export function shownError(): ApiError | null {
  return current
}

export function onErrorChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}
