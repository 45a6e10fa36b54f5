import { useTexts } from '../i18n/use-texts.ts'
import { formatDate, formatMoment } from '../ui/format/dates.ts'
import type { SmallTableColumn } from '../ui/list/small-table.tsx'
import { Badge } from '../ui/look/badge.tsx'
import { formatBytes, More, Rows, Section } from './parts.tsx'
import type { Overview } from './overview.ts'

/** From this number of days on, a certificate is marked as expiring. */
const soonDays = 90

export function TrustSections({ overview: { trust, subscriptions } }: { overview: Overview }) {
  const { t } = useTexts('operator')
  return (
    <>
      {trust.revokedBefore.length > 0 && <RevokedBefore signatures={trust.revokedBefore} />}
      <Section title={t('trust.title')}>
        <Rows
          label={t('trust.title')}
          items={trust.certificates}
          rowKey={({ subject, validTo }) => `${subject} ${validTo}`}
          none={t('trust.none')}
          columns={useCertificateColumns()}
        />
      </Section>
      <Section title={t('lists.title')}>
        <Rows
          label={t('lists.title')}
          items={trust.lists}
          rowKey={({ issuer, fetchedAt }) => `${issuer} ${fetchedAt}`}
          none={t('lists.none')}
          columns={useListColumns()}
        />
      </Section>
      <Subscriptions subscriptions={subscriptions} />
    </>
  )
}

type Trust = Overview['trust']

function useCertificateColumns(): SmallTableColumn<Trust['certificates'][number]>[] {
  const { t } = useTexts('operator')
  return [
    { title: t('trust.columns.subject'), cell: ({ subject }) => <b>{subject}</b> },
    { title: t('trust.columns.kind'), cell: ({ isRoot }) => t(isRoot ? 'trust.root' : 'trust.centre') },
    { title: t('trust.columns.until'), cell: ({ validTo }) => formatDate(validTo) },
    {
      title: t('trust.columns.left'),
      cell: ({ daysLeft }) => (
        <Badge tone={daysLeft < 0 ? 'bad' : daysLeft < soonDays ? 'gold' : 'off'}>
          {t('trust.days', { count: daysLeft })}
        </Badge>
      ),
    },
  ]
}

function useListColumns(): SmallTableColumn<Trust['lists'][number]>[] {
  const { t } = useTexts('operator')
  return [
    { title: t('lists.columns.issuer'), cell: ({ issuer }) => <b>{issuer}</b> },
    { title: t('lists.columns.fetched'), cell: ({ fetchedAt }) => formatMoment(fetchedAt) },
    {
      title: t('lists.columns.next'),
      cell: ({ nextUpdate }) => (
        <Badge tone={Date.parse(nextUpdate) < Date.now() ? 'bad' : 'off'}>{formatMoment(nextUpdate)}</Badge>
      ),
    },
    { title: t('lists.columns.size'), cell: ({ bytes }) => formatBytes(bytes, t) },
  ]
}

function RevokedBefore({ signatures }: { signatures: Trust['revokedBefore'] }) {
  const { t } = useTexts('operator')
  return (
    <Section title={t('revoked.title')} lead={t('revoked.lead')}>
      <Rows
        label={t('revoked.title')}
        items={signatures}
        rowKey={({ signatureId }) => signatureId}
        none={t('dead.none')}
        columns={[
          { title: t('revoked.columns.request'), cell: ({ requestId }) => requestId },
          {
            title: t('revoked.columns.revoked'),
            cell: ({ revokedAt }) => (revokedAt === null ? '—' : formatMoment(revokedAt)),
          },
          { title: t('revoked.columns.checked'), cell: ({ checkedAt }) => formatMoment(checkedAt) },
        ]}
      />
    </Section>
  )
}

function Subscriptions({ subscriptions: { ending, pending } }: Pick<Overview, 'subscriptions'>) {
  const { t } = useTexts('operator')
  const items: Turn[] = [
    ...ending.map((one) => ({ ...one, state: 'ending' as const })),
    ...pending.map((one) => ({ ...one, state: 'pending' as const })),
  ]
  return (
    <Section title={t('subscriptions.title')}>
      <Rows
        label={t('subscriptions.title')}
        items={items}
        rowKey={({ bin, startDate, endDate, tariff }) => `${bin} ${tariff} ${startDate} ${endDate}`}
        none={t('subscriptions.none')}
        columns={useTurnColumns()}
      />
    </Section>
  )
}

type Turn = Overview['subscriptions']['ending'][number] & { state: 'ending' | 'pending' }

function useTurnColumns(): SmallTableColumn<Turn>[] {
  const { t } = useTexts('operator')
  return [
    {
      title: t('subscriptions.columns.organization'),
      cell: ({ organization, bin }) => (
        <More small={bin}>
          <b>{organization}</b>
        </More>
      ),
    },
    { title: t('subscriptions.columns.tariff'), cell: ({ tariff }) => t(`shell:tariffs.${tariff}`) },
    {
      title: t('subscriptions.columns.term'),
      cell: ({ startDate, endDate }) => `${formatDate(startDate)} – ${formatDate(endDate)}`,
    },
    {
      title: t('subscriptions.columns.state'),
      cell: ({ state }) => (
        <Badge tone={state === 'ending' ? 'gold' : 'off'}>{t(`subscriptions.${state}`)}</Badge>
      ),
    },
  ]
}
