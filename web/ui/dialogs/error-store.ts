/** The error that the error dialog shows. */
import type { ApiError } from '../../api/api.ts'

let current: ApiError | null = null
const listeners = new Set<() => void>()

/**
 * Refusals without a dialog. An alias belongs here only if the page shows the refusal beside its form, as sending
 * shows the faults of a route. An alias that is named in `fieldOf`, handled by `onRefusal` or returned to a query
 * never gets here (docs/product/errors-and-limits.md).
 */
const silent = new Set([
  'unsuccessful_route_state',
  'private_point_in_public_route',
  'internal_point_not_belong_to_organization',
  'unsuccessful_point_state',
  'group-smaller-than-quorum',
  'forbidden_external_point_by_options',
  'receiver-paused',
  'forbidden_counter_party_point_by_options',
  'counter_party_targets_creator_organization',
])

export function isSilent(alias: string): boolean {
  return silent.has(alias)
}

export function showError(error: ApiError): void {
  if (isSilent(error.alias) || error.status === 401) return
  current = error
  notifyListeners()
}

export function hideError(): void {
  current = null
  notifyListeners()
}

export function shownError(): ApiError | null {
  return current
}

export function onErrorChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}
