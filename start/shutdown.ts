import type { Logger } from 'pino'
import { second } from '@kelisim/domain/durations.ts'

/** What does not close in this time is not waited for. */
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

/** What ends the process unexpectedly is said in one sentence; the log keeps the rest. */
export function explainCrashes(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'stopped by an error')
    process.stderr.write(`Kelisim stopped: ${error.message}\n`)
    process.exit(1)
  })
}
