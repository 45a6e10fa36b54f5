import { join } from 'node:path'
import type { Logger } from 'pino'
import { openDatabase, type Connection, type Database } from '@kelisim/db/db.ts'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import { migrate } from '@kelisim/db/migrate.ts'
import { watchEmbedded, type EmbeddedWatch } from '@kelisim/db/watch-embedded.ts'
import { checkPooling } from '@kelisim/db/pooler.ts'
import { sortsAsKazakh } from '@kelisim/db/sorting.ts'
import { connectionOf, type Config } from '@kelisim/server/config.ts'
import { onceReachable } from '@kelisim/server/http/waiting-room.ts'
import { noteStatement } from '@kelisim/server/tracing/tracing.ts'
import { claimInstallation } from '@kelisim/server/installation-queries.ts'

export type ProductServer = {
  connection: Connection
  /** Null: the server runs, or it is not the embedded one. */
  recovery: EmbeddedWatch['recovery']
  /** Stops the embedded server, unless another process of ours works on it. */
  stop: () => Promise<void>
}

/** The database server of the configuration, or an embedded one, which is brought back when it dies. */
export async function openDatabaseServer(config: Config, log: Logger): Promise<ProductServer> {
  const connection = connectionOf(config)
  if (connection) return { connection, recovery: () => null, stop: async () => {} }
  const folder = join(config.dataDir, 'postgres')
  const server = await startEmbedded(folder)
  const watch = watchEmbedded(folder, server, {
    onDeath: () => log.error('the embedded database has ended; it is being started again'),
    onFailure: (error, attempts) =>
      log.error({ err: error, attempts }, 'the embedded database could not be started again'),
    onReturn: () => log.warn('the embedded database runs again'),
  })
  return {
    connection: server.connection,
    recovery: watch.recovery,
    async stop() {
      await watch.stop()
      await server.stopIfUnused()
    },
  }
}

/**
 * Does a step of the start that may be repeated. While the database is unavailable, the port responds that the service
 * is starting.
 */
export function onceAvailable<T>(
  work: () => Promise<T>,
  { port, host }: Pick<Config, 'port' | 'host'>,
  log: Logger,
): Promise<T> {
  return onceReachable(work, {
    port,
    host,
    onWait: (reason) => log.warn({ reason }, 'waiting for the database'),
  })
}

/** Opens the database, migrated and claimed for demo or production. */
export async function openProductDatabase(
  connection: Connection,
  config: Config,
  log: Logger,
): Promise<Database> {
  const prepare = async () => {
    await checkPooling(connection)
    await migrate(connection)
  }
  await onceAvailable(prepare, config, log)
  if (!(await sortsAsKazakh(connection)))
    log.warn('the database does not sort names as Kazakh does; see "Database" in docs/operations.md')
  const database = openDatabase(
    connection,
    (error) => log.warn({ reason: error.message }, 'a database connection broke'),
    config.databasePools,
    config.tracing && noteStatement,
  )
  try {
    const mode = config.isDemo ? 'demo' : 'production'
    await onceAvailable(() => claimInstallation(database, mode), config, log)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
