/**
 * A package for a state archive: the evidence bundle of a document, which has the document, its signatures, their evidence and its
 * history, with a description for the archive. It is checked without us: sums by `sha256sum`, the rest by any copy of the check
 * page or of the command.
 */
import { createHash, sign, type KeyObject } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@kelisim/db/db.ts'
import type { Viewer } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { languages } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Storage } from '../documents/storage/storage.ts'
import type { ServedFile } from '../http/files.ts'
import { makeBundle } from '../outputs/bundle/make-bundle.ts'
import type { LoadedRequest } from '../requests/core/loaded.ts'
import type { Revisions } from '../requests/signed-pdf/revisions.ts'
import type { Entry } from '../requests/reading/archive-entry.ts'
import { giveArchive } from '../requests/reading/archive.ts'
import { safeName } from '../requests/reading/archive-names.ts'
import type { Witnessing } from '../transparency/witnesses.ts'
import type { RetainedView } from './retained.ts'

export type TransferParts = {
  database: Database
  storage: Storage
  revisions: Revisions
  logKey: KeyObject
  logOrigin: string | undefined
  witnessing: Witnessing | undefined
  publicUrl: URL
}

export async function transferPackage(
  parts: TransferParts,
  { loaded, viewer, about, now }: { loaded: LoadedRequest; viewer: Viewer; about: RetainedView; now: Date },
): Promise<ServedFile> {
  const folder = await mkdtemp(join(tmpdir(), 'kelisim-transfer-'))
  try {
    const path = join(folder, 'evidence.zip')
    await makeBundle({ ...parts, loaded, viewer, report: null, now }, path)
    const bundle = await readFile(path)
    const texts = new Map<string, Uint8Array>([['evidence.zip', bundle]])
    const description = descriptionOf(loaded, about, { bundle, publicUrl: parts.publicUrl, now })
    texts.set('description.json', Buffer.from(`${JSON.stringify(description, null, 2)}\n`))
    for (const language of languages) {
      const text = textsOf(language, 'retention')
      const facts = Object.entries(description.document) as [
        keyof typeof description.document,
        string | null,
      ][]
      const lines = facts.map(([fact, value]) => `${text(`package.facts.${fact}`)}: ${value ?? '—'}\n`)
      texts.set(`README.${language}.txt`, Buffer.from(`${text('package.readme')}\n\n${lines.join('')}`))
    }
    const sums = [...texts]
      .map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
      .join('')
    texts.set('SHA256SUMS', Buffer.from(sums))
    texts.set('SHA256SUMS.sig', sign(null, Buffer.from(sums), parts.logKey))
    const entries = [...texts].map(([name, bytes]): Entry => ({
      name,
      at: now,
      isText: !name.endsWith('.zip'),
      open: async () => ({ bytes }),
    }))
    return await giveArchive(entries, `${safeName(loaded.row.name, 'document')}.zip`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function descriptionOf(
  { row, signing }: LoadedRequest,
  about: RetainedView,
  { bundle, publicUrl, now }: { bundle: Uint8Array; publicUrl: URL; now: Date },
) {
  const sides = [
    { name: row.senderName, number: row.senderBin },
    ...signing
      .filter(({ bin, status }) => bin !== '' && bin !== row.senderBin && status === pointStatuses.Signed)
      .filter(({ bin }, i, all) => all.findIndex((other) => other.bin === bin) === i)
      .map(({ organizationName, bin }) => ({ name: organizationName, number: bin })),
  ]
  return {
    format: 'kelisim-transfer',
    version: 1,
    madeAt: now.toISOString(),
    madeBy: publicUrl.origin,
    document: {
      id: row.id,
      name: row.name,
      file: row.fileName,
      sha256: row.sha256.toString('hex'),
      number: about.number,
      kind: about.kind,
      date: row.signingDate,
      endedOn: about.endedOn,
      sides: sides.map(({ name, number }) => `${name} (${number})`).join('; '),
      keptUntil: about.until,
      basis: about.basis,
      evidence: createHash('sha256').update(bundle).digest('hex'),
    },
  }
}
