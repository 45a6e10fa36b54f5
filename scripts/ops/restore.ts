/** `npm run -s restore -- --from DIR`: into an empty database and an empty storage; see docs/operations.md. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { restore } from '@kelisim/server/backup/restore.ts'
import { openPlace, runCommand, UsageError } from './place.ts'

const usage = `npm run -s restore -- --from DIR [--expect SHA256]

  --from DIR       a backup, or the folder that holds several: then the newest
  --expect SHA256  of the manifest, as it was noted down when the backup was made`

await runCommand(async () => {
  const { values } = parseArgs({ options: { from: { type: 'string' }, expect: { type: 'string' } } })
  if (values.from === undefined) throw new UsageError(usage)
  const { connection, storage, close } = await openPlace({ mayBeNew: true })
  try {
    await restore({
      connection,
      storage,
      from: resolve(values.from),
      expected: values.expect,
      clock: () => new Date(),
      say: (line) => void process.stdout.write(`${line}\n`),
    })
    return 0
  } finally {
    await close()
  }
})
