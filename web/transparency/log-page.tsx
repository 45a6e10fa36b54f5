/** `/log`: the public page of the transparency log and its witnesses. */
import { useQuery } from '@tanstack/react-query'
import type { getLogState } from '@kelisim/domain/transparency/contract.ts'
import { pages } from '@kelisim/domain/pages.ts'
import type * as z from 'zod/mini'
import { useTexts } from '../i18n/use-texts.ts'
import { formatMoment } from '../ui/format/dates.ts'
import { Badge, type Tone } from '../ui/look/badge.tsx'
import { SmallTable, type SmallTableColumn } from '../ui/list/small-table.tsx'
import { Facts, type Fact } from '../ui/page/facts.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import classes from './log-page.module.css'
import { logStateQuery } from './queries.ts'

type LogState = z.output<typeof getLogState.result>
type Witness = LogState['witnesses'][number]

/** Often enough, because heads are signed every ten minutes. */
const refreshEvery = 30_000

export function LogPage() {
  const { t } = useTexts('transparency')
  const { data, error, refetch } = useQuery({ ...logStateQuery(), refetchInterval: refreshEvery })
  return (
    <Page title={t('title')} lead={t('lead')} note={data && <StateBadge state={data} />}>
      {error && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingLines />}
      {data && (
        <div className={classes.parts}>
          <State state={data} />
          <Card title={t('witnesses.title')}>
            <p>{t(data.witnesses.length > 0 ? 'witnesses.lead' : 'witnesses.none')}</p>
            {data.witnesses.length > 0 && <Witnesses witnesses={data.witnesses} />}
          </Card>
          <Card title={t('self.title')}>
            <p>{t('self.text')}</p>
            <ul className={classes.links}>
              <li>
                <a href="/log/checkpoint">{t('self.checkpoint')}</a>
              </li>
              <li>
                <a href={pages.verify}>{t('self.verify')}</a>
              </li>
            </ul>
          </Card>
        </div>
      )}
    </Page>
  )
}

/** A witness that has seen a different log is an alarm, unlike one that does not answer. */
function isAlarm({ failure }: Witness): boolean {
  return failure === 'contradicts' || failure === 'knows-more'
}

function StateBadge({ state: { witnesses, witnessed, head } }: { state: LogState }) {
  const { t } = useTexts('transparency')
  if (witnesses.length === 0) return <Badge tone="off">{t('state.none')}</Badge>
  if (witnesses.some(isAlarm)) return <Badge tone="bad">{t('state.alarm')}</Badge>
  const isNewest = witnessed?.size === head.size
  return <Badge tone={isNewest ? 'ok' : 'gold'}>{t(isNewest ? 'state.witnessed' : 'state.partly')}</Badge>
}

function State({ state: { head, witnessed, quorum, witnesses, key } }: { state: LogState }) {
  const { t } = useTexts('transparency')
  const seen = witnessed
    ? t('facts.witnessedValue', { size: witnessed.size, time: formatMoment(witnessed.at) })
    : t('facts.notYet')
  const ofWitnesses: Fact[] = [
    [t('facts.witnessed'), seen],
    [t('facts.quorum'), t('facts.quorumValue', { quorum, count: witnesses.length })],
  ]
  return (
    <Card title={t('state.title')}>
      <Facts
        rows={[
          [t('facts.size'), String(head.size)],
          [t('facts.at'), formatMoment(head.at)],
          ...(witnesses.length > 0 ? ofWitnesses : []),
          [t('facts.root'), <code key="root">{head.root}</code>],
          [t('facts.key'), <code key="key">{key}</code>],
        ]}
      />
    </Card>
  )
}

function Witnesses({ witnesses }: { witnesses: readonly Witness[] }) {
  const { t } = useTexts('transparency')
  return (
    <SmallTable
      label={t('witnesses.title')}
      items={witnesses}
      rowKey={({ name }) => name}
      columns={useWitnessColumns()}
    />
  )
}

function useWitnessColumns(): SmallTableColumn<Witness>[] {
  const { t } = useTexts('transparency')
  return [
    { title: t('witnesses.columns.name'), cell: ({ name, key }) => <NameAndKey name={name} vkey={key} /> },
    {
      title: t('witnesses.columns.last'),
      cell: ({ last }) =>
        last
          ? t('witnesses.lastValue', { size: last.size, time: formatMoment(last.at) })
          : t('witnesses.never'),
    },
    { title: t('witnesses.columns.state'), cell: (witness) => <WitnessState witness={witness} /> },
  ]
}

function NameAndKey({ name, vkey }: { name: string; vkey: string }) {
  return (
    <span className={classes.witness}>
      <b>{name}</b>
      <code>{vkey}</code>
    </span>
  )
}

function WitnessState({ witness }: { witness: Witness }) {
  const { t } = useTexts('transparency')
  const { last, failure } = witness
  if (last === null && failure === null) return null
  const tone: Tone = failure === null ? 'ok' : isAlarm(witness) ? 'bad' : 'gold'
  return (
    <Badge tone={tone}>{failure === null ? t('witnesses.good') : t(`witnesses.failure.${failure}`)}</Badge>
  )
}
