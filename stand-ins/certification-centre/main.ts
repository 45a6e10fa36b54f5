/** `npm run -s centre`: runs the certification centre, or tells it what to issue and revoke. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommand, usage, UsageError, type Command } from './arguments.ts'
import { openCentre } from './centre.ts'
import { OrderError, type Order } from './order.ts'
import { writtenEntries, writtenEntry } from './printing.ts'
import { startCertificationCentre } from './server.ts'

try {
  await run(readCommand(process.argv.slice(2), process.env['DATA_DIR'] ?? './data'))
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${usage}`)
    process.exitCode = 64
  } else if (error instanceof OrderError) {
    console.error(error.message)
    process.exitCode = 1
  } else throw error
}

async function run(command: Command): Promise<void> {
  const { folder } = command
  switch (command.name) {
    case 'help':
      return console.log(usage)
    case 'serve':
      return serve(command)
    case 'issue':
      return issue(folder, command.order, command.out)
    case 'revoke':
      return console.log(writtenEntry((await openCentre({ folder })).revoke(command.which, command.reason)))
    case 'hold':
      return console.log(writtenEntry((await openCentre({ folder })).hold(command.which)))
    case 'unhold':
      return console.log(writtenEntry((await openCentre({ folder })).unhold(command.which)))
    case 'list':
      return console.log(writtenEntries((await openCentre({ folder })).list(), command.isJson))
  }
}

async function serve(options: Extract<Command, { name: 'serve' }>): Promise<void> {
  const { url, close } = await startCertificationCentre(options)
  console.log(`${url}\nRoots to trust are in ${join(options.folder, 'roots')}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close())
}

async function issue(folder: string, order: Order, out: string): Promise<void> {
  const { p12, fileName } = await (await openCentre({ folder })).issue(order)
  mkdirSync(out, { recursive: true, mode: 0o700 })
  const path = join(out, fileName)
  writeFileSync(path, p12, { mode: 0o600, flag: 'wx', flush: true })
  console.log(path)
}
