/** vitest's global set-up: an embedded PostgreSQL in a temporary folder, with the template of test databases. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { stopDatabaseAfterUs } from './testing-after-us.ts'
import { temporaryFolder } from './temporary-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; user: string; database: string }
  }
}

const templateName = 'kelisim_template'

/** Nothing here outlives the run, so durability does not matter. */
const inAHurry = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
]

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = temporaryFolder()
  const callOff = stopDatabaseAfterUs(join(folder, 'postgres'), folder)
  const server = await startEmbedded(join(folder, 'postgres'), inAHurry)
  const client = new pg.Client(server.connection)
  await client.connect()
  await client.query(`create database ${templateName}`)
  await client.end()
  const template = { ...server.connection, database: templateName }
  await migrate(template)
  const boss = new PgBoss({ ...template, supervise: false, schedule: false })
  await boss.start()
  await boss.stop({ graceful: false })
  project.provide('postgres', server.connection)
  return () => {
    server.stop()
    rmSync(folder, { recursive: true, force: true })
    callOff()
  }
}
