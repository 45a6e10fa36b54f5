/**
 * The page of a person who signed in with a digital signature and has no account: the documents sent to their
 * numbers, and one step to an account that keeps them.
 */
import { Button, Group } from '@mantine/core'
import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import type * as z from 'zod/mini'
import type { getRecipient } from '@kelisim/domain/identity/contract.ts'
import { unbroken } from '@kelisim/domain/numbers.ts'
import { pages, requestPage } from '@kelisim/domain/pages.ts'
import { getInbox } from '@kelisim/domain/requests/entry-contract.ts'
import { ApiError, call } from '../../api/api.ts'
import { pageConfig } from '../../api/page-config.ts'
import { signInAddress } from '../../api/sign-in-address.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { leave } from '../../shell/session/sign-out.ts'
import { useAddress } from '../../ui/browser/address.ts'
import { ownReturn } from '../../ui/browser/own-return.ts'
import { formatDate } from '../../ui/format/dates.ts'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { NoData } from '../../ui/page/states.tsx'
import { RequestStatusMark } from '../shared/request-status.tsx'
import classes from './outsider-page.module.css'

export type Recipient = z.output<typeof getRecipient.result>
type Lines = z.output<typeof getInbox.result>
type Line = Lines['items'][number]

const pageSize = 20

export function OutsiderPage() {
  const { t } = useTexts('identity')
  const { recipient } = useRouteContext({ from: '/empty/outsider' }) as { recipient: Recipient }
  const { returnUri } = useAddress().search
  const { fullName, iin, bin, organization } = recipient
  const back = ownReturn(returnUri, window.location.origin) ?? pages.incomingRequests
  const who = [
    fullName,
    iin && `${t('common:iin')} ${unbroken(iin)}`,
    organization,
    bin && `${t('common:bin')} ${unbroken(bin)}`,
  ].filter((part) => part)
  return (
    <Page isNarrow title={t('outsider.title')} lead={who.join(' · ')}>
      <Inbox />
      <Card title={t('outsider.keep')}>
        <p>{t('outsider.keepText')}</p>
        <Group mt="md">
          {pageConfig.registerUrl && (
            <Button component="a" href={pageConfig.registerUrl}>
              {t('outsider.register')}
            </Button>
          )}
          <Button component="a" variant="default" href={signInAddress(back, true)}>
            {t('outsider.anotherSignature')}
          </Button>
          <Button variant="default" onClick={() => void leave()}>
            {t('outsider.signOut')}
          </Button>
        </Group>
      </Card>
    </Page>
  )
}

function Inbox() {
  const { t } = useTexts('identity')
  const inbox = useInfiniteQuery<Lines, ApiError, InfiniteData<Lines>, string[], number>({
    queryKey: [getInbox.path],
    queryFn: ({ pageParam: skip }) => call(getInbox, { skip, take: pageSize }),
    initialPageParam: 0,
    getNextPageParam: ({ totalCount }, all) =>
      all.length * pageSize < totalCount ? all.length * pageSize : undefined,
    staleTime: 0,
  })
  if (inbox.error) return <LoadFailed error={inbox.error} onRetry={() => void inbox.refetch()} />
  if (!inbox.data) return <LoadingLines count={4} />
  const lines = inbox.data.pages.flatMap(({ items }) => items)
  if (lines.length === 0) return <NoData text={t('outsider.nothing')} />
  return (
    <>
      <ul className={classes.inbox} aria-label={t('outsider.inbox')}>
        {lines.map((line) => (
          <InboxLine key={line.id} line={line} />
        ))}
      </ul>
      {inbox.hasNextPage && (
        <Group justify="center" mb="md">
          <Button
            variant="default"
            loading={inbox.isFetchingNextPage}
            onClick={() => void inbox.fetchNextPage()}
          >
            {t('outsider.more')}
          </Button>
        </Group>
      )}
    </>
  )
}

function InboxLine({ line }: { line: Line }) {
  const { t } = useTexts('identity')
  const { organization } = line
  return (
    <li data-waits={line.isWaiting || undefined}>
      <a href={requestPage(line.id)}>
        <b>{line.name}</b>
        {line.isWaiting ? (
          <span className={classes.waits}>{t('outsider.waits')}</span>
        ) : (
          <RequestStatusMark status={line.status} />
        )}
        <small>
          {organization.shortName} · {t('common:bin')} {unbroken(organization.bin)} ·{' '}
          {formatDate(line.arrivedAt)}
        </small>
      </a>
    </li>
  )
}
