/** Acknowledgement campaigns: requests that ask each of the chosen people to confirm or sign (decisions 079, 095). */
import { newId } from '@kelisim/db/id.ts'
import type { Db } from '@kelisim/db/db.ts'
import { chosenPeople, mostPeople } from '@kelisim/domain/campaigns/audience.ts'
import {
  addCampaign,
  getCampaign,
  getCampaignPeople,
  getCampaigns,
} from '@kelisim/domain/campaigns/contract.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { keyRuleOf } from '@kelisim/domain/points/key-holder.ts'
import { holdDocument } from '../documents/queries.ts'
import type { Http } from '../http/open.ts'
import { partyOf } from '../requests/core/party.ts'
import { getOrganization } from '../requests/core/queries/people.ts'
import { sendableDocument, type SendingDependencies } from '../requests/sending/sendable.ts'
import { addRequest } from '../requests/sending/sending.ts'
import type { SentPoint } from '../requests/sending/sent-points.ts'
import type { RichText } from '../rich-text/rich-text.ts'
import {
  addAudienceGroup,
  addCampaignRows,
  findCampaign,
  findCampaigns,
  findPeople,
  lockAudience,
  type CampaignDetails,
  type CampaignRow,
} from './queries.ts'
import { sheetHandlers } from './sheet.ts'

type CampaignParts = SendingDependencies & { richText: RichText }

export function openCampaigns({ serve, files }: Http, { richText, ...sending }: CampaignParts): void {
  sheetHandlers(files, { richText, find: mustFind })

  serve(addCampaign, async ({ input, who, db, write, now, address, language }) => {
    const { organizationId } = who.member
    const sender = { organizationId, userId: who.userId, member: who.member }
    const party = await partyOf(db, who, now)
    const document = await sendableDocument(db, sending, sender, input.documentId, 'cms')
    const id = newId(now.getTime())
    await write(async (tx) => {
      if (!(await holdDocument(tx, organizationId, document.id))) refuse('document-not-found')
      const people = chosenPeople(input, await lockAudience(tx, organizationId))
      if (people.length === 0) refuse('campaign-without-people')
      if (people.length > mostPeople) refuse('campaign-too-large', { most: mostPeople })
      const groupId = newId(now.getTime())
      const { name, termDays, signedWith } = input
      const group = { id: groupId, organizationId, name, createdAt: now }
      await addAudienceGroup(
        tx,
        group,
        people.map(({ userId }) => userId),
      )
      const { shortName, bin, confirmedAt } = await getOrganization(tx, organizationId)
      const asked = { organizationId, groupId, name, bin, organizationName: shortName, termDays }
      const point = askingAll(asked, signedWith)
      await addRequest(
        tx,
        sender,
        party,
        {
          id,
          sender: { name: shortName, bin, confirmedAt },
          document,
          route: { id: null, name: '' },
          points: [point],
          isQuick: false,
          name,
          description: input.description,
          signingDate: undefined,
          isTimestampRequired: false,
          language,
          additionalComponents: 0,
          accessCodeExpiresOn: null,
          classifierIds: [],
          address,
        },
        now,
      )
      await addCampaignRows(tx, { requestId: id, organizationId, createdAt: now }, people)
    })
    return { signingRequestId: id }
  })

  serve(getCampaigns, async ({ input, who, db }) => {
    const { items, totalCount } = await findCampaigns(db, who.member.organizationId, input)
    return { totalCount, items: items.map(lineView) }
  })

  serve(getCampaign, async ({ input, who, db }) => {
    const found = await mustFind(db, who.member.organizationId, input.signingRequestId)
    const { author, fileName, dueOn, signedWith, groups } = found
    return { ...lineView(found), author, fileName, dueOn, signedWith, groups }
  })

  serve(getCampaignPeople, async ({ input, who, db }) => {
    await mustFind(db, who.member.organizationId, input.signingRequestId)
    const { items, totalCount } = await findPeople(db, input.signingRequestId, input)
    return {
      totalCount,
      items: items.map((person) => ({ ...person, at: person.at?.toISOString() ?? null })),
    }
  })
}

/**
 * The only point of a campaign: its type allows no rejection, so one person never ends the campaign for the others.
 */
function askingAll(
  about: Pick<SentPoint, 'name' | 'bin' | 'organizationName' | 'termDays'> & {
    organizationId: string
    groupId: string
  },
  signedWith: CampaignDetails['signedWith'],
): SentPoint {
  return {
    ...about,
    pointId: newId(),
    order: 1,
    type: 'InternalInformationConfirm',
    emails: [],
    responsible: [],
    condition: 'all',
    quorum: null,
    isEdsRequired: signedWith !== null,
    signatureForm: 'cms',
    ...keyRuleOf('InternalInformationConfirm', about.bin),
    ...(signedWith && { keyHolder: signedWith }),
  }
}

async function mustFind(db: Db, organizationId: string, requestId: string): Promise<CampaignDetails> {
  return (await findCampaign(db, organizationId, requestId)) ?? refuse('campaign-not-found')
}

function lineView({ requestId, name, status, createdAt, counts }: CampaignRow) {
  return { signingRequestId: requestId, name, status, createdAt: createdAt.toISOString(), counts }
}
