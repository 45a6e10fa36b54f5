import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../../i18n/use-texts.ts'
import { getMembers, removeMember } from '@kelisim/domain/portal/contract.ts'
import { ApiError, call } from '../../api/api.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { showError } from '../../ui/dialogs/error-store.ts'
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
import { EndingPrograms, GroupEffects, useRemovalEffects } from '../groups/group-effects.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { LeaveButton } from './leave-button.tsx'
import { usePortal, usePortalOrganization } from '../shared/place.ts'
import classes from '../shared/portal.module.css'
import { membersQuery } from '../shared/queries.ts'
import { RoleBadges } from './role-choice.tsx'
import { type MemberView, RolesDialog } from './roles-dialog.tsx'

export function MembersPage() {
  const { t } = useTexts()
  const { organization, isOwner, session } = usePortalOrganization()
  const { returnUri } = usePortal()
  const navigate = useNavigate()
  const inviting = useDialog<null>()
  const changing = useDialog<MemberView>()
  const removing = useDialog<MemberView>()
  const columns = useColumns(session.profile.UserId)
  const actions = useActions(changing.open, removing.open)
  const showInvitations = () =>
    void navigate({
      to: '/portal/$organizationId/invitations',
      params: { organizationId: organization.Id },
      search: returnUri === null ? {} : { returnUri },
    })
  return (
    <Page
      title={t('portal:members.title')}
      action={
        isOwner && (
          <Button leftSection={<PlusIcon />} onClick={() => inviting.open(null)}>
            {t('portal:members.invite')}
          </Button>
        )
      }
    >
      <List
        id="members"
        label={t('portal:members.title')}
        source={membersQuery(organization.Id, useListSearch())}
        columns={columns}
        rowKey={(member) => member.userId}
        hasSearch
        searchLabel={t('portal:members.search')}
        empty={<NoData text={t('portal:members.empty')} />}
        {...(isOwner && { actions })}
      />
      <LeaveButton />
      <InviteDialog isOpen={inviting.isOpen} onClose={inviting.close} onInvited={showInvitations} />
      <RolesDialog isOpen={changing.isOpen} member={changing.subject} onClose={changing.close} />
      <RemoveDialog isOpen={removing.isOpen} member={removing.subject} onClose={removing.close} />
    </Page>
  )
}

function useColumns(myId: string): Column<MemberView>[] {
  const { t } = useTexts()
  return [
    {
      key: 'name',
      title: t('portal:members.columns.name'),
      isFixed: true,
      cell: (member) => (
        <span className={classes.person}>
          <b>{member.fullName}</b> {member.userId === myId && <i>({t('portal:members.you')})</i>}
          <small>{member.email || member.login}</small>
        </span>
      ),
    },
    {
      key: 'roles',
      title: t('portal:members.columns.roles'),
      cell: (member) => <RoleBadges mask={member.roles} isAppointed={member.isAppointed} />,
    },
    {
      key: 'groups',
      title: t('portal:members.columns.groups'),
      cell: ({ groups }) =>
        groups.length === 0 ? (
          <span className={classes.none}>{t('portal:members.noGroups')}</span>
        ) : (
          groups.map((group) => group.name).join(', ')
        ),
    },
    {
      key: 'joined',
      title: t('portal:members.columns.joined'),
      width: 160,
      cell: (member) => formatDate(member.joinedAt),
    },
  ]
}

function useActions(onChange: (member: MemberView) => void, onRemove: (member: MemberView) => void) {
  const { t } = useTexts()
  const { session } = usePortalOrganization()
  return (member: MemberView) => (
    <>
      {member.allowed.changeRoles && (
        <RowAction
          label={t('portal:members.changeRoles', { name: member.fullName })}
          onClick={() => onChange(member)}
        >
          <EditIcon />
        </RowAction>
      )}
      {member.allowed.remove && member.userId !== session.profile.UserId && (
        <RowAction
          label={t('portal:members.remove', { name: member.fullName })}
          isDangerous
          onClick={() => onRemove(member)}
        >
          <TrashIcon />
        </RowAction>
      )}
    </>
  )
}

function RemoveDialog(props: { isOpen: boolean; member: MemberView | null; onClose: () => void }) {
  const { t } = useTexts()
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const { effects, refetch, showMore } = useRemovalEffects(
    organization.Id,
    props.isOpen && props.member ? props.member.userId : null,
  )
  const removal = useMutation({
    mutationFn: (userId: string) =>
      call(removeMember, {
        organizationId: organization.Id,
        userId,
        // If the preview of the effects is not loaded yet, the server refuses and the preview is loaded.
        seenEffects: effects?.fingerprint ?? '',
      }),
    onSuccess: () => {
      toast(t('portal:members.removed'))
      props.onClose()
      return client.invalidateQueries({ queryKey: [getMembers.path] })
    },
    meta: { showsErrors: true },
    onError: (error) => {
      if (!(error instanceof ApiError)) throw error
      if (error.alias === 'member-effects-changed') {
        toast(t('errors:member-effects-changed.text'))
        void refetch()
        return
      }
      props.onClose()
      showError(error)
    },
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={t('portal:members.removeTitle')}
      text={t('portal:members.removeText', {
        name: props.member?.fullName ?? '',
        organization: organization.ShortName,
      })}
      {...(effects && {
        more: (
          <>
            <EndingPrograms programs={effects.programs} />
            <GroupEffects
              effects={effects}
              title={t('portal:members.effects', { count: effects.totalCount })}
              onMore={showMore}
            />
          </>
        ),
      })}
      yes={
        effects && effects.totalCount > 0 ? t('portal:members.removeAnyway') : t('portal:members.removeYes')
      }
      isDangerous
      isBusy={removal.isPending}
      onYes={() => props.member && removal.mutate(props.member.userId)}
      onNo={props.onClose}
    />
  )
}
