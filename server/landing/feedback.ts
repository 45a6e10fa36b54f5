/** Messages from the landing: kept for ever, and mailed to whoever supports people. */
import type { Db } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { sendFeedback } from '@kelisim/domain/landing/feedback-contract.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Serve } from '../http/serve.ts'
import type { QueueMail } from '../mail/outbox.ts'
import type { Captcha } from './captcha.ts'

type Outside = { captcha: Captcha; queueMail: QueueMail; supportEmail: string }

export function feedbackHandlers(serve: Serve, { captcha, queueMail, supportEmail }: Outside): void {
  serve(sendFeedback, async ({ input, language, now, write }) => {
    const { name, email, phone, message } = input
    const t = textsOf(language, 'landing')
    const demandProof = await captcha.look(input.captcha)
    await write(async (tx) => {
      await demandProof(tx)
      await tx
        .insertInto('feedback')
        .values({ id: newId(now.getTime()), at: now, language, name, email, phone, message })
        .execute()
      await queueMail(tx, {
        to: supportEmail,
        replyTo: email,
        language,
        subject: t('letter.subject', { name }),
        paragraphs: [t('letter.from', { name, email, phone }), ...message.split(/\n+/)],
      })
    })
    return {}
  })
}

export async function findFeedback(db: Db, take: number) {
  return await db
    .selectFrom('feedback')
    .select(['at', 'language', 'name', 'email', 'phone', 'message'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(take)
    .execute()
}
