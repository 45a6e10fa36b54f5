/**
 * Exports one organisation of an installation as a package (decision 072). From the beginning of the export the
 * organisation is read-only here and shows its new address; an export that fails takes that back.
 */
import { createPublicKey } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type pg from 'pg'
import type { Connection, Database } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { connect, copyFile } from '../backup/backup.ts'
import {
  fail,
  listedFiles,
  manifestName,
  isThere,
  pack,
  pathByHash,
  privateFolder,
  sizeOf,
  writeManifest,
} from '../backup/manifest.ts'
import type { Storage } from '../documents/storage/storage.ts'
import type { Log } from '../transparency/checkpoints.ts'
import { signHead } from '../transparency/heads.ts'
import { inclusionProofs } from '../transparency/tree.ts'
import {
  chooseWhatGoes,
  copyFileList,
  copyMoved,
  findInstallation,
  findLeaving,
  findPlaces,
  findUnderWay,
  noteAct,
  settleElsewhere,
  settleHere,
  type Leaving,
  type UnderWay,
} from './leaving-queries.ts'
import { filesIn, type MovingManifest } from './package.ts'
import { movedTables } from './tables.ts'
import { join } from 'node:path'

export type ExportOptions = {
  connection: Connection
  database: Database
  storage: Storage
  log: Log
  bin: string
  to: string
  /** The address of the installation where the organisation will live. */
  address: string
  /** The address of this installation. */
  from: string
  version: string
  clock: () => Date
}

export type ExportResult =
  | { underWay: UnderWay[] }
  | { underWay?: never; manifest: MovingManifest; manifestSha256: string }

export async function exportOrganization(options: ExportOptions): Promise<ExportResult> {
  const { connection, bin, to, address, clock } = options
  if (await isThere(join(to, manifestName))) fail(`${to} has a package already`)
  const client = await connect(connection)
  try {
    const leaving =
      (await findLeaving(client, bin)) ?? fail(`No confirmed organisation has the number ${bin}`)
    if (leaving.livesAt !== null && leaving.livesAt !== address)
      fail(`The organisation has moved to ${leaving.livesAt} already`)
    await settleElsewhere(client, leaving, address)
    try {
      const underWay = await findUnderWay(client, leaving)
      if (underWay.length > 0) {
        if (leaving.livesAt === null) await settleHere(client, leaving)
        return { underWay }
      }
      const made = await make(client, options, leaving)
      await noteAct(client, clock(), 'organization-exported', { package: made.manifest.id, bin, to: address })
      return made
    } catch (error) {
      await client.query('rollback')
      if (leaving.livesAt === null) await settleHere(client, leaving)
      throw error
    }
  } finally {
    await client.end()
  }
}

async function make(client: pg.Client, options: ExportOptions, leaving: Leaving) {
  const { database, storage, log, to, from, version, clock } = options
  const head = await signHead(database, log.key, clock())
  await privateFolder(to)
  await mkdir(filesIn(to), { recursive: true, mode: 0o700 })
  await client.query('begin isolation level repeatable read')
  await chooseWhatGoes(client, leaving)
  const { migrations, mode, tables: known } = await findInstallation(client)
  const tables: MovingManifest['tables'] = []
  for (const moved of movedTables) {
    const found = known.find(({ schema, table }) => schema === 'public' && table === moved.table)!
    const name = `${moved.table}.copy.gz`
    await rm(join(to, name), { force: true })
    const rows = copyMoved(client, moved, found, { id: leaving.id, from })
    tables.push({ table: moved.table, columns: found.columns, ...(await pack(to, name, rows)) })
  }
  const packAnew = async (name: string, content: Readable) => {
    await rm(join(to, name), { force: true })
    return pack(to, name, content)
  }
  const files = await packAnew('files.list.gz', copyFileList(client))
  const id = newId()
  const proofs = await packAnew('proofs.copy.gz', Readable.from(proofLines(client, database, id, head.size)))
  await client.query('commit')
  for await (const file of listedFiles(to, { files })) {
    const path = pathByHash(filesIn(to), file.sha256)
    if ((await sizeOf(path)) !== file.size && !(await copyFile(storage, file, path)))
      fail(`The file ${file.id} is missing or damaged in the storage: restore it first`)
  }
  const manifest: MovingManifest = {
    kind: 'organization',
    format: 1,
    id,
    product: version,
    mode,
    at: clock().toISOString(),
    organization: { id: leaving.id, bin: leaving.bin },
    from,
    migrations,
    tables,
    files,
    proofs,
    log: {
      origin: log.origin,
      publicKey: createPublicKey(log.key).export({ type: 'spki', format: 'der' }).toString('base64'),
      size: head.size,
      at: head.at.toISOString(),
      root: head.root.toString('hex'),
      keyId: head.keyId.toString('hex'),
      signature: head.signature.toString('base64'),
    },
  }
  return { manifest, manifestSha256: await writeManifest(to, manifest) }
}

/** How many proofs are held in memory at once. */
const batch = 500

/** Rows of earlier_log_entries in the format of COPY. */
async function* proofLines(
  client: pg.Client,
  { db }: Database,
  logId: string,
  size: number,
): AsyncGenerator<Buffer> {
  for (let after = -1; ;) {
    const places = await findPlaces(client, after, batch)
    if (places.length === 0) return
    const proofs = await inclusionProofs(
      db,
      places.map(({ index }) => index),
      size,
    )
    const lines = places.map(({ requestId, number, index }, i) =>
      [requestId, number, logId, index, `\\\\x${Buffer.concat(proofs[i]!).toString('hex')}\n`].join('\t'),
    )
    yield Buffer.from(lines.join(''))
    after = places.at(-1)!.index
  }
}

/** Lets the organisation work here again, before its package is imported. False: it did not live elsewhere. */
export async function keepOrganization(connection: Connection, bin: string, at: Date): Promise<boolean> {
  const client = await connect(connection)
  try {
    const found = (await findLeaving(client, bin)) ?? fail(`No confirmed organisation has the number ${bin}`)
    if (found.livesAt === null) return false
    await settleHere(client, found)
    await noteAct(client, at, 'organization-kept', { bin })
    return true
  } finally {
    await client.end()
  }
}
