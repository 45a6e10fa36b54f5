/**
 * `npm run -s auditor`: an auditor of a transparency log that anybody can run. It reads what the log publishes, asks
 * its witnesses, and remembers what it has seen; the next run finds out whether that was rewritten since.
 */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { visibleJson } from '@kelisim/domain/visible-text.ts'
import { readCheckpoint } from '@kelisim/signature/transparency/checkpoint.ts'
import { readNote, readVerifierKey } from '@kelisim/signature/transparency/note.ts'
import { checkBundle } from '@kelisim/signature/bundle/check-bundle.ts'
import { ed25519Spki } from '@kelisim/signature/algorithms/ed25519.ts'
import { auditPublished, type HeldHead } from './auditor/audit-published.ts'
import { openBundle } from './verify/bundle.ts'

const usage = `npm run -s auditor -- --address URL --key VKEY [--witness 'VKEY URL']… [--quorum N] [--kept FILE] [--bundles DIR]

URL is the address of the service, VKEY the key of its log as it is known from elsewhere. FILE keeps the newest head that was found
right; DIR holds evidence bundles (.zip), which have to be of the same log. Prints one JSON object.
Exit: 0 nothing differs, 1 something does, 64 wrong usage.`

const { values } = parseArgs({
  options: {
    address: { type: 'string' },
    key: { type: 'string' },
    witness: { type: 'string', multiple: true, default: [] },
    quorum: { type: 'string' },
    kept: { type: 'string' },
    bundles: { type: 'string' },
  },
})
const key = readVerifierKey(values.key ?? '')
const witnesses = values.witness.map((given) => {
  const [vkey = '', url = ''] = given.split(/\s+/)
  return { key: readVerifierKey(vkey), url: URL.parse(url) }
})
const address = URL.parse(values.address ?? '')
const quorum = values.quorum === undefined ? witnesses.length : Number(values.quorum)
const isRight = witnesses.every((witness) => witness.key && witness.url) && Number.isInteger(quorum)
if (!key || !address || !isRight) {
  process.stderr.write(`${usage}\n`)
  process.exit(64)
}

const now = new Date()
const held: HeldHead[] = []
const { kept } = values
if (kept !== undefined && existsSync(kept)) {
  const note = readNote(readFileSync(kept))
  const checkpoint = note && readCheckpoint(note.text)
  if (checkpoint?.origin !== key.name) throw new Error(`${kept} is not a head of ${key.name}`)
  held.push({ by: kept, size: Number(checkpoint.size), root: checkpoint.root })
}
const spoiled: { bundle: string; faults: string[] }[] = []
if (values.bundles !== undefined) {
  for (const name of readdirSync(values.bundles).filter((one) => one.endsWith('.zip'))) {
    const opened = await openBundle(join(values.bundles, name))
    if ('fault' in opened) {
      spoiled.push({ bundle: name, faults: [opened.fault.fault] })
      continue
    }
    const trust = { roots: [], others: [] }
    const { faults, log } = await checkBundle(opened.files, {
      trust,
      at: now,
      logKeys: [ed25519Spki(key.key)],
    })
    opened.close()
    // Signatures are not verified here, because that would need trusted roots.
    if (faults.length > 0) spoiled.push({ bundle: name, faults: faults.map(({ fault }) => fault) })
    if (log) held.push({ by: name, size: log.size, root: log.root })
  }
}
const audit = await auditPublished(address, {
  key,
  witnesses: witnesses.map((witness) => ({ key: witness.key!, url: witness.url! })),
  quorum,
  held,
  now,
})
const { note, ...told } = audit
const isGood = audit.faults.length === 0 && spoiled.length === 0
if (isGood && kept !== undefined) {
  writeFileSync(`${kept}.new`, note)
  renameSync(`${kept}.new`, kept)
}
process.stdout.write(`${visibleJson({ ...told, bundles: spoiled })}\n`)
process.exitCode = isGood ? 0 : 1
