/** `npm start`: builds the site if its sources changed, then runs the product in this very process. */
import { buildSite } from './build.ts'

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('Kelisim needs Node 24 or newer; on Linux it is installed with the dependencies.\n')
  process.exit(1)
}
buildSite()
await import('../main.ts')
