/**
 * Tests what docs/upgrades.md promises:
 *
 *   npm run -s upgrade -- schema [COMMIT]    the database tests of the earlier version, on the schema of this one
 *   npm run -s upgrade -- rolling [COMMIT]   a signing day on the reference cluster while its processes become those of this
 *                                            version, go back and become them again, one after the other, without a failed call
 *
 * Without a COMMIT it is the one before the newest migration.
 */
import { commitBeforeNewestMigration, openEarlierVersion } from './earlier-version.ts'

const [part, commit = commitBeforeNewestMigration()] = process.argv.slice(2)
const parts = {
  schema: async () => (await import('./schema.ts')).testOnTodaysSchema,
  rolling: async () => (await import('./rolling.ts')).upgradeWhileWorking,
}
if (part !== 'schema' && part !== 'rolling') {
  process.stderr.write('npm run -s upgrade -- schema|rolling [COMMIT]\n')
  process.exit(64)
}
const run = await parts[part]()
const earlier = openEarlierVersion(commit)
let isGood = false
try {
  isGood = await run(earlier)
} finally {
  earlier.remove()
}
process.exit(isGood ? 0 : 1)
