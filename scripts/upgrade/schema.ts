/** Runs the tests of the earlier version on the schema of this one, which it uses during an upgrade. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { giveTodaysSchema, migrationsSince, type EarlierVersion } from './earlier-version.ts'

/** These tests list the tables of the schema, so they fail on another one. */
const aboutTheSchema = [
  'the types of the tables are those of the database',
  'every table is either moved or stays',
]

export async function testOnTodaysSchema(earlier: EarlierVersion): Promise<boolean> {
  const { folder, commit } = earlier
  const unknown = migrationsSince(earlier)
  process.stdout.write(
    `${commit} on ${unknown.length} migrations that it does not know\n${unknown.join('\n')}\n`,
  )
  giveTodaysSchema(earlier)
  const { status } = spawnSync(
    join(folder, 'node_modules', '.bin', 'vitest'),
    ['run', '--project', 'db', '--testNamePattern', `^(?!.*(${aboutTheSchema.join('|')}))`],
    {
      cwd: folder,
      stdio: 'inherit',
      env: { ...process.env, PATH: `${join(folder, 'node_modules', '.bin')}:${process.env['PATH']}` },
    },
  )
  return status === 0
}
