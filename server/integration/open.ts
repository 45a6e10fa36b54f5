/** Programs that act for an organisation: their tokens, and the calls under /api/v1 (docs/product/integration.md). */
import { getConnection } from '@kelisim/domain/integration/calls/connection-contract.ts'
import { examples } from '@kelisim/domain/integration/calls/examples.ts'
import type { Archive } from '../documents/upload.ts'
import type { Http } from '../http/open.ts'
import { openApi } from '../http/openapi.ts'
import { sameHandlers } from '../http/same-handlers.ts'
import { documentCalls } from './document-handlers.ts'
import { readingCalls } from './reading-handlers.ts'
import { sendingCalls } from './sending-handlers.ts'
import { findConnection } from './token-queries.ts'
import { tokenHandlers } from './token-handlers.ts'

export function openIntegration(http: Http, archive: Archive): void {
  const { serve, files, release } = http
  const same = sameHandlers(http.handlers)
  tokenHandlers(serve)
  // Made once: it does not change while the server runs.
  let document: object | undefined
  http.app.get('/api/v1/openapi.json', { config: { access: 'anyone' } }, () => {
    const ofPrograms = http.served.filter(({ access }) => access === 'program')
    return (document ??= openApi(ofPrograms, release.version, http.publicUrl, examples))
  })
  documentCalls(serve, files, same, archive)
  sendingCalls(serve, same)
  readingCalls(serve, files, same)

  serve(getConnection, async ({ who, db, now }) => {
    const { organizationId: id } = who.member
    const { shortName, bin, confirmedAt, fullName } = await findConnection(db, id, who.userId)
    const { name, scopes, expiresAt } = who.program
    return {
      organization: { id, name: shortName, bin, isConfirmed: confirmedAt !== null },
      actsAs: { id: who.userId, fullName },
      token: { name, scopes: [...scopes], expiresAt: expiresAt.toISOString() },
      now: now.toISOString(),
      version: release.version,
    }
  })
}
