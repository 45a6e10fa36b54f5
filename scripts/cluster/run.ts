/**
 * `npm run -s cluster` starts the reference cluster on this machine and keeps it until Ctrl+C.
 * `npm run -s cluster -- JOURNEY…` runs these journeys against it instead, and ends with their result.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildSite } from '../build/build.ts'
import { startCluster } from './cluster.ts'
import { refuseUnpreparedMachine, root } from './place.ts'

const journeys = process.argv.slice(2)
const port = Number(process.env['CLUSTER_PORT'] ?? 3400)
const say = (words: string) => process.stdout.write(`${words}\n`)

refuseUnpreparedMachine()
buildSite()
const cluster = await startCluster({ port, say })
say(`The cluster is at ${cluster.url}; its folder is ${cluster.place.folder}`)
let code = 0
const asked = Promise.withResolvers<void>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => asked.resolve())
if (journeys.length > 0) code = await Promise.race([runJourneys(), asked.promise.then(() => 1)])
else await asked.promise
await cluster.stop()
process.exit(code)

function runJourneys(): Promise<number> {
  const child = spawn(process.execPath, [join(root, 'scripts', 'test', 'test-part.ts'), 'e2e', ...journeys], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      E2E_RUNNING: '1',
      E2E_PORT: String(port),
      E2E_DATA_DIR: cluster.env['DATA_DIR'],
    },
  })
  return new Promise((resolve) => child.once('exit', (status) => resolve(status ?? 1)))
}
