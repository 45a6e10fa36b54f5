/** Visibility scopes: numbers in the API (Private 1, Public 2), words inside. */
import { flags } from './bits.ts'

export const visibilityScopes = flags({ Private: 1, Public: 2 })
export type Visibility = 'private' | 'public'

export function visibilityOf(scope: number): Visibility {
  return scope === visibilityScopes.members.Public ? 'public' : 'private'
}

export function scopeOf(visibility: Visibility): 1 | 2 {
  return visibility === 'public' ? visibilityScopes.members.Public : visibilityScopes.members.Private
}
