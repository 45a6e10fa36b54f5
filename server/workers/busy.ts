/** Refuses a caller whose work has no room now, with the true reason. */
import { refuse } from '@kelisim/domain/errors.ts'
import type { PoolError } from './pool.ts'

/** After how long to try again: a queue that is full now has moved on by then. */
const seconds = 15

/** Returns only if the work was begun and failed by its own fault. */
export function refuseIfBusy({ reason }: PoolError): void {
  switch (reason) {
    case 'full':
    case 'queue-timeout':
      return refuse('files-queue-full', { seconds })
    case 'own-queue-full':
      return refuse('own-files-queue-full', { seconds })
    case 'unstarted':
    case 'out-of-space':
    case 'closed':
      return refuse('service-unavailable')
    case 'overdue':
    case 'crashed':
      return undefined
  }
}
