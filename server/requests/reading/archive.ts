/**
 * Several requests as one archive: a folder for each, with its document and the signatures that were accepted. It is
 * written to a temporary file piece by piece, one document at a time, and taken away when the last byte has left.
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
import { maySee, seesPoint, type Viewer } from '@kelisim/domain/requests/permissions.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { Files, GivenFile } from '../../http/files.ts'
import { safeName, uniqueNames } from './archive-names.ts'
import { partyOf } from '../core/party.ts'
import { findRequestsAmong } from '../core/state.ts'
import type { Loaded } from '../core/loaded.ts'

const megabyte = 1024 * 1024

export function requestArchiveHandlers(files: Files, storage: Storage): void {
  const inTurn = oneAtATime()

  files.give(downloadRequests, async ({ input, who, db, now }) => {
    const { viewer } = await partyOf(db, who, now)
    const found = await findRequestsAmong(db, input.ids)
    const seen = found.filter(({ row, request }) => maySee({ ...row, points: request.points }, viewer))
    if (seen.length < input.ids.length) refuse('signing-request-not-found')
    const ordered = input.ids.map((id) => seen.find(({ row }) => row.id === id)!)
    const megabytes = Math.ceil(ordered.reduce((sum, { row }) => sum + row.size, 0) / megabyte)
    if (megabytes > archiveMegabytes) refuse('archive-too-large', { megabytes, most: archiveMegabytes })
    const name = `kelisim-${now.toISOString().slice(0, 10)}.zip`
    return inTurn(viewer.id, async () => giveArchive(await entriesOf(db, storage, ordered, viewer), name))
  })
}

/** One archive a person, from when it is begun until its last byte has left. It is the disk of this process that is spared, so this process counts. */
export function oneAtATime() {
  const busy = new Set<string>()
  return async (personId: string, give: () => Promise<GivenFile>): Promise<GivenFile> => {
    if (busy.has(personId)) refuse('archive-under-way')
    busy.add(personId)
    try {
      const given = await give()
      const giveBack = () => {
        busy.delete(personId)
        return given.giveBack()
      }
      return { ...given, giveBack }
    } catch (error) {
      busy.delete(personId)
      throw error
    }
  }
}

export async function giveArchive(entries: readonly Entry[], name: string): Promise<GivenFile> {
  const folder = await mkdtemp(join(tmpdir(), 'kelisim-archive-'))
  const giveBack = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'archive.zip')
  try {
    await writeArchive(path, entries)
    const { size } = await stat(path)
    return { path, size, name, mediaType: 'application/zip', giveBack }
  } catch (error) {
    await giveBack()
    throw error
  }
}

export type Entry = {
  name: string
  at: Date
  /** Worth packing, which documents are not. */
  isText?: boolean
  open: () => Promise<
    | { bytes: Uint8Array }
    | { pieces: AsyncIterable<Uint8Array> }
    | { path: string; giveBack: () => Promise<void> }
  >
}

async function entriesOf(
  db: Db,
  storage: Storage,
  requests: readonly Loaded[],
  viewer: Viewer,
): Promise<Entry[]> {
  const signatures = await findAccepted(
    db,
    requests.map(({ row }) => row.id),
  )
  const uniqueFolder = uniqueNames()
  return requests.flatMap((loaded) => {
    const { row, request } = loaded
    const folder = uniqueFolder(safeName(row.name, 'document'))
    const unique = uniqueNames()
    const fileName = unique(safeName(row.fileName, `document.${row.format}`))
    const { fileId: id, organizationId, sha256, size } = row
    const hidden = new Set(
      request.points
        .filter((point) => !seesPoint({ ...row, points: request.points }, point, viewer))
        .map(({ pointId }) => pointId),
    )
    const document: Entry = {
      name: `${folder}/${fileName}`,
      at: row.createdAt,
      open: () => borrowVerified(storage, { id, organizationId, sha256, size }),
    }
    const ofRequest = signatures
      .filter(({ requestId, pointId }) => requestId === row.id && !hidden.has(pointId))
      .map((signature): Entry => {
        const signer = safeName(signature.owner?.fullName ?? signature.actor.fullName, 'signature')
        return {
          name: `${folder}/${unique(`${fileName} - ${signer}.cms`)}`,
          at: signature.receivedAt,
          open: async () => ({ bytes: await signatureBytes(db, signature.id) }),
        }
      })
    return [document, ...ofRequest]
  })
}

function findAccepted(db: Db, requestIds: readonly string[]) {
  return db
    .selectFrom('requestSignatures')
    .select(['id', 'requestId', 'pointId', 'actor', 'owner', 'receivedAt'])
    .where('requestId', 'in', requestIds)
    .where('attempt', '=', 0)
    .where('state', '=', 'accepted')
    .orderBy('receivedAt')
    .orderBy('id')
    .execute()
}

/** As it leaves the house: with its timestamp, where there is one. */
export async function signatureBytes(db: Db, signatureId: string): Promise<Buffer> {
  const { cms, timestampedCms } = await db
    .selectFrom('requestSignatures')
    .select(['cms', 'timestampedCms'])
    .where('id', '=', signatureId)
    .executeTakeFirstOrThrow()
  return timestampedCms ?? cms
}

/** One after another: what comes later may be made of what came before. Documents are packed already. */
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
        // The types ask for a stream where there is none to give.
        (error: unknown) => give(error, undefined as never),
      )
    })
  }
  zip.end()
  try {
    await Promise.race([written, stopped])
  } catch (error) {
    // What is taken away while it is open keeps its place on the disk.
    file.destroy()
    await closed
    throw error
  }
}

function streamOf(opened: Awaited<ReturnType<Entry['open']>>) {
  if ('bytes' in opened) return Readable.from([opened.bytes])
  if ('pieces' in opened) return Readable.from(opened.pieces)
  const stream = createReadStream(opened.path)
  stream.once('close', () => void opened.giveBack())
  return stream
}
