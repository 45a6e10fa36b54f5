/** People who signed for the organisation and wait until an owner accepts them. */
import { Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  acceptJoinRequest,
  declineJoinRequest,
  getJoinRequests,
  type JoinRequest,
} from '@kelisim/domain/identity/confirmation-contract.ts'
import { getMembers } from '@kelisim/domain/portal/contract.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import type * as z from 'zod/mini'
import { call } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { formatMoment } from '../../ui/format/dates.ts'
import { DialogForm, FormDialog } from '../../ui/form/form-dialog.tsx'
import { useApiForm } from '../../ui/form/form.tsx'
import { Card } from '../../ui/page/page.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.ts'
import { usePortalOrganization } from '../shared/place.ts'
import classes from '../shared/portal.module.css'
import { joinRequestsQuery } from '../shared/queries.ts'
import { RoleChoice } from './role-choice.tsx'

type JoinRequestView = z.output<typeof JoinRequest>

export function JoinRequests() {
  const { t } = useTexts()
  const { organization } = usePortalOrganization()
  const accepting = useDialog<JoinRequestView>()
  const declining = useDialog<JoinRequestView>()
  const { data } = useQuery(joinRequestsQuery(organization.Id))
  if (!data || data.items.length === 0) return null
  return (
    <Card title={t('portal:join.title')}>
      <p>{t('portal:join.lead')}</p>
      <ul className={classes.requests} aria-label={t('portal:join.title')}>
        {data.items.map((request) => (
          <li key={request.id}>
            <span>
              <b>{request.fullName}</b>
              <small>{request.email}</small>
              <small>
                {t('portal:join.signedBy', { name: request.signedBy })} · {formatMoment(request.createdAt)}
              </small>
            </span>
            <Group gap={8}>
              <Button onClick={() => accepting.open(request)}>{t('portal:join.accept')}</Button>
              <Button variant="default" onClick={() => declining.open(request)}>
                {t('portal:join.decline')}
              </Button>
            </Group>
          </li>
        ))}
      </ul>
      <FormDialog
        isOpen={accepting.isOpen}
        title={t('portal:join.acceptTitle', { name: accepting.subject?.fullName ?? '' })}
        draft={draftOf(accepting.subject)}
        onClose={accepting.close}
      >
        {accepting.subject && <AcceptForm request={accepting.subject} onClose={accepting.close} />}
      </FormDialog>
      <DeclineDialog isOpen={declining.isOpen} request={declining.subject} onClose={declining.close} />
    </Card>
  )
}

function AcceptForm({ request, onClose }: { request: JoinRequestView; onClose: () => void }) {
  const { t } = useTexts()
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const form = useApiForm({
    id: draftOf(request),
    endpoint: acceptJoinRequest,
    fixed: { organizationId: organization.Id, joinRequestId: request.id },
    initial: { roles: roles.of('Employee') },
    guardsPage: false,
    onDone: () => {
      toast(t('portal:join.accepted', { name: request.fullName }))
      onClose()
      for (const e of [getJoinRequests, getMembers]) void client.invalidateQueries({ queryKey: [e.path] })
    },
  })
  return (
    <DialogForm form={form} yes={t('portal:join.accept')} onCancel={onClose}>
      <RoleChoice />
    </DialogForm>
  )
}

function DeclineDialog(props: { isOpen: boolean; request: JoinRequestView | null; onClose: () => void }) {
  const { t } = useTexts()
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const decline = useMutation({
    mutationFn: (joinRequestId: string) =>
      call(declineJoinRequest, { organizationId: organization.Id, joinRequestId }),
    onSuccess: () => toast(t('portal:join.declined')),
    onSettled: () => {
      props.onClose()
      return client.invalidateQueries({ queryKey: [getJoinRequests.path] })
    },
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={t('portal:join.declineTitle')}
      text={t('portal:join.declineText', { name: props.request?.fullName ?? '' })}
      yes={t('portal:join.decline')}
      isDangerous
      isBusy={decline.isPending}
      onYes={() => props.request && decline.mutate(props.request.id)}
      onNo={props.onClose}
    />
  )
}

function draftOf(request: JoinRequestView | null): string {
  return `join:${request?.id ?? ''}`
}
