/**
 * The home page: requests that wait for the person, own requests that wait for others, finished ones, expiring
 * things.
 */
import { useState, type ReactNode } from 'react'
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type * as z from 'zod/mini'
import { remindOfRequest } from '@kelisim/domain/notifications/emails-contract.ts'
import {
  fullySignedStatuses,
  requestStatuses,
  withdrawableStatuses,
} from '@kelisim/domain/requests/status.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { signedStatuses, type RequestPath } from '@kelisim/domain/requests/list-contract.ts'
import type { Ending, getToday } from '@kelisim/domain/today/contract.ts'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { awaitedInLine } from '../requests/lists/list-line.ts'
import { Overdue } from '../requests/shared/overdue.tsx'
import { RequestStatusMark } from '../requests/shared/request-status.tsx'
import { portalAddress } from '../shell/session/portal-address.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { toast } from '../ui/dialogs/toast.tsx'
import { formatDate } from '../ui/format/dates.ts'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { todayQuery } from './queries.ts'
import classes from './today.module.css'

type Today = z.output<typeof getToday.result>
type Line = Today['waiting']['items'][number]
type StuckLine = Today['stuck']['items'][number]

export function TodayPage() {
  const { t } = useTexts('today')
  const { organization } = useWorkplace()
  const [today] = useState(() => new Date().toISOString())
  const { data, error, refetch } = useQuery(todayQuery(organization.Id))
  return (
    <Page title={t('title')} note={formatDate(today)}>
      <Unconfirmed />
      {error && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingLines count={8} />}
      {data && <Sections today={data} />}
    </Page>
  )
}

/** Tells owners that the organisation is not confirmed; nobody else can prove its number. */
function Unconfirmed() {
  const { t } = useTexts('today')
  const { organization, role } = useWorkplace()
  if (organization.IsConfirmed || role !== 'Owner') return null
  return (
    <p className={classes.unconfirmed}>
      {t('unconfirmed.text')} <a href={portalAddress(organization.Id)}>{t('unconfirmed.confirm')}</a>
    </p>
  )
}

function Sections({ today: { waiting, stuck, finished, ending } }: { today: Today }) {
  const { t } = useTexts('today')
  return (
    <div className={classes.sections}>
      <Section
        title={t('waiting.title')}
        none={t('waiting.none')}
        all={t('waiting.all')}
        totalCount={waiting.totalCount}
        listed={{ route: 'incomings', search: { signedStatus: signedStatuses.of('UnSigned') } }}
        asks
      >
        {waiting.items.map((line) => (
          <Row key={line.id} line={line} route="incomings" about={line.organization.shortName} />
        ))}
      </Section>
      <Section
        title={t('stuck.title')}
        none={t('stuck.none')}
        all={t('stuck.all')}
        totalCount={stuck.totalCount}
        listed={{
          route: 'outgoings',
          search: { status: requestStatuses.of(...withdrawableStatuses) },
        }}
        more={<Link to={pages.insight}>{t('stuck.where')}</Link>}
      >
        {stuck.items.map((line) => (
          <Row
            key={line.id}
            line={line}
            route="outgoings"
            about={t('stuck.waits', { who: line.waitsFor.join(', '), date: formatDate(line.since) })}
          >
            <Remind line={line} />
          </Row>
        ))}
      </Section>
      <Section
        title={t('finished.title')}
        none={t('finished.none')}
        all={t('finished.all')}
        totalCount={finished.totalCount}
        listed={{ route: 'outgoings', search: { status: requestStatuses.of(...fullySignedStatuses) } }}
      >
        {finished.items.map((line) => (
          <Row key={line.id} line={line} route="outgoings" about={formatDate(line.changedAt)} />
        ))}
      </Section>
      {ending.length > 0 && (
        <Card title={t('ending.title')}>
          <ul className={classes.rows}>
            {ending.map((one) => (
              <EndingRow key={one.id ?? one.kind} ending={one} />
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}

function Section(props: {
  title: string
  none: string
  all: string
  totalCount: number
  listed: { route: RequestPath; search: NonNullable<LinkProps['search']> }
  /** A link to more information about all items. */
  more?: ReactNode
  /** The items wait for an act of the person. */
  asks?: boolean
  children: ReactNode
}) {
  const { t } = useTexts('today')
  const { title, totalCount, listed } = props
  return (
    <section className={classes.section} {...(props.asks && totalCount > 0 && { 'data-asks': true })}>
      <h2>
        {title}
        {totalCount > 0 && <span className={classes.count}>{totalCount}</span>}
      </h2>
      {totalCount === 0 ? (
        <p className={classes.none}>{props.none}</p>
      ) : (
        <>
          <ul className={classes.rows}>{props.children}</ul>
          <p className={classes.all}>
            <Link to="/signingRequests/$route" params={{ route: listed.route }} search={listed.search}>
              {props.all}
            </Link>
            {props.asks && totalCount > 1 && (
              <Link to="/signingRequests/queue">{t('requests-lists:queue.open')}</Link>
            )}
            {props.more}
          </p>
        </>
      )}
    </section>
  )
}

function Row(props: { line: Line; route: RequestPath; about: string; children?: ReactNode }) {
  const { line, route, about } = props
  return (
    <li>
      <span className={classes.what}>
        <Link to="/signingRequests/$route/$id" params={{ route, id: line.id }}>
          {line.name}
        </Link>
        <small>{about}</small>
        <Overdue dueOn={line.dueOn} />
      </span>
      {props.children ?? <RequestStatusMark status={line.status} awaited={awaitedInLine(line)} />}
    </li>
  )
}

function Remind({ line }: { line: StuckLine }) {
  const { t } = useTexts('today')
  const { organization } = useWorkplace()
  const client = useQueryClient()
  const remind = useMutation({
    mutationFn: () => call(remindOfRequest, { organizationId: organization.Id, signingRequestId: line.id }),
    onSuccess: () => toast(t('stuck.reminded')),
    onSettled: () => client.invalidateQueries({ queryKey: todayQuery(organization.Id).queryKey }),
  })
  const { canRemind, lastAt } = line.reminder
  if (!canRemind) {
    return (
      lastAt && (
        <small className={classes.already}>{t('stuck.remindedAt', { date: formatDate(lastAt) })}</small>
      )
    )
  }
  return (
    <Button
      variant="default"
      size="sm"
      loading={remind.isPending}
      aria-label={t('stuck.remindOf', { name: line.name })}
      onClick={() => remind.mutate()}
    >
      {t('stuck.remind')}
    </Button>
  )
}

function EndingRow({ ending: { kind, subject, date } }: { ending: z.output<typeof Ending> }) {
  const { t, find } = useTexts('today')
  const { organization } = useWorkplace()
  if (kind === 'subscription') {
    const name = find(`shell:tariffs.${subject}`) ?? subject
    return <li>{t('ending.subscription', { name, date: formatDate(date) })}</li>
  }
  return (
    <li>
      <Link to="/portal/$organizationId/powers" params={{ organizationId: organization.Id }}>
        {t('ending.power', { name: subject, date: formatDate(date) })}
      </Link>
    </li>
  )
}
