/** The sheet of acquaintance: everybody who was asked, when they confirmed, and who left before. */
import type { Db } from '@kelisim/db/db.ts'
import { mostPeople } from '@kelisim/domain/campaigns/audience.ts'
import { downloadSheet } from '@kelisim/domain/campaigns/contract.ts'
import { shownMoment } from '@kelisim/domain/calendar.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Files } from '../http/files.ts'
import { findCard } from '../identity/core/card-queries.ts'
import { oneAtATime } from '../requests/reading/archive.ts'
import { safeName } from '../requests/reading/archive-names.ts'
import { serveBytes } from '../requests/reading/served-bytes.ts'
import { printable } from '../rich-text/printable.ts'
import type { RichText } from '../rich-text/rich-text.ts'
import { giveXlsx } from '../tables/write-xlsx.ts'
import { findPeople, type CampaignDetails, type PersonRow } from './queries.ts'

type SheetParts = {
  richText: RichText
  find: (db: Db, organizationId: string, requestId: string) => Promise<CampaignDetails>
}

const columns = ['number', 'name', 'groups', 'at', 'how'] as const
const widths = { number: 6, name: 36, groups: 36, at: 20, how: 60 } as const

export function sheetHandlers(files: Files, { richText, find }: SheetParts): void {
  const limited = oneAtATime()

  files.give(downloadSheet, async ({ input, who, db, now, language }) => {
    const { organizationId } = who.member
    const campaign = await find(db, organizationId, input.signingRequestId)
    const t = textsOf(language, 'campaigns')
    const { items } = await findPeople(db, campaign.requestId, { skip: 0, take: mostPeople })
    const rows = items.map((person, i) => cellsOf(person, i + 1, language))
    const name = safeName(`${t('sheet.title')} ${campaign.name}.${input.format}`, `sheet.${input.format}`)
    return limited(who.userId, async () => {
      if (input.format === 'xlsx') {
        const titles = columns.map((column) => ({ title: t(`sheet.${column}`), width: widths[column] }))
        return giveXlsx({ sheet: t('sheet.title'), columns: titles, rows }, name)
      }
      const card = await findCard(db, organizationId)
      const organization = { name: card.shortName, bin: inGroups(card.bin) }
      const html = sheetHtml(language, { campaign, organization, rows, now })
      const claimant = { organization: organizationId, person: who.userId }
      const { pdf } = await richText.print(html, t('sheet.title'), { mustBeFilled: false, claimant })
      return serveBytes(pdf, { name, mediaType: mediaTypes.pdf })
    })
  })
}

function cellsOf({ fullName, groups, state, at, comment }: PersonRow, number: number, language: Language) {
  const t = textsOf(language, 'campaigns')
  const how = [t(`states.${state}`), ...(comment === '' ? [] : [t('sheet.comment', { comment })])]
  return [String(number), fullName, groups.join(', '), at === null ? '' : shownMoment(at), how.join('. ')]
}

function sheetHtml(
  language: Language,
  {
    campaign,
    organization,
    rows,
    now,
  }: {
    campaign: CampaignDetails
    organization: { name: string; bin: string }
    rows: readonly (readonly string[])[]
    now: Date
  },
): string {
  const t = textsOf(language, 'campaigns')
  const row = (cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  const head = row(columns.map((column) => `<b>${printable(t(`sheet.${column}`))}</b>`))
  const lines = [
    t('sheet.organization', organization),
    t('sheet.document', { name: campaign.name, file: campaign.fileName }),
    t('sheet.progress', campaign.counts),
    t('sheet.asOf', { time: shownMoment(now) }),
  ]
  return [
    `<h1>${printable(t('sheet.title'))}</h1>`,
    ...lines.map((line) => `<p>${printable(line)}</p>`),
    `<table>${head}${rows.map((cells) => row(cells.map(printable))).join('')}</table>`,
  ].join('')
}
