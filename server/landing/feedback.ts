/** Messages from the landing: stored, and sent to the support address. */
import { newId } from '@kelisim/db/id.ts'
import { sendFeedback } from '@kelisim/domain/landing/feedback-contract.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Serve } from '../http/serve.ts'
import type { QueueMail } from '../mail/outbox.ts'
import type { Captcha } from './captcha.ts'
import { addFeedback } from './queries.ts'

type FeedbackDependencies = { captcha: Captcha; queueMail: QueueMail; supportEmail: string }

export function feedbackHandlers(
  serve: Serve,
  { captcha, queueMail, supportEmail }: FeedbackDependencies,
): void {
  serve(sendFeedback, async ({ input, language, now, write }) => {
    const { name, email, phone, message } = input
    const t = textsOf(language, 'landing')
    const checkProof = await captcha.check(input.captcha)
    await write(async (tx) => {
      await checkProof(tx)
      const id = newId(now.getTime())
      await addFeedback(tx, { id, at: now, language, name, email, phone, message })
      await queueMail(tx, {
        to: supportEmail,
        replyTo: email,
        language,
        // As in every e-mail, the subject has nothing that somebody typed; the number distinguishes messages.
        subject: t('email.subject', { number: id.slice(-8) }),
        paragraphs: [t('email.from', { name, email, phone }), ...message.split(/\n+/)],
      })
    })
    return {}
  })
}
