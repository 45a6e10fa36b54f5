/**
 * The mailbox page of the demo. An e-mail is shown in a frame whose Content-Security-Policy allows no scripts and no
 * fetches, only following a link that the reader clicks.
 */
import type { Database, Db } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { getMail, getMails, mailPage } from '@kelisim/domain/mail/contract.ts'
import type { Http } from '../http/open.ts'

export function openMailbox({ app, serve, database }: Http): void {
  serve(getMails, async ({ input, db }) => {
    const { recipient } = input
    const mails = db
      .selectFrom('mails')
      .$if(recipient !== undefined, (query) => query.where('recipient', '=', recipient!))
    const items = await mails
      .selectAll()
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .offset(input.skip)
      .limit(input.take)
      .execute()
    const { count } = await mails
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return { items: items.map(mailView), totalCount: count }
  })

  serve(getMail, async ({ input, db }) => mailView(await findMail(db, input.id)))

  const ownPage = { config: { access: 'anyone', hasOwnPolicy: true } } as const
  app.get<{ Params: { id: string } }>(mailPage(':id'), ownPage, async (request, reply) => {
    const { id } = getMail.input.safeParse(request.params).data ?? refuse('page-not-found')
    const mail = await findMail(database.db, id)
    return reply
      .removeHeader('x-frame-options')
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(mail.html.replace('<head>', '<head>\n<base target="_top">'))
  })
}

const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation',
  "frame-ancestors 'self'",
].join('; ')

async function findMail(db: Db, id: string) {
  const found = await db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
  return found ?? refuse('page-not-found')
}

function mailView<M extends { createdAt: Date; sentAt: Date | null }>(mail: M) {
  return { ...mail, createdAt: mail.createdAt.toISOString(), sentAt: mail.sentAt?.toISOString() ?? null }
}
