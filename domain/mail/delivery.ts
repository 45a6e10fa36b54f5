/** What the answer of a mail server means for a letter. */

export type DeliveryFailure = {
  /** Of SMTP: 450, 550 …; null: there was no answer. */
  code: number | null
  /** What was asked when it answered: MAIL FROM, RCPT TO, DATA … */
  command: string
  /** The letter was let go of: from then on the server may have it. */
  isHandedOver: boolean
  /** The address is none: no server was asked. */
  isAddressWrong: boolean
}

/** again: the server surely does not have it. refused: it never will. uncertain: nobody knows. */
export type DeliveryResult = 'again' | 'refused' | 'uncertain'

export function deliveryResultOf({
  code,
  command,
  isHandedOver,
  isAddressWrong,
}: DeliveryFailure): DeliveryResult {
  if (isAddressWrong) return 'refused'
  if (code === null) return isHandedOver ? 'uncertain' : 'again'
  // A refusal of ourselves (sign-in, sender, a server that is closing) is no fault of the recipient, and may be mended.
  const isAboutMessage = command === 'RCPT TO' || command === 'DATA'
  return code >= 500 && isAboutMessage ? 'refused' : 'again'
}

/** What a server said, for those whom it does not concern of whom: mail servers like to repeat the address. */
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

/** In words of ours; the server's own stand beside them. Enhanced codes (RFC 3463) say it best where there is one. */
export function reasonOf(code: number | null, answer: string): DeliveryReason {
  if (code === null) return 'unreachable'
  const enhanced = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(answer)?.[1] ?? ''
  if (enhanced.slice(1) === '.2.2' || code === 552 || code === 452) return 'mailbox-full'
  if (code < 500) return 'not-now'
  if (/^5\.1\.|^5\.2\.1$/.test(enhanced)) return 'no-such-address'
  if (enhanced !== '') return 'not-accepted'
  return code === 550 || code === 551 || code === 553 ? 'no-such-address' : 'not-accepted'
}
