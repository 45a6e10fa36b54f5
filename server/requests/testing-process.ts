/**
 * For tests: the server as a process of its own, to be killed. Everything is real but the centre, which is a small nation
 * whose keys follow from a seed, so that every process trusts the same one.
 */
import { flushCompileCache } from 'node:module'
import { openDatabase, type Connection } from '@kelisim/db/db.ts'
import { foundNation } from '@kelisim/signature/testing/nation.ts'
import { createApp } from '../app.ts'
import { openFileChecks } from '../documents/check/check.ts'
import { folderStorage } from '../documents/storage/folder.ts'
import { checksIn } from '../identity/testing-signers.ts'

export type ProcessSettings = {
  connection: Connection
  filesFolder: string
  publicUrl: string
  /** The clock of the tests, and when it showed this. */
  time: { at: string; since: number }
}

const settings = JSON.parse(process.argv[2]!) as ProcessSettings
const { connection, filesFolder, time } = settings
const clock = () => new Date(Date.parse(time.at) + Date.now() - time.since)
const database = openDatabase({ ...connection, max: 5 }, () => {})
const app = await createApp({
  ...{ database, clock, isDemo: false, trustProxy: 0, version: '0.57.0', build: 'test' },
  ...{ logLevel: 'silent', callsPerMinute: 1_000_000, publicUrl: new URL(settings.publicUrl) },
  archive: { storage: await folderStorage(filesFolder), checks: openFileChecks() },
  queueMail: async () => {},
  queueSettling: async () => {},
  signIn: { issuer: new URL('http://issuer.invalid'), clientId: 'kelisim', clientSecret: 'secret' },
  checkSignature: checksIn(await foundNation('gost-kz-512'), { answer: 'good' }),
})
// Who is killed writes nothing down at its end.
flushCompileCache()
process.send!({ address: await app.listen({ port: 0, host: '127.0.0.1' }) })
