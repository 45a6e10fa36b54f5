/** The deliveries to the address of a webhook: each message with its response, and a button that sends it again. */
import { Button, Modal } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import {
  getDeliveries,
  resendDelivery,
  type DeliveryView,
} from '@kelisim/domain/integration/webhook-contract.ts'
import type { DeliveryState } from '@kelisim/domain/integration/webhook.ts'
import { call, query } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import { toast } from '../ui/dialogs/toast.tsx'
import { formatMoment } from '../ui/format/dates.ts'
import { Badge } from '../ui/look/badge.tsx'
import own from './integration.module.css'
import { failureOf, type Webhook } from './webhook.ts'

const shown = 50

export function WebhookLog(props: { isOpen: boolean; webhook: Webhook | null; onClose: () => void }) {
  const { t } = useTexts('integration')
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={t('webhooks.logTitle')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      size={720}
    >
      {props.webhook && <Deliveries webhook={props.webhook} />}
    </Modal>
  )
}

const tones: Record<DeliveryState, 'ok' | 'off' | 'bad'> = { pending: 'off', delivered: 'ok', failed: 'bad' }

function Deliveries({ webhook }: { webhook: Webhook }) {
  const { t } = useTexts('integration')
  const { organization } = usePortalOrganization()
  const of = { organizationId: organization.Id, webhookId: webhook.id }
  const { data } = useQuery({ ...query(getDeliveries, { ...of, skip: 0, take: shown }), staleTime: 0 })
  return (
    <>
      <p className={own.address}>{webhook.url}</p>
      {data?.items.length === 0 && <p>{t('webhooks.logEmpty')}</p>}
      <ul className={own.log}>
        {data?.items.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} of={of} />
        ))}
      </ul>
    </>
  )
}

function Delivery(props: {
  delivery: z.output<typeof DeliveryView>
  of: { organizationId: string; webhookId: string }
}) {
  const { t } = useTexts('integration')
  const client = useQueryClient()
  const { id, type, state, attempts, status, failure, madeAt, nextTryAt, callId } = props.delivery
  const resending = useMutation({
    mutationFn: () => call(resendDelivery, { ...props.of, deliveryId: id }),
    onSuccess: () => toast(t('webhooks.resent')),
    onSettled: () => client.invalidateQueries({ queryKey: [getDeliveries.path] }),
  })
  return (
    <li>
      <span>
        <b>{type}</b> <Badge tone={tones[state]}>{t(`webhooks.states.${state}`)}</Badge>
        <small>{t('webhooks.tried', { at: formatMoment(madeAt), attempts })}</small>
        {status !== null && <small>{t('webhooks.answered', { status })}</small>}
        {failure !== null && <small>{t(`webhooks.failures.${failureOf(failure)}`)}</small>}
        {callId !== null && <small>{t('webhooks.callId', { id: callId })}</small>}
        {state === 'pending' && nextTryAt !== null && attempts > 0 && (
          <small>{t('webhooks.nextTry', { at: formatMoment(nextTryAt) })}</small>
        )}
      </span>
      {state !== 'pending' && (
        <Button variant="default" size="xs" loading={resending.isPending} onClick={() => resending.mutate()}>
          {t('webhooks.resend')}
        </Button>
      )}
    </li>
  )
}
