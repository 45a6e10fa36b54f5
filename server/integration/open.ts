/** Programs that act for an organisation: their tokens, and the calls under /api/v1 (docs/product/integration.md). */
import { getConnection } from '@kelisim/domain/integration/calls/connection-contract.ts'
import { examples } from '@kelisim/domain/integration/calls/examples.ts'
import type { Archive } from '../documents/upload.ts'
import type { Http } from '../http/open.ts'
import type { QueueMail } from '../mail/outbox.ts'
import { openApi } from '../http/openapi.ts'
import { sameHandlers } from '../http/same-handlers.ts'
import { documentCalls } from './document-handlers.ts'
import { readingCalls } from './reading-handlers.ts'
import { registerCalls } from './register-handlers.ts'
import { sendingCalls } from './sending-handlers.ts'
import { tokenHandlers } from './token-handlers.ts'

export function openIntegration(http: Http, archive: Archive, queueMail: QueueMail): void {
  const { serve, files, release } = http
  const same = sameHandlers(http.handlers)
  tokenHandlers(serve, queueMail)
  // Made once, because it does not change while the server runs.
  let document: object | undefined
  http.app.get('/api/v1/openapi.json', { config: { access: 'anyone' } }, () => {
    const ofPrograms = http.served.filter(({ access, protocol }) => access === 'program' && !protocol)
    return (document ??= openApi(ofPrograms, release.version, http.publicUrl, examples))
  })
  documentCalls(serve, files, same, archive)
  sendingCalls(serve, same)
  readingCalls(http, same)
  registerCalls(serve, same)

  serve(getConnection, async ({ who, now }) => {
    const { organizationId: id } = who.member
    const { name, scopes, expiresAt, organization, memberName } = who.program
    return {
      organization: { id, ...organization },
      actsAs: { id: who.userId, fullName: memberName },
      token: { name, scopes: [...scopes], expiresAt: expiresAt.toISOString() },
      now: now.toISOString(),
      version: release.version,
    }
  })
}
