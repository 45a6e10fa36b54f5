import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '@kelisim/server/config.ts'
import { folderStorage } from '@kelisim/server/documents/storage/folder.ts'
import { s3Storage } from '@kelisim/server/documents/storage/s3.ts'
import type { Storage } from '@kelisim/server/documents/storage/storage.ts'

/** The storage of documents; each of its failures is logged with its cause. */
export function openStorage({ dataDir, s3 }: Config, log: Logger): Promise<Storage> {
  const files = join(dataDir, 'files')
  const onFailure = (error: Error) => log.error({ err: error }, 'the document storage failed')
  return s3 ? s3Storage(s3, join(files, 'incoming'), onFailure) : folderStorage(files, onFailure)
}
