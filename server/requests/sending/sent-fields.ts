/** What the calls of sending have in common: who sends, and what was typed. */
import { hash } from 'node:crypto'
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { isPast } from '@kelisim/domain/requests/access-code.ts'
import { accessCodes } from '@kelisim/domain/requests/contract.ts'
import { holdDocument } from '../../documents/queries.ts'
import type { Caller } from '../../http/serve.ts'
import type { SendingOrganization } from '../core/queries/people.ts'
import type { Sender, SenderFacts } from './sender.ts'

export function senderFacts({ bin, shortName, confirmedAt }: SendingOrganization): SenderFacts {
  return { name: shortName, bin, confirmedAt }
}

export function senderOf(who: Caller<'member'>): Sender {
  return { organizationId: who.member.organizationId, userId: who.userId, member: who.member }
}

export type SentCall = {
  input: {
    signingRequestId?: string | undefined
    followsId?: string | undefined
    name: string
    description: string
    signingDate?: string | undefined
    expiresOn?: string | undefined
    isTimestampRequired: boolean
    generationSetting: { additionalComponents: number; accessCodeExpirationDate: string | null }
    classificatorsV2: readonly string[]
    kindId?: string | undefined
  }
  language: 'ru' | 'kk' | 'en'
  address: string
  now: Date
}

export function requestFields({ input, language, address, now }: SentCall) {
  const { name, description, signingDate, expiresOn, isTimestampRequired, generationSetting } = input
  if (expiresOn !== undefined && expiresOn < dateInAlmaty(now)) refuse('expiry-date-past')
  return {
    id: input.signingRequestId ?? newId(now.getTime()),
    followsId: input.followsId,
    language,
    address,
    name,
    description,
    signingDate,
    expiresOn,
    isTimestampRequired,
    ...codeSettings(generationSetting, now),
    classifierIds: input.classificatorsV2,
    kindId: input.kindId,
  }
}

/** Tells a repeated call from a call with other input under the same id. */
export function digestOfSending(input: object): Buffer {
  return hash('sha256', JSON.stringify(input), 'buffer')
}

/**
 * A client may repeat a call that got no response. If it has changed the input since, it is refused, because the
 * change was not sent.
 */
export function refuseOtherSending({ name, sentDigest }: SentBefore, input: object): void {
  if (sentDigest !== null && !sentDigest.equals(digestOfSending(input))) refuse('sent-before', { name })
}

type SentBefore = { name: string; sentDigest: Buffer | null }

/** A last day can be set only together with a code of letters and digits; it then applies to QR codes too. */
export function codeSettings(
  { additionalComponents, accessCodeExpirationDate }: SentCall['input']['generationSetting'],
  now: Date,
) {
  const hasCode = accessCodes.has(additionalComponents, 'AlphaNumericAccessCode')
  if (hasCode && isPast(accessCodeExpirationDate, dateInAlmaty(now))) refuse('access-code-date-past')
  return { additionalComponents, accessCodeExpiresOn: hasCode ? accessCodeExpirationDate : null }
}

/** The document may have been deleted since its bytes were checked. */
export async function holdExistingDocument(
  tx: Tx,
  { organizationId }: Sender,
  documentId: string,
): Promise<void> {
  if (!(await holdDocument(tx, organizationId, documentId))) refuse('document-not-found')
}
