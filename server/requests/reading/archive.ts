/**
 * Several requests as one archive: a folder for each, with its document and accepted signatures. It is written to a
 * temporary file, one document at a time, which is deleted after the download.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Db } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { archiveMegabytes, downloadRequests } from '@kelisim/domain/requests/list-contract.ts'
import { maySee, seenOf, type Viewer } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import type { Files, ServedFile } from '../../http/files.ts'
import type { Entry } from './archive-entry.ts'
import { safeName, uniqueNames } from './archive-names.ts'
import { documentEntries } from './document-entries.ts'
import { signaturesSeen } from './handlers.ts'
import { signatureEntries } from './signature-entries.ts'
import { findAcceptedInside } from '../signed-pdf/queries.ts'
import { partyOf } from '../core/party.ts'
import { findRequestsAmong } from '../core/state.ts'
import { findAcceptedSignatures } from '../core/queries/signatures.ts'
import type { LoadedRequest } from '../core/loaded.ts'

const megabyte = 1024 * 1024

export function requestArchiveHandlers(files: Files, storage: Storage): void {
  const limited = oneAtATime()

  files.give(downloadRequests, async ({ input, who, db, now }) => {
    const { viewer } = await partyOf(db, who, now)
    const found = await findRequestsAmong(db, input.ids)
    const seen = found.filter(({ row, request }) => maySee(seenOf(row, request), viewer))
    if (seen.length < input.ids.length) refuse('signing-request-not-found')
    const ordered = input.ids.map((id) => seen.find(({ row }) => row.id === id)!)
    const megabytes = Math.ceil(ordered.reduce((sum, { row }) => sum + row.size, 0) / megabyte)
    if (megabytes > archiveMegabytes) refuse('archive-too-large', { megabytes, most: archiveMegabytes })
    const name = `kelisim-${now.toISOString().slice(0, 10)}.zip`
    return limited(viewer.id, async () => giveArchive(await entriesOf(db, storage, ordered, viewer), name))
  })
}

/** Lets a person download one archive at a time. Counted per process, because it protects the disk of this process. */
export function oneAtATime() {
  const busy = new Set<string>()
  return async (personId: string, serve: () => Promise<ServedFile>): Promise<ServedFile> => {
    if (busy.has(personId)) refuse('archive-under-way')
    busy.add(personId)
    try {
      const file = await serve()
      const release = () => {
        busy.delete(personId)
        return file.release()
      }
      return { ...file, release }
    } catch (error) {
      busy.delete(personId)
      throw error
    }
  }
}

export async function giveArchive(entries: readonly Entry[], name: string): Promise<ServedFile> {
  const folder = await mkdtemp(join(tmpdir(), 'kelisim-archive-'))
  const release = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'archive.zip')
  try {
    await writeArchive(path, entries)
    const { size } = await stat(path)
    return { path, size, name, mediaType: 'application/zip', release }
  } catch (error) {
    await release()
    throw error
  }
}

async function entriesOf(
  db: Db,
  storage: Storage,
  requests: readonly LoadedRequest[],
  viewer: Viewer,
): Promise<Entry[]> {
  const signatures = await findAcceptedSignatures(
    db,
    requests.map(({ row }) => row.id),
  )
  const uniqueFolder = uniqueNames()
  const entries: Entry[] = []
  for (const { row, request } of requests) {
    const folder = uniqueFolder(safeName(row.name, 'document'))
    const unique = uniqueNames()
    const fileName = unique(safeName(row.fileName, `document.${row.format}`))
    const { fileId: id, organizationId, sha256, size } = row
    const file = { id, organizationId, sha256, size }
    const isSeen = signaturesSeen({ row, request }, viewer)
    const seen = signatures.filter(
      ({ requestId, pointId, actor }) => requestId === row.id && isSeen({ pointId, actorId: actor.id }),
    )
    const beside = seen.filter(({ gapFrom }) => gapFrom === null)
    // Each signed XML contains the whole document, so the original beside them would only look unsigned.
    const isInEach = seen.length > 0 && seen.every(({ isInXml }) => isInXml)
    const document = documentEntries(storage, {
      name: fileName,
      at: row.createdAt,
      file,
      newest: beside.length < seen.length ? (await findAcceptedInside(db, row.id)).at(-1) : undefined,
      hasBeside: beside.length > 0,
      unique,
    })
    const ofRequest = signatureEntries({ db, storage }, beside, { fileName, file, unique })
    entries.push(
      ...[...(isInEach ? [] : document), ...ofRequest].map((entry) => ({
        ...entry,
        name: `${folder}/${entry.name}`,
      })),
    )
  }
  return entries
}

/** Opens the entries one after another, because a later one may be computed from earlier ones. */
export async function writeArchive(path: string, entries: readonly Entry[]): Promise<void> {
  const zip = new ZipFile()
  const file = createWriteStream(path)
  const closed = new Promise<void>((resolve) => file.once('close', resolve))
  const written = pipeline(zip.outputStream, file)
  const stopped = new Promise<never>((_, reject) => zip.once('error', reject))
  for (const { name, at, isText = false, open } of entries) {
    zip.addReadStreamLazy(name, { mtime: at, compress: isText }, (give) => {
      void open().then(
        (opened) => give(null, streamOf(opened)),
        // The types demand a stream even with an error.
        (error: unknown) => give(error, undefined as never),
      )
    })
  }
  zip.end()
  try {
    await Promise.race([written, stopped])
  } catch (error) {
    // The space of a deleted file is freed only when it is closed.
    file.destroy()
    await closed
    throw error
  }
}

function streamOf(opened: Awaited<ReturnType<Entry['open']>>) {
  if ('bytes' in opened) return Readable.from([opened.bytes])
  if ('pieces' in opened) return Readable.from(opened.pieces)
  const stream = createReadStream(opened.path)
  stream.once('close', () => void opened.release())
  return stream
}
