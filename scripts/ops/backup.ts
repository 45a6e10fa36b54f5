/** `npm run -s backup -- --to DIR`: a snapshot of the database and its files; see docs/operations.md. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { backUp } from '@kelisim/server/backup/backup.ts'
import { checkBackup } from '@kelisim/server/backup/check.ts'
import { findBackup } from '@kelisim/server/backup/manifest.ts'
import { prune } from '@kelisim/server/backup/prune.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { openPlace, runCommand, UsageError } from './place.ts'

const usage = `npm run -s backup -- --to DIR [--keep N] [--quick]
npm run -s backup -- --check DIR [--expect SHA256]

  --to DIR     a folder for any number of backups; files that are there already are not copied again
  --keep N     afterwards only the N newest are left
  --quick      does not read everything again to compare it
  --check DIR  compares a backup (or the newest in DIR) with its hashes, and does nothing else
  --expect SHA256  of the manifest, as it was noted down when the backup was made`

const say = (line: string) => void process.stdout.write(`${line}\n`)

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      keep: { type: 'string' },
      quick: { type: 'boolean', default: false },
      check: { type: 'string' },
      expect: { type: 'string' },
    },
  })
  if (values.check !== undefined) {
    const { sha256 } = await checkBackup(await findBackup(resolve(values.check)), say)
    say(`manifest ${sha256}`)
    if (values.expect === undefined || values.expect === sha256) return 0
    process.stderr.write('The manifest is not the one that was expected\n')
    return 1
  }
  if (values.to === undefined) throw new UsageError(usage)
  const keep = values.keep === undefined ? null : Number(values.keep)
  if (keep !== null && !(Number.isInteger(keep) && keep > 0)) throw new UsageError(usage)
  const to = resolve(values.to)
  const { connection, storage, close } = await openPlace()
  try {
    const { folder, manifest, manifestSha256 } = await backUp({
      connection,
      storage,
      to,
      version: packageJson.version,
      isVerified: !values.quick,
      say,
      clock: () => new Date(),
    })
    if (keep !== null) for (const one of await prune(to, keep)) say(`removed ${one}`)
    say(`${folder}\nmanifest ${manifestSha256}`)
    return manifest.files.missing.length > 0 ? 1 : 0
  } finally {
    await close()
  }
})
