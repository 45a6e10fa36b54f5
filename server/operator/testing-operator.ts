/** For tests: the dependencies of the operator's page, with a queue that runs no jobs. */
import { afterAll } from 'vitest'
import type { Connection } from '@kelisim/db/db.ts'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { openQueue } from '../jobs/queue.ts'
import type { OperatorParts } from './handlers.ts'

export async function operatorFor(
  connection: Connection,
  operators: readonly string[],
): Promise<OperatorParts> {
  const queue = await openQueue(connection)
  afterAll(() => queue.stop())
  return {
    operators,
    queue,
    smtpUrl: undefined,
    mustEncrypt: true,
    trustRootsDir: undefined,
    dataDir: temporaryFolder(),
    pki: { ocspUrl: undefined, tspUrl: undefined, crlUrls: [], privateHosts: [] },
  }
}
