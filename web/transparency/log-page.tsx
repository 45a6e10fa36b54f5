/** `/log`: the public page of the transparency log and its witnesses. */
import { useQuery } from '@tanstack/react-query'
import type { getLogState } from '@kelisim/domain/transparency/contract.ts'
import { pages } from '@kelisim/domain/pages.ts'
import type * as z from 'zod/mini'
import { useTexts } from '../i18n/use-texts.ts'
import { formatMoment } from '../ui/format/dates.ts'
import { Badge, type Tone } from '../ui/look/badge.tsx'
import listClasses from '../ui/list/list.module.css'
import { Facts, type Fact } from '../ui/page/facts.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import classes from './log-page.module.css'
import { logStateQuery } from './queries.ts'

type LogState = z.output<typeof getLogState.result>

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
function isAlarm({ failure }: LogState['witnesses'][number]): boolean {
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

function Witnesses({ witnesses }: { witnesses: LogState['witnesses'] }) {
  const { t } = useTexts('transparency')
  return (
    <div className={listClasses.list}>
      <div className={listClasses.paper}>
        <table className={listClasses.table} aria-label={t('witnesses.title')}>
          <thead>
            <tr>
              {(['name', 'last', 'state'] as const).map((column) => (
                <th key={column} scope="col">
                  {t(`witnesses.columns.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {witnesses.map((witness) => (
              <Witness key={witness.name} witness={witness} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function Witness({ witness }: { witness: LogState['witnesses'][number] }) {
  const { t } = useTexts('transparency')
  const { name, key, last, failure } = witness
  const tone: Tone = failure === null ? 'ok' : isAlarm(witness) ? 'bad' : 'gold'
  return (
    <tr>
      <td data-title={t('witnesses.columns.name')} data-names>
        <NameAndKey name={name} vkey={key} />
      </td>
      <td data-title={t('witnesses.columns.last')}>
        {last
          ? t('witnesses.lastValue', { size: last.size, time: formatMoment(last.at) })
          : t('witnesses.never')}
      </td>
      <td data-title={t('witnesses.columns.state')}>
        {(last !== null || failure !== null) && (
          <Badge tone={tone}>
            {failure === null ? t('witnesses.good') : t(`witnesses.failure.${failure}`)}
          </Badge>
        )}
      </td>
    </tr>
  )
}

function NameAndKey({ name, vkey }: { name: string; vkey: string }) {
  return (
    <span className={classes.witness}>
      <b>{name}</b>
      <code>{vkey}</code>
    </span>
  )
}
