/**
 * Transactions of calls take turns, one organisation after the other. The last place is kept for an organisation that
 * has none in progress: transactions of one organisation may wait for each other, but nobody waits for another
 * organisation's. While somebody reads, fewer run at once: beside many of them a read waits for the processor again
 * and again, and together they do not get more done (decision 099).
 */
import { sessionTimeouts, type Database } from '@kelisim/db/db.ts'
import { Refusal } from '@kelisim/domain/errors.ts'
import { createTurns, type Claimant } from '../../workers/turns.ts'

export type Transactions = {
  /** Runs a read-only call. */
  reading: <T>(read: () => Promise<T>) => Promise<T>
  /** Returns a `write` of the database that waits for the claimant's turn. */
  writeFor: (claimant: Claimant) => Database['write']
  /** The number of transactions that wait for their turn. */
  waiting: () => number
}

/** How many may run at once while somebody reads. */
const besideReaders = 3
/** Reading counts as going on for this long after it ended: a page reads several times in a row. */
const readersStayMs = 100
/**
 * Whoever waits longer is refused and should retry. Long enough to outlive a frozen process that holds locks which
 * running transactions wait for.
 */
const longestWaitMs = sessionTimeouts.lock_timeout

type Waiting = { claimant: Claimant; start: () => void }

/** `clock` returns milliseconds. */
export function openTransactions(
  database: Pick<Database, 'write'> & { writers: { options: { max: number } } },
  clock: () => number = () => performance.now(),
): Transactions {
  const turns = createTurns<Waiting>({ maxWaiting: Infinity, maxOwnWaiting: Infinity })
  const most = database.writers.options.max
  const inProgress = new Map<string, number>()
  let count = 0
  let readers = 0
  let lastReadAt = -Infinity

  const places = () => {
    const isRead = readers > 0 || clock() - lastReadAt < readersStayMs
    return isRead ? Math.min(besideReaders, most) : most
  }
  const mayStart = (claimant: Claimant) =>
    count < places() - 1 || (count < places() && !inProgress.has(nameOf(claimant)))

  function startNext(): void {
    for (let next = turns.next(mayStart); next; next = turns.next(mayStart)) {
      begin(next.claimant)
      next.start()
    }
  }

  function begin(claimant: Claimant): void {
    count++
    inProgress.set(nameOf(claimant), (inProgress.get(nameOf(claimant)) ?? 0) + 1)
  }

  function end(claimant: Claimant): void {
    count--
    const left = inProgress.get(nameOf(claimant))! - 1
    if (left > 0) inProgress.set(nameOf(claimant), left)
    else inProgress.delete(nameOf(claimant))
    startNext()
  }

  const turnOf = (claimant: Claimant) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        if (turns.withdraw(claimant, waiting)) reject(new Refusal('service-unavailable'))
      }, longestWaitMs)
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const waiting = { claimant, start }
      turns.add(claimant, waiting)
      startNext()
    })

  return {
    async reading(read) {
      readers++
      try {
        return await read()
      } finally {
        readers--
        lastReadAt = clock()
      }
    },
    writeFor: (claimant) => async (work) => {
      await turnOf(claimant)
      try {
        return await database.write(work)
      } finally {
        end(claimant)
      }
    },
    waiting: turns.waiting,
  }
}

function nameOf(claimant: Claimant): string {
  if (claimant === null) return ''
  return 'network' in claimant ? claimant.network : claimant.organization
}
