import type { getOperatorActs } from '@kelisim/domain/operator/contract.ts'
import type * as z from 'zod/mini'
import { useTexts } from '../i18n/use-texts.ts'
import { formatMoment } from '../ui/format/dates.ts'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { List } from '../ui/list/list.tsx'
import classes from './operator.module.css'
import { readable, Section } from './parts.tsx'
import { operatorActsQuery } from './queries.ts'

export function ActsSection() {
  const { t } = useTexts('operator')
  return (
    <Section title={t('acts.title')}>
      <List
        id="operator-acts"
        label={t('acts.title')}
        source={operatorActsQuery(useListSearch())}
        rowKey={({ id }) => String(id)}
        empty={<p className={classes.none}>{t('acts.none')}</p>}
        columns={useActColumns()}
      />
    </Section>
  )
}

function useActColumns(): Column<z.output<typeof getOperatorActs.result>['items'][number]>[] {
  const { t } = useTexts('operator')
  return [
    {
      key: 'what',
      title: t('acts.columns.what'),
      isFixed: true,
      cell: ({ type }) => <b>{t(`acts.types.${type}`)}</b>,
    },
    { key: 'who', title: t('acts.columns.who'), cell: ({ by }) => by ?? t('acts.byCommand') },
    { key: 'when', title: t('acts.columns.when'), width: 160, cell: ({ at }) => formatMoment(at) },
    { key: 'details', title: t('acts.columns.details'), cell: ({ details }) => readable(details) },
  ]
}
