import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { RequestStatusMark } from '../requests/shared/request-status.tsx'
import { useWorkplace } from '../shell/session/session.ts'
import { formatMoment } from '../ui/format/dates.ts'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { List } from '../ui/list/list.tsx'
import { PlusIcon } from '../ui/look/icons.tsx'
import { Page } from '../ui/page/page.tsx'
import { NoData } from '../ui/page/states.tsx'
import { campaignsQuery, type CampaignLineView } from './queries.ts'

export function CampaignsList() {
  const { t } = useTexts('campaigns')
  const { organization } = useWorkplace()
  const add = (
    <Button
      leftSection={<PlusIcon />}
      renderRoot={(root) => <Link to="/campaigns/add/{-$id}" params={{}} {...root} />}
    >
      {t('new')}
    </Button>
  )
  return (
    <Page title={t('title')} lead={t('lead')} action={add}>
      <List
        id="campaigns"
        label={t('title')}
        source={campaignsQuery(organization.Id, useListSearch())}
        columns={useColumns()}
        rowKey={({ signingRequestId }) => signingRequestId}
        linkOf={({ signingRequestId }) => ({ to: '/campaigns/$id', params: { id: signingRequestId } })}
        empty={<NoData text={t('empty')} />}
      />
    </Page>
  )
}

function useColumns(): Column<CampaignLineView>[] {
  const { t } = useTexts('campaigns')
  return [
    { key: 'name', title: t('columns.name'), isFixed: true, cell: ({ name }) => name },
    {
      key: 'progress',
      title: t('columns.progress'),
      width: 180,
      cell: ({ counts }) => t('of', counts),
    },
    {
      key: 'status',
      title: t('columns.status'),
      width: 220,
      cell: ({ status }) => <RequestStatusMark status={status} />,
    },
    {
      key: 'created',
      title: t('columns.created'),
      width: 180,
      cell: ({ createdAt }) => formatMoment(createdAt),
    },
  ]
}
