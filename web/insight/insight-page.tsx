/** Where documents wait and how long: bars on the page, and a table to download. */
import { useState } from 'react'
import { Button, SegmentedControl, Select } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import {
  downloadWaits,
  waitKeys,
  waitMonths,
  type Wait,
  type WaitKey,
} from '@kelisim/domain/insight/contract.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { fetchFile, saveBytes } from '../api/file-api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { formatDate } from '../ui/format/dates.ts'
import { DownloadIcon } from '../ui/look/icons.tsx'
import { BackLink } from '../ui/page/back-link.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { NoData } from '../ui/page/states.tsx'
import classes from './insight.module.css'
import { firstQuestion, pageLength, waitsQuery, type WaitsQuestion } from './queries.ts'
import { formatHours, monthName } from './wording.ts'

type WaitView = z.output<typeof Wait>

export function InsightPage() {
  const { t } = useTexts('insight')
  const { organization, role } = useWorkplace()
  const [question, setQuestion] = useState(firstQuestion)
  const [take, setTake] = useState(pageLength)
  const ask = (change: Partial<WaitsQuestion>) => {
    setTake(pageLength)
    setQuestion({ ...question, ...change })
  }
  const exporting = useMutation({
    mutationFn: async () => {
      const bytes = await fetchFile(downloadWaits, { organizationId: organization.Id, ...question })
      saveBytes(bytes, `${t('title')}.xlsx`, mediaTypes.xlsx)
    },
  })
  const action = (
    <Button
      variant="default"
      leftSection={<DownloadIcon size={18} />}
      loading={exporting.isPending}
      onClick={() => exporting.mutate()}
    >
      {t('export')}
    </Button>
  )
  return (
    <Page title={t('title')} lead={t('lead')} action={action}>
      <BackLink to={pages.today}>{t('back')}</BackLink>
      <div className={classes.choices}>
        <SegmentedControl
          aria-label={t('groupBy')}
          data={waitKeys.map((value) => ({ value, label: t(`by.${value}`) }))}
          value={question.by}
          onChange={(by) => ask({ by })}
        />
        {role === 'Owner' && (
          <SegmentedControl
            aria-label={t('whose.label')}
            data={(['mine', 'all'] as const).map((value) => ({ value, label: t(`whose.${value}`) }))}
            value={question.whose}
            onChange={(whose) => ask({ whose: whose === 'all' ? 'all' : 'mine' })}
          />
        )}
        <Select
          aria-label={t('period')}
          allowDeselect={false}
          data={waitMonths.map((count) => ({ value: String(count), label: t('months', { count }) }))}
          value={String(question.months)}
          onChange={(chosen) => ask({ months: waitMonths.find((one) => String(one) === chosen) ?? 3 })}
        />
      </div>
      <Waits question={question} take={take} onMore={() => setTake(take + pageLength)} />
    </Page>
  )
}

function Waits({ question, take, onMore }: { question: WaitsQuestion; take: number; onMore: () => void }) {
  const { t } = useTexts('insight')
  const { organization } = useWorkplace()
  const { data, error, refetch } = useQuery(
    waitsQuery(organization.Id, question, 0, Math.min(take, mostShown)),
  )
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingLines count={6} />
  if (data.items.length === 0) return <NoData text={t('empty')} />
  const longest = Math.max(...data.items.map(({ slowHours }) => slowHours ?? 0))
  const left = data.totalCount - data.items.length
  return (
    <Card>
      <p className={classes.key}>
        <span>
          <i data-bar="median" /> {t('columns.median')}
        </span>
        <span>
          <i data-bar="slow" /> {t('columns.slow')}
        </span>
      </p>
      <table className={classes.waits} aria-label={t('title')}>
        <thead>
          <tr>
            <th scope="col">{t(`by.${question.by}`)}</th>
            <th scope="col">{t('columns.howLong')}</th>
            <th scope="col">{t('columns.answered')}</th>
            <th scope="col">{t('columns.waiting')}</th>
          </tr>
        </thead>
        <tbody>
          {data.items.map((wait) => (
            <WaitRow key={`${wait.name} ${wait.bin ?? ''}`} wait={wait} by={question.by} longest={longest} />
          ))}
        </tbody>
      </table>
      {left > 0 && take < mostShown && (
        <Button variant="subtle" onClick={onMore}>
          {t('more', { count: left })}
        </Button>
      )}
    </Card>
  )
}

/** The most that one call returns; the downloaded table has the rest. */
const mostShown = 100

function WaitRow({ wait, by, longest }: { wait: WaitView; by: WaitKey; longest: number }) {
  const { t } = useTexts('insight')
  const { name, bin, medianHours, slowHours, answered, waiting, waitingSince } = wait
  const part = (hours: number | null) => `${longest === 0 ? 0 : ((hours ?? 0) / longest) * 100}%`
  return (
    <tr>
      <th scope="row">
        {by === 'act' ? t(`acts.${name as 'sign'}`) : by === 'month' ? monthName(name, t) : name}
        {bin && <small>{inGroups(bin)}</small>}
      </th>
      <td>
        {medianHours !== null && slowHours !== null ? (
          <>
            <span className={classes.bars} aria-hidden>
              <span data-bar="slow" style={{ width: part(slowHours) }} />
              <span data-bar="median" style={{ width: part(medianHours) }} />
            </span>
            <span className={classes.long}>
              {t('half', { time: formatHours(medianHours, t) })}
              <small>{t('nine', { time: formatHours(slowHours, t) })}</small>
            </span>
          </>
        ) : (
          <small>{t('none')}</small>
        )}
      </td>
      <td data-label={t('columns.answered')}>{answered}</td>
      <td data-label={t('columns.waiting')}>
        {waiting}
        {waitingSince && <small>{t('since', { date: formatDate(waitingSince) })}</small>}
      </td>
    </tr>
  )
}
