/** Two documents compared: how much differs, each place in the text, and the pages side by side. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { Alert, Button, SegmentedControl } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type * as z from 'zod/mini'
import { isAllOther } from '@kelisim/domain/comparison/comparison.ts'
import { fileOfName } from '@kelisim/domain/comparison/compared-file.ts'
import type { compareDocuments } from '@kelisim/domain/comparison/contract.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplaceIfAny } from '../shell/session/session.ts'
import { useAddress } from '../ui/browser/address.ts'
import { useIsPhone } from '../ui/browser/use-is-phone.ts'
import { ArrowDownIcon, ArrowUpIcon } from '../ui/look/icons.tsx'
import { RowAction } from '../ui/list/row-action.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Page } from '../ui/page/page.tsx'
import { PageNotFound } from '../ui/page/states.tsx'
import { ComparedPages, showPages } from './compared-pages.tsx'
import { Inline, SideBySide } from './compared-text.tsx'
import { ChooseTwo } from './choose-two.tsx'
import classes from './comparison.module.css'
import { comparisonQuery } from './queries.ts'
import { numberedRows } from './shown-rows.ts'

type Comparison = z.output<typeof compareDocuments.result>
type Files = { organizationId: string; before: string; after: string }

export function ComparisonPage() {
  const { before = '', after = '', own } = useAddress().search
  const workplace = useWorkplaceIfAny()
  const organizationId = own ? emptyId : (workplace?.organization.Id ?? emptyId)
  if (fileOfName(before) !== null && fileOfName(after) !== null) {
    return <Compared key={before + after} organizationId={organizationId} before={before} after={after} />
  }
  return workplace ? <ChooseTwo before={before} /> : <PageNotFound />
}

function Compared(files: Files) {
  const { t } = useTexts('comparison')
  const { data, error, refetch } = useQuery(comparisonQuery(files.organizationId, files.before, files.after))
  if (error?.status === 404) return <PageNotFound />
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  return (
    <Page title={t('title')} action={<Swap {...files} />}>
      {data ? (
        <Result files={files} comparison={data} />
      ) : (
        <>
          <p role="status">{t('loading')}</p>
          <LoadingLines count={8} />
        </>
      )}
    </Page>
  )
}

function Swap({ before, after }: Files) {
  const { t } = useTexts('comparison')
  return (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link
          to="/documents/compare"
          search={(search) => ({ ...search, before: after, after: before })}
          replace
          {...props}
        />
      )}
    >
      {t('swap')}
    </Button>
  )
}

type View = 'sides' | 'inline' | 'pages'

function Result({ files, comparison }: { files: Files; comparison: Comparison }) {
  const { t } = useTexts('comparison')
  const { before, after, text } = comparison
  const isNarrow = useIsPhone()
  const views: View[] =
    text === null ? ['pages'] : isNarrow ? ['inline', 'pages'] : ['sides', 'inline', 'pages']
  const [chosen, setChosen] = useState<View | null>(null)
  const view = views.find((one) => one === chosen) ?? views[0]!
  const rows = useMemo(() => numberedRows(text?.rows ?? []), [text])
  const place = useRef<HTMLDivElement>(null)
  const pages = useRef<HTMLDivElement>(null)
  const [current, jump] = useJumps(text?.changes ?? 0)
  useEffect(() => {
    if (current === 0) return
    const row = rows.find(({ pieces }) => pieces.some(({ change }) => change === current))
    if (view === 'pages')
      showPages(pages.current, { before: row?.pageBefore ?? null, after: row?.pageAfter ?? null })
    else place.current?.querySelector(`[data-change="${current}"]`)?.scrollIntoView({ block: 'center' })
  }, [current, view, rows])
  const names = { before: before.name, after: after.name }
  return (
    <>
      <div className={classes.bar}>
        <Headline comparison={comparison} />
        {text !== null && text.changes > 0 && (
          <span className={classes.jumps}>
            <RowAction label={t('previous')} onClick={() => jump(-1)}>
              <ArrowUpIcon />
            </RowAction>
            <span role="status">{current > 0 && t('place', { number: current, total: text.changes })}</span>
            <RowAction label={t('next')} onClick={() => jump(1)}>
              <ArrowDownIcon />
            </RowAction>
          </span>
        )}
        {views.length > 1 && (
          <SegmentedControl
            aria-label={t('view')}
            data={views.map((value) => ({ value, label: t(value) }))}
            value={view}
            onChange={(value) => setChosen(views.find((one) => one === value) ?? null)}
          />
        )}
      </div>
      <Remarks comparison={comparison} />
      <div ref={place}>
        {view === 'sides' && <SideBySide rows={rows} current={current} names={names} />}
        {view === 'inline' && <Inline rows={rows} current={current} names={names} />}
        {view === 'pages' && (
          <ComparedPages
            organizationId={files.organizationId}
            before={{ ...before, file: files.before }}
            after={{ ...after, file: files.after }}
            placeRef={pages}
          />
        )}
      </div>
    </>
  )
}

/** The number of the current change, from 1, and a function that jumps on; after the last change comes the first. */
function useJumps(total: number): [number, (by: 1 | -1) => void] {
  const [current, setCurrent] = useState(0)
  const jump = (by: 1 | -1) => {
    if (total === 0) return
    setCurrent((at) => (at === 0 ? (by === 1 ? 1 : total) : ((at - 1 + by + total) % total) + 1))
  }
  useHotkeys([
    ['alt+ArrowDown', () => jump(1)],
    ['alt+ArrowUp', () => jump(-1)],
  ])
  return [current, jump]
}

function Headline({ comparison: { text } }: { comparison: Comparison }) {
  const { t } = useTexts('comparison')
  if (text === null) return <h2>{t('noText')}</h2>
  if (text.changes === 0) return <h2>{t('noChanges')}</h2>
  return <h2>{isAllOther(text.rows) ? t('allOther') : t('changes', { count: text.changes })}</h2>
}

function Remarks({ comparison: { before, after, text } }: { comparison: Comparison }) {
  const { t } = useTexts('comparison')
  const remarks = [
    ...(before.sha256 === after.sha256 ? [t('identical')] : []),
    ...(text === null ? [whyNoText()] : []),
    ...(text?.changes === 0 && before.sha256 !== after.sha256 ? [t('noChangesText')] : []),
    ...(text?.isCut ? [t('isCut')] : []),
  ]
  if (remarks.length === 0) return null
  return (
    <Alert mb={16} color="gray" variant="light">
      {remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
    </Alert>
  )

  function whyNoText(): string {
    if (!before.hasText && !after.hasText) return t('noTextBoth')
    if (!before.hasText) return t('noTextBefore')
    return after.hasText ? t('tooMuch') : t('noTextAfter')
  }
}
