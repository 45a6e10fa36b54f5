import { writeSync } from 'node:fs'
import { pino, type Logger } from 'pino'
import { currentRequestId } from '@kelisim/server/tracing/tracing.ts'

const stdout = 1

/** Lines of JSON on the standard output. Whoever reads them may go away: then they are lost, and the product goes on. */
export function openLog(level: string): Logger {
  const destination = pino.destination({ dest: stdout, sync: false })
  const flushSync = destination.flushSync.bind(destination)
  // It would try for ever to write the last lines to somebody who is gone, and the process would never end.
  destination.flushSync = () => {
    if (isRead()) flushSync()
  }
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return pino({ level, mixin: () => ({ reqId: currentRequestId() }) }, destination)
}

function isRead(): boolean {
  try {
    writeSync(stdout, '\n')
    return true
  } catch {
    return false
  }
}
