import { writeSync } from 'node:fs'
import { pino, type Logger } from 'pino'
import { currentRequestId } from '@kelisim/server/tracing/tracing.ts'

const stdout = 1

/** Writes lines of JSON to standard output. If their reader goes away, lines are lost and the product goes on. */
export function openLog(level: string): Logger {
  const destination = pino.destination({ dest: stdout, sync: false })
  const flushSync = destination.flushSync.bind(destination)
  // Without a reader it would try for ever to write the last lines, and the process would never end.
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
