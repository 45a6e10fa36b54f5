/** Rules of the list of uploads: failures come first, and a retry is offered only if it may succeed. */
import { mayPassLater } from '@kelisim/domain/errors.ts'
import type { Problem, UploadItem } from './use-uploads.ts'

export function problemOf({ unfit, state }: Pick<UploadItem, 'unfit' | 'state'>): Problem | null {
  return unfit ?? (state.kind === 'failed' ? state.problem : null)
}

/** A file of a wrong type or size cannot be retried, because it does not change. */
export function canRetry(item: Pick<UploadItem, 'unfit' | 'state'>): boolean {
  if (item.unfit !== null) return false
  if (item.state.kind === 'cancelled') return true
  return item.state.kind === 'failed' && mayPassLater(item.state.problem.alias)
}

/** Failures first, otherwise in the order in which the files were added. */
export function failuresFirst<I extends Pick<UploadItem, 'unfit' | 'state'>>(items: readonly I[]): I[] {
  return items.toSorted((a, b) => Number(problemOf(a) === null) - Number(problemOf(b) === null))
}
