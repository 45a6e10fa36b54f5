/**
 * Sends a completed document to somebody else: an e-mail with a link that shows it, its signatures and the findings
 * of their check.
 */
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { harmless, type Email } from '@kelisim/domain/mail/email.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { isPast } from '@kelisim/domain/requests/access-code.ts'
import { accessCodes } from '@kelisim/domain/requests/contract.ts'
import { sendCopies } from '@kelisim/domain/requests/holder-contract.ts'
import { mayEditRequest } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Serve } from '../../http/serve.ts'
import type { QueueMail } from '../../mail/outbox.ts'
import type { SignedLinks } from '../../mail/signed-links.ts'
import { refuseStopped, stopAddress } from '../../mail/stopped-emails.ts'
import { countOrRefuse } from '../../mail/stranger-limits.ts'
import { keepCodes, newCodes, printedCodes } from '../core/access-codes.ts'
import { lockVisibleRequest, partyOf } from '../core/party.ts'
import { announce } from '../core/queries/changes.ts'
import { updateRequestRow } from '../core/queries/requests.ts'
import type { RequestRow } from '../core/queries/rows.ts'

type CopyDependencies = {
  queueMail: QueueMail
  signedLinks: () => Promise<SignedLinks>
  publicUrl: URL
}

export function copyHandlers(serve: Serve, { queueMail, signedLinks, publicUrl }: CopyDependencies): void {
  serve(sendCopies, async ({ input, who, db, write, now, language }) => {
    const party = await partyOf(db, who, now)
    const links = { publicUrl, signedLinks: await signedLinks() }
    const codes = await newCodes({ additionalComponents: accessCodes.of('QrAccessCode') })
    await write(async (tx) => {
      const { row } = await lockVisibleRequest(tx, input.signingRequestId, party)
      if (!mayEditRequest(row, party.viewer)) refuse('improper-role')
      if (!requestStatuses.has(row.status, 'Completed')) refuse('request-not-completed')
      const { organizationId, senderBin, senderConfirmedAt } = row
      if (senderConfirmedAt === null) refuse('organization-not-confirmed', { bin: senderBin })
      // The codes have expired, so the link would open nothing.
      if (isPast(row.accessCodeExpiresOn, dateInAlmaty(now))) refuse('access-code-date-past')
      await keepCodes(tx, row.id, codes, now)
      const additionalComponents = row.additionalComponents | accessCodes.of('QrAccessCode')
      if (additionalComponents !== row.additionalComponents) {
        await updateRequestRow(tx, row.id, { additionalComponents, version: row.version + 1, changedAt: now })
        await announce(tx, row.id, row.version + 1)
      }
      const link = printedCodes(row, codes, publicUrl).link!
      for (const to of new Set(input.emails)) {
        await refuseStopped(tx, to, organizationId)
        await countOrRefuse(tx, { to, userId: who.userId, organizationId, isConfirmed: true }, now)
        await queueMail(tx, {
          ...copyEmail(row, { to, language, link }),
          choice: { unsubscribeUrl: stopAddress(to, organizationId, links) },
        })
      }
    })
    return {}
  })
}

function copyEmail(
  { name, senderName, senderBin }: RequestRow,
  { to, language, link }: { to: string; language: Email['language']; link: string },
): Email {
  const texts = textsOf(language, 'mail')
  const organization = harmless(senderName, 100)
  return {
    to,
    language,
    subject: texts('copy.subject', { organization }),
    status: { tone: 'done', text: texts('copy.status') },
    paragraphs: [texts('copy.text'), texts('copy.whoever')],
    facts: [
      {
        label: texts('copy.sender'),
        text: organization,
        note: texts('copy.proof', { number: inGroups(senderBin) }),
      },
    ],
    quotes: [{ label: texts('copy.document'), text: name }],
    button: { label: texts('copy.button'), url: link },
  }
}
