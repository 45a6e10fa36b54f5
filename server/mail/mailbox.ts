/**
 * The mailbox page of the demo. An e-mail is shown in a frame whose Content-Security-Policy allows no scripts and no
 * fetches, only following a link that the reader clicks.
 */
import { refuse } from '@kelisim/domain/errors.ts'
import { getMail, getMails, mailPage } from '@kelisim/domain/mail/contract.ts'
import type { Http } from '../http/open.ts'
import { findMail, findMails } from './queries.ts'

export function openMailbox({ app, serve, database }: Http): void {
  serve(getMails, async ({ input, db }) => {
    const { items, totalCount } = await findMails(db, input)
    return { items: items.map(mailView), totalCount }
  })

  serve(getMail, async ({ input, db }) =>
    mailView((await findMail(db, input.id)) ?? refuse('page-not-found')),
  )

  const ownPage = { config: { access: 'anyone', hasOwnPolicy: true } } as const
  app.get<{ Params: { id: string } }>(mailPage(':id'), ownPage, async (request, reply) => {
    const { id } = getMail.input.safeParse(request.params).data ?? refuse('page-not-found')
    const mail = (await findMail(database.db, id)) ?? refuse('page-not-found')
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

function mailView<M extends { createdAt: Date; sentAt: Date | null }>(mail: M) {
  return { ...mail, createdAt: mail.createdAt.toISOString(), sentAt: mail.sentAt?.toISOString() ?? null }
}
