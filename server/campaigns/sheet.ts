/** The acknowledgement sheet: everybody who was asked, when and with which certificate they answered, and who left before. */
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

type Column = 'number' | 'name' | 'groups' | 'at' | 'certificate' | 'serial' | 'how'

const confirmed: readonly Column[] = ['number', 'name', 'groups', 'at', 'how']
const signed: readonly Column[] = ['number', 'name', 'groups', 'at', 'certificate', 'serial', 'how']
/** The PDF omits the groups and has as many columns as without signatures, so that as many people fit on a page. */
const signedOnPaper: readonly Column[] = ['number', 'name', 'at', 'certificate', 'how']
const widths: Record<Column, number> = {
  number: 6,
  name: 36,
  groups: 36,
  at: 22,
  certificate: 36,
  serial: 44,
  how: 60,
}

function columnsOf({ signedWith }: CampaignDetails, format: 'pdf' | 'xlsx'): readonly Column[] {
  if (signedWith === null) return confirmed
  return format === 'pdf' ? signedOnPaper : signed
}

export function sheetHandlers(files: Files, { richText, find }: SheetParts): void {
  const limited = oneAtATime()

  files.give(downloadSheet, async ({ input, who, db, now, language }) => {
    const { organizationId } = who.member
    const campaign = await find(db, organizationId, input.signingRequestId)
    const t = textsOf(language, 'campaigns')
    const { items } = await findPeople(db, campaign.requestId, { skip: 0, take: mostPeople })
    const columns = columnsOf(campaign, input.format)
    const rows = items.map((person, i) => {
      const cells = cellsOf(person, { number: i + 1, language, isWhole: input.format === 'pdf' })
      return columns.map((column) => cells[column])
    })
    const name = safeName(`${t('sheet.title')} ${campaign.name}.${input.format}`, `sheet.${input.format}`)
    return limited(who.userId, async () => {
      if (input.format === 'xlsx') {
        const titles = columns.map((column) => ({ title: t(`sheet.${column}`), width: widths[column] }))
        return giveXlsx({ sheet: t('sheet.title'), columns: titles, rows }, name)
      }
      const card = await findCard(db, organizationId)
      const organization = { name: card.shortName, bin: inGroups(card.bin) }
      const html = sheetHtml(language, { campaign, organization, columns, rows, now })
      const claimant = { organization: organizationId, person: who.userId }
      const { pdf } = await richText.print(html, t('sheet.title'), { mustBeFilled: false, claimant })
      return serveBytes(pdf, { name, mediaType: mediaTypes.pdf })
    })
  })
}

function cellsOf(
  { fullName, groups, state, at, comment, certificate }: PersonRow,
  { number, language, isWhole }: { number: number; language: Language; isWhole: boolean },
): Record<Column, string> {
  const t = textsOf(language, 'campaigns')
  const mark = certificate ? t('states.signed') : t(`states.${state}`)
  const how = [mark, ...(comment === '' ? [] : [t('sheet.comment', { comment })])]
  return {
    number: String(number),
    name: fullName,
    groups: groups.join(', '),
    at: at === null ? '' : shownMoment(at),
    certificate: certificate ? (isWhole ? whole(certificate, language) : certificate.fullName) : '',
    serial: certificate?.serialNumber ?? '',
    how: how.join('. '),
  }
}

/** The name and the serial number for one cell, the number in groups between which a narrow column can break. */
function whole(
  { fullName, serialNumber }: NonNullable<PersonRow['certificate']>,
  language: Language,
): string {
  const grouped = serialNumber.replaceAll(/(.{10})(?=.)/g, '$1 ')
  return textsOf(language, 'campaigns')('sheet.certified', { fullName, serialNumber: grouped })
}

function sheetHtml(
  language: Language,
  {
    campaign,
    organization,
    columns,
    rows,
    now,
  }: {
    campaign: CampaignDetails
    organization: { name: string; bin: string }
    columns: readonly Column[]
    rows: readonly (readonly string[])[]
    now: Date
  },
): string {
  const t = textsOf(language, 'campaigns')
  const row = (cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  const titles = columns.map((column) => `<th>${printable(t(`sheet.${column}`))}</th>`)
  const lines = [
    t('sheet.organization', organization),
    t('sheet.document', { name: campaign.name, file: campaign.fileName }),
    t('sheet.progress', campaign.counts),
    t('sheet.asOf', { time: shownMoment(now) }),
  ]
  return [
    `<h1>${printable(t('sheet.title'))}</h1>`,
    ...lines.map((line) => `<p>${printable(line)}</p>`),
    `<table><tr>${titles.join('')}</tr>${rows.map((cells) => row(cells.map(printable))).join('')}</table>`,
  ].join('')
}
