/** The commands that move one organisation between two installations (decision 072, docs/tenants.md). */
import type { Database } from '@kelisim/db/db.ts'
import { exportOrganization, keepOrganization } from '@kelisim/server/moving/export.ts'
import { importOrganization } from '@kelisim/server/moving/import.ts'
import { originAt } from '@kelisim/server/transparency/checkpoints.ts'
import type { Queue } from '@kelisim/server/jobs/queue.ts'
import { readLogKey } from '@kelisim/server/transparency/key.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { UsageError, type Installation } from './place.ts'

export type MovingOptions = {
  bin?: string
  from?: string
  to?: string
  address?: string
  expect?: string
}
type MovingInput = Installation & { database: Database; queue: Pick<Queue, 'add'>; options: MovingOptions }

export async function exportCommand({ config, connection, database, storage, options }: MovingInput) {
  const { bin, to, address } = options
  if (!bin || !to || !isAddress(address))
    throw new UsageError('export-organization --bin BIN --to DIR --address https://NEW.example')
  const key = readLogKey(config.logKeyFile)
  if (!key) throw new UsageError(`There is no key of the log at ${config.logKeyFile}; set LOG_KEY_FILE`)
  const made = await exportOrganization({
    connection,
    database,
    storage,
    log: { key, origin: config.logOrigin ?? originAt(config.publicUrl) },
    bin,
    to,
    address,
    from: config.publicUrl.href,
    version: packageJson.version,
    clock: () => new Date(),
  })
  if (made.underWay) {
    return { json: made, shown: made.underWay, isBad: true }
  }
  const { manifest, manifestSha256 } = made
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const shown = `${rows} rows, ${manifest.files.rows} files, ${manifest.proofs.rows} proofs; manifest ${manifestSha256}`
  return { json: { manifestSha256, rows, files: manifest.files.rows, proofs: manifest.proofs.rows }, shown }
}

export async function importCommand({ connection, database, storage, queue, options }: MovingInput) {
  const { from, expect } = options
  if (!from) throw new UsageError('import-organization --from DIR [--expect HASH]')
  const clock = () => new Date()
  const { manifest, isRepeated, merged } = await importOrganization({
    connection,
    database,
    storage,
    from,
    expected: expect,
    queueStamping: (tx, signatureId) => queue.add(tx, 'stamp-signature', { signatureId }),
    clock,
  })
  const json = { bin: manifest.organization.bin, isRepeated, merged }
  const accounts = merged > 0 ? `; ${merged} of its people had an account here and go on with it` : ''
  const shown = isRepeated ? 'this package was imported before' : `${json.bin} lives here now${accounts}`
  return { json, shown }
}

export async function keepCommand({ connection, options: { bin } }: MovingInput) {
  if (!bin) throw new UsageError('keep-organization --bin BIN')
  const isKept = await keepOrganization(connection, bin, new Date())
  return {
    json: { isKept },
    shown: isKept ? 'it works here again: import its package nowhere' : 'it was not to move',
    isBad: !isKept,
  }
}

function isAddress(text: string | undefined): text is string {
  return text !== undefined && URL.canParse(text) && /^https?:\/\//.test(text)
}
