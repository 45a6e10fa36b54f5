/**
 * Opens the installation for commands of the operator, found by the same environment as the product's, beside a
 * running server or without one. Errors are explained in one sentence; nothing is created.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '@kelisim/db/db.ts'
import { hasDatabase } from '@kelisim/db/embedded-place.ts'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import { ConfigError, connectionOf, readConfig, type Config } from '@kelisim/server/config.ts'
import { folderStorage } from '@kelisim/server/documents/storage/folder.ts'
import { s3Storage } from '@kelisim/server/documents/storage/s3.ts'
import type { Storage } from '@kelisim/server/documents/storage/storage.ts'

export type Installation = {
  config: Config
  connection: Connection
  storage: Storage
  close: () => Promise<void>
}

/** The command was used wrongly. */
export class UsageError extends Error {}

export async function openPlace({ mayBeNew = false } = {}): Promise<Installation> {
  const config = withCentreOfDemo(readConfig(process.env))
  const { connection, close } = await findDatabase(config, mayBeNew)
  const files = join(config.dataDir, 'files')
  const storage = config.s3 ? await s3Storage(config.s3, join(files, 'incoming')) : await folderStorage(files)
  return { config, connection, storage, close }
}

/** Adds where the certification centre of a demo is, because the demo tells this only to its server. */
function withCentreOfDemo(config: Config): Config {
  const centre = join(config.dataDir, 'certification-centre')
  const isMeant = config.isDemo && config.trustRootsDir === undefined && existsSync(centre)
  return isMeant ? { ...config, trustRootsDir: centre } : config
}

async function findDatabase(
  config: Config,
  mayBeNew: boolean,
): Promise<{ connection: Connection; close: () => Promise<void> }> {
  const found = connectionOf(config)
  // A command works alone and needs no pooler, and some of its statements do not work through one.
  if (found)
    return {
      connection: found.pooler ? { connectionString: config.databaseDirectUrl! } : found,
      close: async () => {},
    }
  const { dataDir } = config
  const folder = join(dataDir, 'postgres')
  if (!mayBeNew && !hasDatabase(folder)) {
    throw new UsageError(
      `There is no database in ${dataDir}; set DATA_DIR or DATABASE_URL as the server has it`,
    )
  }
  const { connection, stopIfUnused } = await startEmbedded(folder)
  return { connection, close: stopIfUnused }
}

/** 0 done · 1 failed · 2 wrong usage · 78 wrong environment. */
export async function runCommand(work: () => Promise<number>): Promise<never> {
  let code = 1
  try {
    code = await work()
  } catch (error) {
    if (error instanceof ConfigError) code = 78
    else if (error instanceof UsageError || isBadOption(error)) code = 2
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  }
  process.exit(code)
}

/** The error of `parseArgs` for an unknown option. */
function isBadOption(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
