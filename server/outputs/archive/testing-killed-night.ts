/**
 * For tests: the nightly chore of the archive in a process of its own, which kills itself (kill -9) at a given step:
 * after a timestamp was given, before a transaction is committed, and after it.
 */
import { openDatabase, type Connection } from '@kelisim/db/db.ts'
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { defaultPolicy, evidenceAtHand } from '@kelisim/signature/examination/policy.ts'
import { folderStorage } from '../../documents/storage/folder.ts'
import { checkedTimestamp } from '../../signatures/checked-timestamp.ts'
import { archiveNight } from './archiving.ts'
import { takeFrom } from './services.ts'

export type KilledNight = {
  connection: Connection
  folder: string
  now: string
  /** When SHA-256 ends. */
  hashEnd: string
  /** Answers timestamp requests. */
  service: string
  trusted: { roots: string[]; centres: string[] }
  dieAt: number
}

const { connection, folder, now, hashEnd, service, trusted, dieAt } = JSON.parse(
  process.argv[2]!,
) as KilledNight
const database = openDatabase(connection, () => {})
const clock = () => new Date(now)
let steps = 0
function step(): void {
  steps += 1
  if (steps === dieAt) process.kill(process.pid, 'SIGKILL')
}

const ask = async (body: Uint8Array) => {
  const response = await fetch(service, { method: 'POST', body: Buffer.from(body) })
  return new Uint8Array(await response.arrayBuffer())
}
const ders = (all: readonly string[]) => all.map((one) => new Uint8Array(Buffer.from(one, 'base64')))
const trust = {
  roots: ders(trusted.roots).map(readCertificate),
  others: ders(trusted.centres).map(readCertificate),
}
const take = takeFrom(
  [{ name: 'parent', ask }],
  (job) =>
    checkedTimestamp(job, { trust, evidence: evidenceAtHand({ crls: [], ocsp: [] }), policy: defaultPolicy }),
  clock,
)
await archiveNight({
  database: {
    ...database,
    async write(work) {
      const result = await database.write(async (tx) => {
        const worked = await work(tx)
        step()
        return worked
      })
      step()
      return result
    },
  },
  storage: await folderStorage(folder),
  hasTimestamps: true,
  async takeTimestamp(hash, root, endsAfter) {
    const taken = await take(hash, root, endsAfter)
    step()
    return taken
  },
  clock,
  hashEnds: { 'sha-256': new Date(hashEnd) },
})
process.exit(0)
