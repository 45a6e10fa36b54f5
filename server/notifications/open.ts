import type { Http } from '../http/open.ts'
import type { QueueMail } from '../mail/outbox.ts'
import type { Changes } from '../requests/core/changes.ts'
import { emailHandlers } from './email-handlers.ts'
import { liveStreams, noticeHandlers, subscriptionLinkHandlers } from './handlers.ts'
import type { SignedLinks } from '../mail/signed-links.ts'

type NotificationsParts = {
  changes: Changes
  queueMail: QueueMail
  signedLinks: () => Promise<SignedLinks>
}

/** The bell, live updates of open pages, e-mails about a request, and links that unsubscribe. */
export function openNotifications(http: Http, { changes, queueMail, signedLinks }: NotificationsParts): void {
  const { app, serve, streams, database, clock, publicUrl } = http
  noticeHandlers(serve)
  liveStreams(streams, changes, database)
  subscriptionLinkHandlers(app, serve, { database, signedLinks })
  emailHandlers(serve, { database, queueMail, publicUrl, signedLinks, clock })
}
