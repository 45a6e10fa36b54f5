import type { Logger } from 'pino'
import { second } from '@kelisim/domain/durations.ts'

/** What has not closed in this time is abandoned. */
const timeout = 30 * second

type Closing = () => unknown

/** Closes everything in this order, once, then ends the process. */
export function shutdownOf(closings: readonly Closing[]): (code?: number) => Promise<void> {
  let isStopping = false
  return async (code = 0) => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), timeout).unref()
    for (const close of closings) await close()
    process.exit(code)
  }
}

/** An unexpected end of the process is explained in one sentence; the details are in the log. */
export function explainCrashes(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'stopped by an error')
    process.stderr.write(`Kelisim stopped: ${error.message}\n`)
    process.exit(1)
  })
}
