/** The rows of the table, with the problems of each cell beside it. */
import type { ReactNode } from 'react'
import { inGroups } from '@kelisim/domain/numbers.ts'
import type { ImportField } from '@kelisim/domain/member-import/rows.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { List } from '../ui/list/list.tsx'
import { Badge } from '../ui/look/badge.tsx'
import { NoData } from '../ui/page/states.tsx'
import classes from './member-import.module.css'
import { importRowsQuery, type ImportRowView, type RowFilter } from './queries.ts'

export function ImportRows(props: {
  organizationId: string
  only: RowFilter
  /** Part of the query key; a different value means that the rows have changed. */
  stamp: string
}) {
  const { t } = useTexts('member-import')
  const source = importRowsQuery(props.organizationId, useListSearch(), props.only)
  const queryKey = [...source.queryKey, props.stamp]
  return (
    <List
      id="import-rows"
      label={t('rows.title')}
      source={{ ...source, queryKey }}
      columns={useColumns()}
      rowKey={({ number }) => String(number)}
      isNarrowed={props.only !== undefined}
      empty={<NoData text={t('rows.empty')} />}
    />
  )
}

function useColumns(): Column<ImportRowView>[] {
  const { t } = useTexts('member-import')
  const cell = (field: ImportField, shown: (row: ImportRowView) => ReactNode, width: string) => ({
    key: field,
    title: t(`columns.${field}`),
    width,
    isFixed: field === 'email',
    cell: (row: ImportRowView) => (
      <span className={classes.lines}>
        {shown(row)}
        <Faults row={row} field={field} />
      </span>
    ),
  })
  return [
    { key: 'row', title: t('columns.row'), width: 90, cell: ({ number }) => number },
    cell('email', ({ email }) => email, '26%'),
    cell('name', ({ name }) => name, '20%'),
    cell('iin', ({ iin }) => inGroups(iin), '16%'),
    cell('groups', ({ groups }) => groups.join(', '), '18%'),
    { key: 'state', title: t('columns.state'), width: '16%', cell: (row) => <RowState row={row} /> },
  ]
}

function Faults({ row, field }: { row: ImportRowView; field: ImportField }) {
  const { t } = useTexts('member-import')
  return row.problems
    .filter((one) => one.field === field)
    .map(({ problem, row: same, names }) => (
      <span key={problem} className={classes.bad}>
        {t(`problems.${problem}`, { row: same ?? 0, names: names ?? '' })}
      </span>
    ))
}

function RowState({ row: { state, problems, failure } }: { row: ImportRowView }) {
  const { t, find } = useTexts('member-import')
  if (failure) {
    const words = find(`errors:${failure.alias}.text`, { ...failure.parameters }) ?? failure.alias
    return <span className={classes.bad}>{words}</span>
  }
  if (state === 'invited') return <Badge tone="ok">{t('states.invited')}</Badge>
  if (state === 'queued') return <Badge tone="off">{t('states.queued')}</Badge>
  return problems.length === 0 ? (
    <Badge tone="prim">{t('ready')}</Badge>
  ) : (
    <Badge tone="bad">{t('rows.bad')}</Badge>
  )
}
