/** Where documents wait: an author sees this for their own requests, an owner for the whole organisation. */
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { downloadWaits, getWaits, type WaitKey } from '@kelisim/domain/insight/contract.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Http } from '../http/open.ts'
import type { Caller } from '../http/serve.ts'
import { oneAtATime } from '../requests/reading/archive.ts'
import { giveXlsx } from '../tables/write-xlsx.ts'
import { findWaits, type WaitQuestion, type WaitRow } from './queries.ts'

export function openInsight({ serve, files }: Http): void {
  serve(getWaits, async ({ input, who, now, db }) => {
    const { items, totalCount } = await findWaits(db, questionOf(input, who, now), input)
    return {
      totalCount,
      items: items.map(({ waitingSince, medianHours, slowHours, ...same }) => ({
        ...same,
        medianHours: medianHours === null ? null : rounded(medianHours),
        slowHours: slowHours === null ? null : rounded(slowHours),
        waitingSince: waitingSince?.toISOString() ?? null,
      })),
    }
  })

  const limited = oneAtATime()
  files.give(downloadWaits, async ({ input, who, now, db, language }) => {
    const t = textsOf(language, 'insight')
    const columns = [
      { title: t(`by.${input.by}`), width: 44 },
      { title: t('columns.bin'), width: 15 },
      { title: t('columns.answered'), width: 14 },
      { title: t('columns.medianHours'), width: 20 },
      { title: t('columns.slowHours'), width: 20 },
      { title: t('columns.waiting'), width: 14 },
      { title: t('columns.since'), width: 14 },
    ]
    const { items } = await findWaits(db, questionOf(input, who, now), { skip: 0, take: mostExported })
    const hours = (value: number | null) => (value === null ? '' : String(rounded(value)))
    const cells = ({ name, bin, answered, medianHours, slowHours, waiting, waitingSince }: WaitRow) => [
      input.by === 'act' ? t(`acts.${name as 'sign'}`) : name,
      bin ?? '',
      String(answered),
      hours(medianHours),
      hours(slowHours),
      String(waiting),
      waitingSince === null ? '' : { day: dateInAlmaty(waitingSince) },
    ]
    const table = { sheet: t('title'), columns, rows: items.map(cells) }
    return limited(who.userId, () => giveXlsx(table, `${t('title')}.xlsx`))
  })
}

/** The most rows of an export: more groups and counterparties than anybody reads. */
const mostExported = 10_000

function questionOf(
  { by, whose, months }: { by: WaitKey; whose: 'mine' | 'all'; months: number },
  who: Caller<'member'>,
  now: Date,
): WaitQuestion {
  const { organizationId, roles } = who.member
  if (whose === 'all' && !isOwner(roles)) refuse('not-enough-permissions')
  const since = new Date(now)
  since.setUTCMonth(since.getUTCMonth() - months)
  return { organizationId, authorId: whose === 'all' ? null : who.userId, by, since }
}

function rounded(hours: number): number {
  return Math.round(hours * 10) / 10
}
