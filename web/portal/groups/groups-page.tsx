import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../../i18n/use-texts.ts'
import { getGroups, removeGroup } from '@kelisim/domain/portal/contract.ts'
import { call } from '../../api/api.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { formatDate } from '../../ui/format/dates.ts'
import { EditIcon, PlusIcon, TrashIcon } from '../../ui/look/icons.tsx'
import type { Column } from '../../ui/list/columns.tsx'
import { useListSearch } from '../../ui/list/list-search.ts'
import { List } from '../../ui/list/list.tsx'
import { Page } from '../../ui/page/page.tsx'
import { RowAction } from '../../ui/list/row-action.tsx'
import { NoData } from '../../ui/page/states.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.ts'
import { GroupDialog, type GroupView } from './group-dialog.tsx'
import { Names } from './names.tsx'
import { usePortalOrganization } from '../shared/place.ts'
import { groupsQuery } from '../shared/queries.ts'

export function GroupsPage() {
  const { t } = useTexts()
  const { organization, isOwner } = usePortalOrganization()
  const editing = useDialog<GroupView | 'new'>()
  const removing = useDialog<GroupView>()
  const columns = useColumns()
  const actions = useActions(editing.open, removing.open)
  const add = isOwner && (
    <Button leftSection={<PlusIcon />} onClick={() => editing.open('new')}>
      {t('portal:groups.add')}
    </Button>
  )
  return (
    <Page title={t('portal:groups.title')} lead={t('portal:groups.lead')} action={add}>
      <List
        id="groups"
        label={t('portal:groups.title')}
        source={groupsQuery(organization.Id, useListSearch())}
        columns={columns}
        rowKey={(group) => group.id}
        hasSearch
        searchLabel={t('portal:groups.search')}
        empty={<NoData text={t('portal:groups.empty')} />}
        {...(isOwner && { onOpen: editing.open, actions })}
      />
      <GroupDialog
        isOpen={editing.isOpen}
        group={editing.subject === 'new' ? null : editing.subject}
        onClose={editing.close}
      />
      <RemoveDialog isOpen={removing.isOpen} group={removing.subject} onClose={removing.close} />
    </Page>
  )
}

function useColumns(): Column<GroupView>[] {
  const { t } = useTexts()
  return [
    {
      key: 'name',
      title: t('portal:groups.columns.name'),
      isFixed: true,
      width: '30%',
      cell: (group) => <b>{group.name}</b>,
    },
    {
      key: 'participants',
      title: t('portal:groups.columns.participants'),
      cell: (group) => <Names names={group.participants.map((participant) => participant.fullName)} />,
    },
    {
      key: 'created',
      title: t('portal:groups.columns.created'),
      width: 140,
      cell: (group) => formatDate(group.createdAt),
    },
  ]
}

function useActions(onEdit: (group: GroupView) => void, onRemove: (group: GroupView) => void) {
  const { t } = useTexts()
  return (group: GroupView) => (
    <>
      <RowAction label={t('portal:groups.edit', { name: group.name })} onClick={() => onEdit(group)}>
        <EditIcon />
      </RowAction>
      <RowAction
        label={t('portal:groups.remove', { name: group.name })}
        isDangerous
        onClick={() => onRemove(group)}
      >
        <TrashIcon />
      </RowAction>
    </>
  )
}

function RemoveDialog(props: { isOpen: boolean; group: GroupView | null; onClose: () => void }) {
  const { t } = useTexts()
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const removal = useMutation({
    mutationFn: (groupId: string) => call(removeGroup, { organizationId: organization.Id, groupId }),
    onSuccess: () => toast(t('portal:groups.removed')),
    onSettled: () => {
      props.onClose()
      return client.invalidateQueries({ queryKey: [getGroups.path] })
    },
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={t('portal:groups.removeTitle')}
      text={t('portal:groups.removeText', { name: props.group?.name ?? '' })}
      yes={t('actions.remove')}
      isDangerous
      isBusy={removal.isPending}
      onYes={() => props.group && removal.mutate(props.group.id)}
      onNo={props.onClose}
    />
  )
}
