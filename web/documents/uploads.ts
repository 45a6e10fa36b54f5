/** What the list of uploads says: failures come first, and only what may pass the next time is offered again. */
import { mayPassLater } from '@kelisim/domain/errors.ts'
import type { Problem, UploadItem } from './use-uploads.ts'

export function problemOf({ unfit, state }: Pick<UploadItem, 'unfit' | 'state'>): Problem | null {
  return unfit ?? (state.kind === 'failed' ? state.problem : null)
}

/** A file of a wrong type or size stays so. */
export function canRetry(item: Pick<UploadItem, 'unfit' | 'state'>): boolean {
  if (item.unfit !== null) return false
  if (item.state.kind === 'cancelled') return true
  return item.state.kind === 'failed' && mayPassLater(item.state.problem.alias)
}

/** In the order in which they were added, failures before all others. */
export function failuresFirst<I extends Pick<UploadItem, 'unfit' | 'state'>>(items: readonly I[]): I[] {
  return items.toSorted((a, b) => Number(problemOf(a) === null) - Number(problemOf(b) === null))
}
