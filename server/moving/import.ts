/**
 * Imports an organisation from the package of another installation (decision 072). The files are stored first, which
 * nobody sees; then all rows are added in one transaction. So the import can be repeated wherever it broke off.
 */
import { createReadStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import type { Connection, Database, Tx } from '@kelisim/db/db.ts'
import { connect } from '../backup/backup.ts'
import { fail, hashOf, listedFiles, pathByHash, unpack, type Packed } from '../backup/manifest.ts'
import { keyOf, type Storage } from '../documents/storage/storage.ts'
import { sequence } from '../transparency/sequencing.ts'
import {
  beginImport,
  findUnstamped,
  isImported,
  leaveKnownAccounts,
  mergePeople,
  prepareIncoming,
  refuseTwice,
  takeLog,
  takeRows,
} from './arriving-queries.ts'
import { findInstallation, noteAct } from './leaving-queries.ts'
import { checkPackage, filesIn, type MovingManifest } from './package.ts'
import { movedTables } from './tables.ts'

export type ImportOptions = {
  connection: Connection
  database: Database
  storage: Storage
  from: string
  /** The hash of the manifest, as printed by the export. */
  expected?: string | undefined
  queueStamping: (tx: Tx, signatureId: string) => Promise<void>
  clock: () => Date
}

export type ImportResult = { manifest: MovingManifest; isRepeated: boolean; merged: number }

export async function importOrganization(options: ImportOptions): Promise<ImportResult> {
  const { connection, database, storage, from, expected } = options
  const { manifest, sha256 } = await checkPackage(from)
  if (expected !== undefined && expected !== sha256) fail('The manifest is not the one that was expected')
  const client = await connect(connection)
  try {
    if (await isImported(client, sha256)) {
      await stampLater(client, options, manifest)
      return { manifest, isRepeated: true, merged: 0 }
    }
    await refuseOtherInstallation(client, manifest)
    await refuseTwice(client, manifest.organization)
    await putFiles(storage, from, manifest)
    const merged = await load(client, options, manifest, sha256)
    await stampLater(client, options, manifest)
    await sequence(database)
    return { manifest, isRepeated: false, merged }
  } finally {
    await client.end()
  }
}

/**
 * Queues missing timestamps after the rows, and again when the import is repeated: a signature that has one by then
 * gets no second one.
 */
async function stampLater(
  client: pg.Client,
  { database, queueStamping }: ImportOptions,
  { organization }: MovingManifest,
): Promise<void> {
  const unstamped = await findUnstamped(client, organization.id)
  await database.write(async (tx) => {
    for (const signatureId of unstamped) await queueStamping(tx, signatureId)
  })
}

async function refuseOtherInstallation(client: pg.Client, manifest: MovingManifest): Promise<void> {
  const here = await findInstallation(client)
  if (here.mode !== manifest.mode) fail('One of the two installations is a demo, and the other is not')
  const unknown = manifest.migrations.find(
    ({ name, sha256 }) => here.migrations.find((one) => one.name === name)?.sha256 !== sha256,
  )
  if (unknown) {
    fail(
      `The package was made by version ${manifest.product}, which is newer than this one: ${unknown.name} is not known`,
    )
  }
}

/** Stores the files of the package; files that exist already must be the same, and stay. */
async function putFiles(storage: Storage, folder: string, manifest: MovingManifest): Promise<void> {
  for await (const { id, organizationId, sha256, size } of listedFiles(folder, manifest)) {
    const key = keyOf(organizationId, id)
    const there = await storage.borrow(key)
    if (there) {
      const found = await hashOf(there.path)
      await there.release()
      if (found?.sha256 !== sha256) fail(`The file ${id} is in the storage already, with other content`)
      continue
    }
    const received = await storage.receive(createReadStream(pathByHash(filesIn(folder), sha256)), size)
    try {
      if (received.sha256.toString('hex') !== sha256) fail(`The file ${id} is not what was exported`)
      await storage.keep(key, received)
    } finally {
      await received.discard()
    }
  }
}

/** Adds all rows in one transaction. */
async function load(
  client: pg.Client,
  { from, clock }: ImportOptions,
  manifest: MovingManifest,
  sha256: string,
): Promise<number> {
  try {
    await beginImport(client)
    await refuseTwice(client, manifest.organization)
    for (const packed of manifest.tables) {
      if (!movedTables.some(({ table }) => table === packed.table)) fail(`${packed.table} is not moved`)
      await stream(from, packed, await prepareIncoming(client, packed.table, packed.columns))
    }
    const merged = await mergePeople(client)
    await leaveKnownAccounts(
      client,
      manifest.tables.map(({ table }) => table),
    )
    const { tables } = await findInstallation(client)
    for (const moved of movedTables) {
      const packed = manifest.tables.find(({ table }) => table === moved.table)
      const here = tables.find(({ schema, table }) => schema === 'public' && table === moved.table)!
      if (packed) await takeRows(client, moved, here, packed.columns)
    }
    await stream(from, manifest.proofs, await takeLog(client, manifest))
    await noteAct(client, clock(), 'organization-imported', {
      package: manifest.id,
      bin: manifest.organization.bin,
      from: manifest.from,
      manifest: sha256,
    })
    await client.query('commit')
    return merged
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function stream(folder: string, packed: Packed, into: Writable): Promise<void> {
  const { content, done } = unpack(folder, packed)
  await pipeline(content, into).catch(async (error: unknown) => {
    await done
    throw error
  })
  await done
}
