/** The rows of a bulk sending: the requests that they become, and their problems. */
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { List } from '../ui/list/list.tsx'
import { Badge } from '../ui/look/badge.tsx'
import { NoData } from '../ui/page/states.tsx'
import classes from './bulk.module.css'
import { bulkRowsQuery, type BulkKey, type BulkRowView } from './queries.ts'

export type RowFilter = Parameters<typeof bulkRowsQuery>[2]

export function RowsList(props: {
  bulkKey: BulkKey
  only: RowFilter
  isDraft: boolean
  /** Part of the query key; a different value means that the rows have changed. */
  stamp?: string
}) {
  const { t } = useTexts('bulk')
  const source = bulkRowsQuery(props.bulkKey, useListSearch(), props.only)
  const queryKey = [...source.queryKey, props.stamp ?? '']
  return (
    <List
      id="bulk-rows"
      label={t('preview.title')}
      source={{ ...source, queryKey }}
      columns={useColumns(props.isDraft)}
      rowKey={({ number }) => String(number)}
      isNarrowed={props.only !== undefined}
      empty={<NoData text={t('preview.allGood')} />}
    />
  )
}

const tones = { waiting: 'off', skipped: 'bad', sent: 'ok', failed: 'bad' } as const

function useColumns(isDraft: boolean): Column<BulkRowView>[] {
  const { t } = useTexts('bulk')
  return [
    { key: 'row', title: t('preview.row'), isFixed: true, width: 90, cell: ({ number }) => number },
    {
      key: 'document',
      title: t('preview.document'),
      cell: ({ name, signingRequestId, registered }) => (
        <span className={classes.lines}>
          {signingRequestId === null ? (
            name
          ) : (
            <Anchor
              component={Link}
              to="/signingRequests/$route/$id"
              params={{ route: 'outgoings', id: signingRequestId } as never}
            >
              {name}
            </Anchor>
          )}
          {registered !== null && <small>{t('progress.registered', { number: registered })}</small>}
        </span>
      ),
    },
    {
      key: 'recipient',
      title: t('preview.recipient'),
      width: '24%',
      cell: ({ recipient, route }) =>
        recipient === null ? (
          route !== null && <span>{t('preview.route', { route })}</span>
        ) : (
          <span className={classes.lines}>
            {recipient.organizationName || inGroups(recipient.bin)}
            {recipient.organizationName && <small>{inGroups(recipient.bin)}</small>}
          </span>
        ),
    },
    {
      key: 'state',
      title: t('preview.state'),
      width: '34%',
      cell: (row) => <RowState row={row} isDraft={isDraft} />,
    },
  ]
}

function RowState({ row, isDraft }: { row: BulkRowView; isDraft: boolean }) {
  const { t, find } = useTexts('bulk')
  const { state, problems, failure } = row
  const isGood = isDraft && problems.length === 0
  const reasons =
    state === 'sent'
      ? []
      : problems.map(({ column, problem, row: same }) => {
          const words = t(`problems.${problem}`, { row: same ?? 0 })
          return column === '' ? words : t('columnProblem', { column, problem: words })
        })
  const failed = failure && (find(`errors:${failure.alias}.text`, { ...failure.parameters }) ?? failure.alias)
  return (
    <span className={classes.lines}>
      {isGood && <Badge tone="ok">{t('preview.ready')}</Badge>}
      {!isDraft && <Badge tone={tones[state]}>{t(`rowStates.${state}`)}</Badge>}
      {[...reasons, ...(failed ? [failed] : [])].map((words) => (
        <span key={words} className={classes.bad}>
          {words}
        </span>
      ))}
    </span>
  )
}
