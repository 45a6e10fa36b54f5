/**
 * `npm start`: builds the site if its sources changed, starts the stand-ins of the demo in a process of their own,
 * then runs the product in this very process. In production there are no stand-ins.
 */
import { buildSite } from './build/build.ts'

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('Kelisim needs Node 24 or newer; on Linux it is installed with the dependencies.\n')
  process.exit(1)
}
buildSite()
const { startStandIns } = await import('./start-stand-ins.ts')
await startStandIns(process.env)
await import('../main.ts')
