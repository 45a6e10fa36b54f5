/** The initial data of the demo: people, documents and requests in every status. */
import { join } from 'node:path'
import { seedDocuments } from '@kelisim/demo/documents.ts'
import { seedDeadLetters } from '@kelisim/demo/operator.ts'
import { createApp } from '@kelisim/server/app.ts'
import type { AppParts } from '@kelisim/server/app-parts.ts'
import type { Config } from '@kelisim/server/config.ts'

/** `notify`: sends every notification that is due at the demo's moment. */
export async function seedNewDemo(
  parts: AppParts,
  { dataDir, publicUrl }: Config,
  notify: (clock: () => Date) => Promise<void>,
): Promise<void> {
  const { database, archive, clock } = parts
  await seedDocuments(database, archive, clock())
  await seedDeadLetters(database, clock())
  // Loaded only when needed, because it also loads the signer with the demo's keys.
  const { seedRequests } = await import('@kelisim/demo/requests.ts')
  await seedRequests({
    database,
    openApp: (ofDemo) => createApp({ ...parts, clock: ofDemo }),
    notify,
    publicUrl,
    keysFolder: join(dataDir, 'keys'),
  })
}
