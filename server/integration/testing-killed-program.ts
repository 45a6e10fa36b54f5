/**
 * For tests: a server in a process of its own that makes one call of a program and kills itself (kill -9) right after the
 * given number of transactions were committed.
 */
import { openDatabase, type Connection } from '@kelisim/db/db.ts'
import { folderStorage } from '../documents/storage/folder.ts'
import { openFileChecks } from '../documents/check/check.ts'
import { startTestApp } from '../testing.ts'

type Settings = {
  connection: Connection
  folder: string
  now: string
  commits: number
  call: { url: string; payload: object; headers: Record<string, string> }
}

const { connection, folder, now, commits, call } = JSON.parse(process.argv[2]!) as Settings
const database = openDatabase(connection, () => {})
let committed = 0
const { app, time } = await startTestApp({
  archive: { storage: await folderStorage(folder), checks: openFileChecks() },
  database: {
    ...database,
    async write(work) {
      const result = await database.write(work)
      committed += 1
      if (committed === commits) process.kill(process.pid, 'SIGKILL')
      return result
    },
  },
})
time.now = new Date(now)
const { statusCode } = await app.inject({ method: 'POST', ...call })
process.send?.({ statusCode })
process.exit(0)
