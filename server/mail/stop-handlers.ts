/** Stopping e-mails to strangers by the link in one of them: by a person on a page, or by a mail program. */
import type { Db } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { getStopped, stopEmails, stopPath } from '@kelisim/domain/mail/stop-contract.ts'
import type { Http } from '../http/open.ts'
import { findProvedName, findStoppedRows, saveStopped } from './stranger-queries.ts'
import type { StopLink, SignedLinks } from './signed-links.ts'

export function openStopping(
  { app, serve, database, clock }: Http,
  { signedLinks }: { signedLinks: () => Promise<SignedLinks> },
): void {
  const read = async (token: string) => (await signedLinks()).readStop(token) ?? refuse('page-not-found')

  serve(getStopped, async ({ input, db }) => stoppedView(db, await read(input.token)))

  serve(stopEmails, async ({ input: { token, of, isOff }, write, now }) => {
    const link = await read(token)
    if (of === 'sender' && link.organizationId === null) refuse('page-not-found')
    return write(async (tx) => {
      await saveStopped(tx, of === 'all' ? { ...link, organizationId: null } : link, isOff, now)
      return stoppedView(tx, link)
    })
  })

  // Sent by mail programs without a session (RFC 8058): stops the sender of the e-mail. Opening the address only shows a page.
  void app.register(async (scope) => {
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 10_000 }, (_, body, done) => {
      done(null, body)
    })
    const oneClick = { config: { access: 'anyone' } } as const
    scope.post<{ Params: { token: string } }>(stopPath(':token'), oneClick, async (request, reply) => {
      const link = await read(request.params.token)
      await database.write((tx) => saveStopped(tx, link, true, clock()))
      return reply.type('text/plain; charset=utf-8').send('OK')
    })
  })
}

async function stoppedView(db: Db, { addressHash, organizationId }: StopLink) {
  const rows = await findStoppedRows(db, [addressHash], organizationId)
  return {
    sender:
      organizationId === null
        ? null
        : {
            name: await findProvedName(db, organizationId),
            isOff: rows.some((row) => row.organizationId === organizationId),
          },
    isAllOff: rows.some((row) => row.organizationId === null),
  }
}
