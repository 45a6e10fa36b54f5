import { join } from 'node:path'
import type { Logger } from 'pino'
import { openDatabase, type Connection, type Database } from '@kelisim/db/db.ts'
import { startEmbedded, type EmbeddedServer } from '@kelisim/db/embedded.ts'
import { migrate } from '@kelisim/db/migrate.ts'
import type { Config } from '@kelisim/server/config.ts'
import { onceReachable } from '@kelisim/server/http/waiting-room.ts'
import { claimInstallation } from '@kelisim/server/installation-queries.ts'

export type ProductDatabase = {
  connection: Connection
  database: Database
  /** Undefined: the database is an external server. */
  embedded: EmbeddedServer | undefined
}

/** The database of the configuration, or an embedded one; migrated, and claimed for demo or production. */
export async function openProductDatabase(config: Config, log: Logger): Promise<ProductDatabase> {
  const embedded = config.databaseUrl ? undefined : await startEmbedded(join(config.dataDir, 'postgres'))
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl! }
  await onceReachable(() => migrate(connection), {
    port: config.port,
    host: config.host,
    onWait: (reason) => log.warn({ reason }, 'waiting for the database'),
  })
  const database = openDatabase(connection, (error) =>
    log.warn({ reason: error.message }, 'a database connection broke'),
  )
  await claimInstallation(database, config.isDemo ? 'demo' : 'production')
  return { connection, database, embedded }
}
