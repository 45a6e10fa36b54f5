/** Runs the stand-ins for a parent process: gets its setup by message, and replies with the addresses. */
import { startNation, type NationSetup } from './nation.ts'

process.once('message', (setup: NationSetup) => {
  startNation(setup).then(
    ({ close, ...addresses }) => {
      process.send!({ addresses })
      // without its parent the process is of no use
      const stop = () => void close().finally(() => process.exit(0))
      process.once('disconnect', stop)
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
    },
    (error: unknown) => {
      process.send!({ failure: error instanceof Error ? error.message : String(error) })
      process.exit(1)
    },
  )
})
