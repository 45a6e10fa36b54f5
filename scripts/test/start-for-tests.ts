/**
 * The product as the journeys start it: like `npm start`, but it ends with the process that holds the other end of
 * its standard input, and leaves neither a database nor a folder behind.
 */
import { join, resolve } from 'node:path'
import { stopDatabaseAfterUs } from '@kelisim/db/testing-after-us.ts'

const folder = resolve(process.env['DATA_DIR']!)
stopDatabaseAfterUs(join(folder, 'postgres'), folder)
process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM')).resume()
await import('../start.ts')
