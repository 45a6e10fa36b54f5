/** One campaign: the progress, a reminder to people who have not answered, the acknowledgement sheet, all names. */
import { useState } from 'react'
import { Button, Progress, SegmentedControl } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { downloadSheet, personStates } from '@kelisim/domain/campaigns/contract.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { remindOfRequest } from '@kelisim/domain/notifications/emails-contract.ts'
import { openStatuses, requestStatusOf } from '@kelisim/domain/requests/status.ts'
import { call } from '../api/api.ts'
import { fetchFile, saveBytes } from '../api/file-api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { RequestStatusMark } from '../requests/shared/request-status.tsx'
import { useWorkplace } from '../shell/session/session.ts'
import { idOf, useAddress } from '../ui/browser/address.ts'
import { toast } from '../ui/dialogs/toast.tsx'
import { formatDate, formatMoment } from '../ui/format/dates.ts'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { List } from '../ui/list/list.tsx'
import { Badge } from '../ui/look/badge.tsx'
import { DownloadIcon } from '../ui/look/icons.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { NoData, PageNotFound } from '../ui/page/states.tsx'
import classes from './campaigns.module.css'
import {
  campaignQuery,
  peopleQuery,
  type CampaignKey,
  type CampaignView,
  type PersonState,
  type PersonView,
} from './queries.ts'

export function CampaignOfAddress() {
  const { organization } = useWorkplace()
  const signingRequestId = idOf(useAddress().params.id)
  if (signingRequestId === undefined) return <PageNotFound />
  const campaignKey = { organizationId: organization.Id, signingRequestId }
  return <OneCampaign key={signingRequestId} campaignKey={campaignKey} />
}

function OneCampaign({ campaignKey }: { campaignKey: CampaignKey }) {
  const { data, error, refetch } = useQuery(campaignQuery(campaignKey))
  if (error?.status === 404) return <PageNotFound />
  if (error && !data) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingLines />
  return (
    <Page title={data.name} note={<RequestStatusMark status={data.status} />}>
      <ProgressCard campaign={data} campaignKey={campaignKey} />
      {data.groups.length > 0 && <GroupsCard groups={data.groups} />}
      <People campaign={data} campaignKey={campaignKey} />
    </Page>
  )
}

type Props = { campaign: CampaignView; campaignKey: CampaignKey }

function ProgressCard({ campaign, campaignKey }: Props) {
  const { t } = useTexts('campaigns')
  const { counts, dueOn, signedWith, status, signingRequestId } = campaign
  const { total, confirmed, waiting, excused } = counts
  const isOpen = openStatuses.includes(requestStatusOf(status))
  const reminding = useMutation({
    mutationFn: () => call(remindOfRequest, campaignKey),
    onSuccess: () => toast(t('page.reminded')),
  })
  return (
    <Card title={t('page.progress')}>
      <p className={classes.counts} role="status">
        <b>{t('page.of', { confirmed, total })}</b>
        {waiting > 0 && <span>{t('page.waiting', { count: waiting })}</span>}
        {excused > 0 && <span className={classes.quiet}>{t('page.excused', { count: excused })}</span>}
        {signedWith !== null && <span className={classes.quiet}>{t(`page.${signedWith}`)}</span>}
        {dueOn !== null && (
          <span className={classes.quiet}>{t('page.due', { date: formatDate(dueOn) })}</span>
        )}
      </p>
      <Progress size="lg" value={(confirmed / total) * 100} aria-label={t('page.progress')} />
      <div className={classes.acts}>
        {isOpen && waiting > 0 && (
          <Button loading={reminding.isPending} onClick={() => reminding.mutate()}>
            {t('page.remind')}
          </Button>
        )}
        <Button
          variant="default"
          renderRoot={(root) => (
            <Link
              to="/signingRequests/$route/$id"
              params={{ route: 'outgoings', id: signingRequestId } as never}
              {...root}
            />
          )}
        >
          {t('page.document')}
        </Button>
        <SheetButton campaign={campaign} campaignKey={campaignKey} format="pdf" />
        <SheetButton campaign={campaign} campaignKey={campaignKey} format="xlsx" />
      </div>
    </Card>
  )
}

function SheetButton({ campaign, campaignKey, format }: Props & { format: 'pdf' | 'xlsx' }) {
  const { t } = useTexts('campaigns')
  const giving = useMutation({
    mutationFn: async () => {
      const bytes = await fetchFile(downloadSheet, { ...campaignKey, format })
      saveBytes(bytes, `${t('sheet.title')} ${campaign.name}.${format}`, mediaTypes[format])
    },
  })
  return (
    <Button
      variant="default"
      leftSection={<DownloadIcon size={18} />}
      loading={giving.isPending}
      onClick={() => giving.mutate()}
    >
      {t(`page.${format}`)}
    </Button>
  )
}

function GroupsCard({ groups }: Pick<CampaignView, 'groups'>) {
  const { t } = useTexts('campaigns')
  return (
    <Card title={t('page.groups')}>
      <ul className={classes.groups}>
        {groups.map(({ name, total, confirmed }) => (
          <li key={name}>
            <span>
              {name}: {t('of', { confirmed, total })}
            </span>
            <Progress value={(confirmed / total) * 100} aria-label={name} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function People({ campaign, campaignKey }: Props) {
  const { t } = useTexts('campaigns')
  const { counts } = campaign
  const [only, setOnly] = useState<'all' | PersonState>(counts.waiting > 0 ? 'waiting' : 'all')
  const source = peopleQuery(campaignKey, useListSearch(), only === 'all' ? undefined : only)
  const choices = (['all', ...personStates] as const).filter(
    (choice) => choice === 'all' || choice === only || counts[choice] > 0,
  )
  return (
    <Card title={t('page.people')}>
      <SegmentedControl
        size="md"
        className={classes.filter}
        aria-label={t('page.people')}
        data={choices.map((value) => ({ value, label: t(`filters.${value}`) }))}
        value={only}
        onChange={(value) => setOnly(value)}
      />
      <List
        id="campaign-people"
        label={t('page.people')}
        source={source}
        columns={useColumns()}
        rowKey={({ userId }) => userId}
        hasSearch
        searchLabel={t('page.search')}
        isNarrowed={only !== 'all'}
        empty={<NoData text={t('page.nobody')} />}
      />
    </Card>
  )
}

const tones = { waiting: 'gold', confirmed: 'ok', excused: 'off' } as const

function useColumns(): Column<PersonView>[] {
  const { t } = useTexts('campaigns')
  return [
    { key: 'name', title: t('person.name'), isFixed: true, cell: ({ fullName }) => <b>{fullName}</b> },
    { key: 'groups', title: t('person.groups'), width: '24%', cell: ({ groups }) => groups.join(', ') },
    {
      key: 'state',
      title: t('person.state'),
      width: '30%',
      cell: ({ state, comment, certificate }) => (
        <span className={classes.lines}>
          <Badge tone={tones[state]}>{certificate ? t('person.signed') : t(`person.${state}`)}</Badge>
          {certificate && (
            <small>{t('person.certificate', { serialNumber: certificate.serialNumber })}</small>
          )}
          {comment !== '' && <small>{comment}</small>}
        </span>
      ),
    },
    {
      key: 'at',
      title: t('person.at'),
      width: 180,
      cell: ({ at }) => at !== null && formatMoment(at),
    },
  ]
}
