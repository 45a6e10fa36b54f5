/** The addresses that are called when something happens to a document: their state, a test call, the log. */
import { Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  deleteWebhook,
  getWebhooks,
  rotateWebhook,
  switchWebhook,
  testWebhook,
} from '@kelisim/domain/integration/webhook-contract.ts'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import classes from '../portal/shared/portal.module.css'
import { ConfirmDialog } from '../ui/dialogs/confirm.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { formatMoment } from '../ui/format/dates.ts'
import { Badge } from '../ui/look/badge.tsx'
import { PlusIcon } from '../ui/look/icons.tsx'
import { Card } from '../ui/page/page.tsx'
import own from './integration.module.css'
import { webhooksQuery } from './queries.ts'
import { SecretDialog, type Secret } from './secret-dialog.tsx'
import { failureOf, type Webhook } from './webhook.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookLog } from './webhook-log.tsx'

export function Webhooks() {
  const { t } = useTexts('integration')
  const { organization } = usePortalOrganization()
  const { data } = useQuery(webhooksQuery(organization.Id))
  const adding = useDialog<null>()
  const secret = useDialog<Secret>()
  const log = useDialog<Webhook>()
  const removing = useDialog<Webhook>()
  const showSecret = (webhook: Webhook, value: string) =>
    secret.open({
      title: t('webhooks.secretTitle'),
      text: t('webhooks.secretText'),
      label: t('webhooks.secret', { url: webhook.url }),
      value,
    })
  return (
    <section className={own.section}>
      <header className={own.head}>
        <h2>{t('webhooks.title')}</h2>
        <Button variant="default" leftSection={<PlusIcon />} onClick={() => adding.open(null)}>
          {t('webhooks.add')}
        </Button>
      </header>
      <p className={classes.help}>{t('webhooks.lead')}</p>
      <ul className={own.list}>
        {data?.items.map((webhook) => (
          <li key={webhook.id}>
            <Card>
              <WebhookFacts webhook={webhook} />
              <WebhookActions
                webhook={webhook}
                onSecret={(value) => showSecret(webhook, value)}
                onLog={() => log.open(webhook)}
                onRemove={() => removing.open(webhook)}
              />
            </Card>
          </li>
        ))}
      </ul>
      <WebhookDialog
        isOpen={adding.isOpen}
        onMade={(webhook, value) => {
          adding.close()
          showSecret(webhook, value)
        }}
        onClose={adding.close}
      />
      <SecretDialog isOpen={secret.isOpen} secret={secret.subject} onClose={secret.close} />
      <WebhookLog isOpen={log.isOpen} webhook={log.subject} onClose={log.close} />
      <RemoveDialog isOpen={removing.isOpen} webhook={removing.subject} onClose={removing.close} />
    </section>
  )
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { t } = useTexts('integration')
  const { url, isOn, offReason, failingSince, lastSuccessAt, previousUntil, actsAs } = webhook
  const tone = !isOn ? 'off' : failingSince === null ? 'ok' : 'bad'
  const state = offReason
    ? t(`webhooks.off.${offReason}`)
    : failingSince === null
      ? t('webhooks.on')
      : t('webhooks.failing', { since: formatMoment(failingSince) })
  return (
    <span className={classes.person}>
      <b className={own.address}>{url}</b> <Badge tone={tone}>{state}</Badge>
      <small>{t('actsAs', { name: actsAs.fullName })}</small>
      <small>
        {lastSuccessAt === null
          ? t('webhooks.neverCalled')
          : t('webhooks.lastSuccess', { at: formatMoment(lastSuccessAt) })}
      </small>
      {previousUntil !== null && (
        <small>{t('webhooks.twoSecrets', { until: formatMoment(previousUntil) })}</small>
      )}
    </span>
  )
}

function WebhookActions(props: {
  webhook: Webhook
  onSecret: (secret: string) => void
  onLog: () => void
  onRemove: () => void
}) {
  const { t } = useTexts('integration')
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const { webhook } = props
  const of = { organizationId: organization.Id, webhookId: webhook.id }
  const onSettled = () => client.invalidateQueries({ queryKey: [getWebhooks.path] })
  const test = useMutation({
    mutationFn: () => call(testWebhook, of),
    onSuccess: ({ isDelivered, status, failure }) =>
      toast(
        isDelivered
          ? t('webhooks.testDone', { status: status ?? 0 })
          : status === null
            ? t(`webhooks.failures.${failureOf(failure)}`)
            : t('webhooks.testRefused', { status }),
      ),
  })
  const rotation = useMutation({
    mutationFn: () => call(rotateWebhook, of),
    onSuccess: ({ secret }) => props.onSecret(secret),
    onSettled,
  })
  const switching = useMutation({
    mutationFn: () => call(switchWebhook, { ...of, isOn: !webhook.isOn }),
    onSettled,
  })
  return (
    <Group mt={16} gap={8}>
      <Button variant="default" size="sm" loading={test.isPending} onClick={() => test.mutate()}>
        {t('webhooks.test')}
      </Button>
      <Button variant="default" size="sm" onClick={props.onLog}>
        {t('webhooks.log')}
      </Button>
      <Button variant="default" size="sm" loading={rotation.isPending} onClick={() => rotation.mutate()}>
        {t('webhooks.rotate')}
      </Button>
      <Button variant="default" size="sm" loading={switching.isPending} onClick={() => switching.mutate()}>
        {webhook.isOn ? t('webhooks.switchOff') : t('webhooks.switchOn')}
      </Button>
      <Button variant="default" size="sm" onClick={props.onRemove}>
        {t('webhooks.remove')}
      </Button>
    </Group>
  )
}

function RemoveDialog(props: { isOpen: boolean; webhook: Webhook | null; onClose: () => void }) {
  const { t } = useTexts('integration')
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const removal = useMutation({
    mutationFn: (webhookId: string) => call(deleteWebhook, { organizationId: organization.Id, webhookId }),
    onSuccess: () => {
      toast(t('webhooks.removed'))
      props.onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: [getWebhooks.path] }),
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={t('webhooks.removeTitle')}
      text={t('webhooks.removeText', { url: props.webhook?.url ?? '' })}
      yes={t('webhooks.remove')}
      isDangerous
      isBusy={removal.isPending}
      onYes={() => props.webhook && removal.mutate(props.webhook.id)}
      onNo={props.onClose}
    />
  )
}
