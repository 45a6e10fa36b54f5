import { useTexts } from '../../i18n/use-texts.ts'
import type { MyGroup } from '@kelisim/domain/identity/contract.ts'
import type * as z from 'zod/mini'
import type { Column } from '../../ui/list/columns.tsx'
import { useListSearch } from '../../ui/list/list-search.ts'
import { List } from '../../ui/list/list.tsx'
import { Page } from '../../ui/page/page.tsx'
import { NoData } from '../../ui/page/states.tsx'
import { memberGroupsQuery } from '../shared/queries.ts'
import { Names } from './names.tsx'

export function MyGroupsPage() {
  const { t } = useTexts()
  const columns = useColumns()
  return (
    <Page title={t('portal:myGroups.title')} lead={t('portal:myGroups.lead')}>
      <List
        id="my-groups"
        label={t('portal:myGroups.title')}
        source={memberGroupsQuery(useListSearch())}
        columns={columns}
        rowKey={(group) => group.id}
        empty={<NoData text={t('portal:myGroups.empty')} />}
      />
    </Page>
  )
}

function useColumns(): Column<z.output<typeof MyGroup>>[] {
  const { t } = useTexts()
  return [
    {
      key: 'name',
      title: t('portal:myGroups.columns.name'),
      isFixed: true,
      cell: (group) => <b>{group.name}</b>,
    },
    {
      key: 'organization',
      title: t('portal:myGroups.columns.organization'),
      cell: (group) => group.organizationName,
    },
    {
      key: 'participants',
      title: t('portal:myGroups.columns.participants'),
      cell: (group) => <Names names={group.participants} />,
    },
  ]
}
