import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/use-texts.ts'
import {
  getInvitations,
  type Invitation,
  resendInvitation,
  withdrawInvitation,
} from '@kelisim/domain/portal/contract.ts'
import type * as z from 'zod/mini'
import { call } from '../../api/api.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { formatDate, formatMoment } from '../../ui/format/dates.ts'
import { Badge } from '../../ui/look/badge.tsx'
import { PlusIcon, SendIcon, TrashIcon } from '../../ui/look/icons.tsx'
import type { Column } from '../../ui/list/columns.tsx'
import { useListSearch } from '../../ui/list/list-search.ts'
import { List } from '../../ui/list/list.tsx'
import { Page } from '../../ui/page/page.tsx'
import { RowAction } from '../../ui/list/row-action.tsx'
import { NoData } from '../../ui/page/states.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { JoinRequests } from './join-requests.tsx'
import { OwnersOnly } from '../shared/owners-only.tsx'
import { usePortal, usePortalOrganization } from '../shared/place.ts'
import { invitationsQuery } from '../shared/queries.ts'
import { RoleBadges } from './role-choice.tsx'

type InvitationView = z.output<typeof Invitation>

export function InvitationsPage() {
  return (
    <OwnersOnly>
      <Invitations />
    </OwnersOnly>
  )
}

function Invitations() {
  const { t } = useTexts()
  const { organization } = usePortalOrganization()
  const inviting = useDialog<null>()
  const withdrawing = useDialog<InvitationView>()
  const columns = useColumns()
  const actions = useActions(withdrawing.open)
  const { returnUri } = usePortal()
  const add = (
    <Group gap={12}>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link
            {...props}
            to="/portal/$organizationId/invitations/table"
            params={{ organizationId: organization.Id }}
            search={returnUri === null ? {} : { returnUri }}
          />
        )}
      >
        {t('portal:invitations.fromTable')}
      </Button>
      <Button leftSection={<PlusIcon />} onClick={() => inviting.open(null)}>
        {t('portal:members.invite')}
      </Button>
    </Group>
  )
  return (
    <Page title={t('portal:invitations.title')} action={add}>
      <JoinRequests />
      <List
        id="invitations"
        label={t('portal:invitations.title')}
        source={invitationsQuery(organization.Id, useListSearch())}
        columns={columns}
        rowKey={(invitation) => invitation.id}
        empty={<NoData text={t('portal:invitations.empty')} />}
        actions={actions}
      />
      <InviteDialog isOpen={inviting.isOpen} onClose={inviting.close} />
      <WithdrawDialog
        isOpen={withdrawing.isOpen}
        invitation={withdrawing.subject}
        onClose={withdrawing.close}
      />
    </Page>
  )
}

function useColumns(): Column<InvitationView>[] {
  const { t } = useTexts()
  return [
    {
      key: 'email',
      title: t('portal:invitations.columns.email'),
      isFixed: true,
      cell: (invitation) => <b>{invitation.email}</b>,
    },
    {
      key: 'roles',
      title: t('portal:invitations.columns.roles'),
      cell: (invitation) => <RoleBadges mask={invitation.roles} />,
    },
    {
      key: 'invitedBy',
      title: t('portal:invitations.columns.invitedBy'),
      cell: (invitation) => invitation.invitedBy,
    },
    {
      key: 'sent',
      title: t('portal:invitations.columns.sent'),
      cell: (invitation) => formatMoment(invitation.sentAt),
    },
    {
      key: 'expires',
      title: t('portal:invitations.columns.expires'),
      cell: (invitation) => (
        <span>
          {formatDate(invitation.expiresAt)}{' '}
          {invitation.isExpired && <Badge tone="bad">{t('portal:invitations.expired')}</Badge>}
        </span>
      ),
    },
  ]
}

function useActions(onWithdraw: (invitation: InvitationView) => void) {
  const { t } = useTexts()
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const resending = useMutation({
    mutationFn: ({ id }: InvitationView) =>
      call(resendInvitation, { organizationId: organization.Id, invitationId: id }),
    onSuccess: () => toast(t('portal:invitations.resent')),
    onSettled: () => client.invalidateQueries({ queryKey: [getInvitations.path] }),
  })
  return (invitation: InvitationView) => (
    <>
      <RowAction
        label={t('portal:invitations.resend', { email: invitation.email })}
        isBusy={resending.isPending && resending.variables.id === invitation.id}
        onClick={() => resending.mutate(invitation)}
      >
        <SendIcon />
      </RowAction>
      <RowAction
        label={t('portal:invitations.withdraw', { email: invitation.email })}
        isDangerous
        onClick={() => onWithdraw(invitation)}
      >
        <TrashIcon />
      </RowAction>
    </>
  )
}

function WithdrawDialog(props: { isOpen: boolean; invitation: InvitationView | null; onClose: () => void }) {
  const { t } = useTexts()
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const withdrawal = useMutation({
    mutationFn: (invitationId: string) =>
      call(withdrawInvitation, { organizationId: organization.Id, invitationId }),
    onSuccess: () => toast(t('portal:invitations.withdrawn')),
    onSettled: () => {
      props.onClose()
      return client.invalidateQueries({ queryKey: [getInvitations.path] })
    },
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={t('portal:invitations.withdrawTitle')}
      text={t('portal:invitations.withdrawText', { email: props.invitation?.email ?? '' })}
      yes={t('portal:invitations.withdrawYes')}
      isDangerous
      isBusy={withdrawal.isPending}
      onYes={() => props.invitation && withdrawal.mutate(props.invitation.id)}
      onNo={props.onClose}
    />
  )
}
