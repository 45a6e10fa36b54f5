import type { Logger } from 'pino'
import { second } from '@kelisim/domain/durations.ts'

/** What has not closed in this time is abandoned. */
const timeout = 30 * second

/** In this order: nothing new comes in, running work ends, and the database goes last. */
const steps = [
  'server',
  'signatures',
  'file checks',
  'jobs',
  'queue',
  'printing',
  'revisions',
  'reports',
  'mailer',
  'sign-in',
  'traces',
  'database',
  'database server',
] as const
type Step = (typeof steps)[number]

export type Shutdown = {
  /** Registers what was opened as soon as it is open, so that a start that fails half-way closes it too. */
  add: (step: Step, close: () => unknown) => void
  /** Closes everything, once, then ends the process. What fails to close does not keep the rest open. */
  stop: (code?: number) => Promise<void>
}

export function openShutdown(log: Logger): Shutdown {
  const closings = new Map<Step, () => unknown>()
  let isStopping = false
  return {
    add: (step, close) => void closings.set(step, close),
    async stop(code = 0) {
      if (isStopping) return
      isStopping = true
      setTimeout(() => process.exit(1), timeout).unref()
      for (const step of steps) {
        try {
          await closings.get(step)?.()
        } catch (error) {
          log.warn({ err: error }, `the ${step} could not be closed`)
        }
      }
      process.exit(code)
    },
  }
}

/**
 * An unexpected end of the process is explained in one sentence; the details are in the log. A start that fails closes
 * what it has opened; a running process ends at once, because nothing in it can be relied on any more.
 */
export function explainCrashes(log: Logger, stopStart: () => Promise<void> | undefined): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'stopped by an error')
    process.stderr.write(`Kelisim stopped: ${error.message}\n`)
    if (!stopStart()) process.exit(1)
  })
}
