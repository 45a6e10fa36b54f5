/** What the reply of a mail server means for an e-mail. */

export type DeliveryFailure = {
  /** The SMTP reply code: 450, 550 …; null: no reply. */
  code: number | null
  /** The command that was replied to: MAIL FROM, RCPT TO, DATA … */
  command: string
  /** The end of the message was sent: from then on the server may have accepted it. */
  isHandedOver: boolean
  /** The address is malformed: no server was contacted. */
  isAddressWrong: boolean
}

/** again: certainly not delivered, retry. refused: rejected for good. uncertain: it may have been delivered. */
export type DeliveryResult = 'again' | 'refused' | 'uncertain'

export function deliveryResultOf({
  code,
  command,
  isHandedOver,
  isAddressWrong,
}: DeliveryFailure): DeliveryResult {
  if (isAddressWrong) return 'refused'
  if (code === null) return isHandedOver ? 'uncertain' : 'again'
  // A rejection for other reasons (sign-in, sender, server shutdown) does not concern the recipient and may be fixed.
  const isAboutMessage = command === 'RCPT TO' || command === 'DATA'
  return code >= 500 && isAboutMessage ? 'refused' : 'again'
}

/** The server's reply for logs and operators, without e-mail addresses, which mail servers often repeat. */
export function withoutAddresses(answer: string): string {
  return answer.replaceAll(/[^\s<>"'(),:;@]+@[^\s<>"'(),:;@]+/g, '…')
}

export const deliveryReasons = [
  'no-such-address',
  'mailbox-full',
  'not-accepted',
  'not-now',
  'unreachable',
  'no-answer',
] as const
export type DeliveryReason = (typeof deliveryReasons)[number]

/**
 * The reason in our own categories; the server's text is shown beside it. Enhanced status codes (RFC 3463) come
 * first, because they are the most precise.
 */
export function reasonOf(code: number | null, answer: string): DeliveryReason {
  if (code === null) return 'unreachable'
  const enhanced = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(answer)?.[1] ?? ''
  if (enhanced.slice(1) === '.2.2' || code === 552 || code === 452) return 'mailbox-full'
  if (code < 500) return 'not-now'
  if (/^5\.1\.|^5\.2\.1$/.test(enhanced)) return 'no-such-address'
  if (enhanced !== '') return 'not-accepted'
  return code === 550 || code === 551 || code === 553 ? 'no-such-address' : 'not-accepted'
}
