import { Button } from '@mantine/core'
import { mailStates } from '@kelisim/domain/operator/contract.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { formatMoment } from '../ui/format/dates.ts'
import type { SmallTableColumn } from '../ui/list/small-table.tsx'
import { RefreshIcon } from '../ui/look/icons.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card } from '../ui/page/page.tsx'
import classes from './operator.module.css'
import { Badge, type Tone } from '../ui/look/badge.tsx'
import { formatBytes, More, Rows, Section, useDuration } from './parts.tsx'
import type { HealthQuery, Overview } from './overview.ts'

export function StateSections({ overview, health }: { overview: Overview; health: HealthQuery }) {
  return (
    <>
      <Services health={health} />
      <div className={classes.grid}>
        <Emails mail={overview.mail} />
        <Storage storage={overview.storage} />
      </div>
      <Archive archive={overview.archive} />
      <Backups backups={overview.backups} />
    </>
  )
}

const tones: Record<'good' | 'bad' | 'off', Tone> = { good: 'ok', bad: 'bad', off: 'off' }

/** Services without a fixed address: it comes from the certificate that is being checked. */
const byCertificate = ['ocsp', 'revocation-lists']

function Services({ health: { data, isFetching, refetch } }: { health: HealthQuery }) {
  const { t } = useTexts('operator')
  return (
    <Section
      title={t('health.title')}
      action={
        <Button
          variant="default"
          leftSection={<RefreshIcon size={18} />}
          loading={isFetching}
          onClick={() => void refetch()}
        >
          {t('health.again')}
        </Button>
      }
    >
      <Card>
        {!data && <LoadingLines />}
        <ul className={classes.services}>
          {data?.services.map(({ name, state, milliseconds, detail }) => (
            <li key={name}>
              <span>{t(`health.names.${name}`)}</span>
              <Badge tone={tones[state]}>
                {t(
                  state === 'off' && byCertificate.includes(name)
                    ? 'health.byCertificate'
                    : `health.${state}`,
                )}
              </Badge>
              <small>
                {[detail, milliseconds !== null && t('health.took', { count: milliseconds })]
                  .filter((part) => part)
                  .join(' · ')}
              </small>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}

function Emails({ mail }: Pick<Overview, 'mail'>) {
  const { t } = useTexts('operator')
  const countOf = (state: string) => mail.find((one) => one.state === state)?.count ?? 0
  return (
    <Card title={t('mail.title')}>
      <dl className={classes.figures}>
        {mailStates
          .filter((state) => state !== 'kept' || countOf('kept') > 0)
          .map((state) => (
            <Figure
              key={state}
              name={t(`mail.states.${state}`)}
              value={countOf(state).toLocaleString('ru-RU')}
            />
          ))}
      </dl>
    </Card>
  )
}

function Storage({ storage: { files, bytes, freeBytes } }: Pick<Overview, 'storage'>) {
  const { t } = useTexts('operator')
  return (
    <Card title={t('storage.title')}>
      <dl className={classes.figures}>
        <Figure name={t('storage.files')} value={files.toLocaleString('ru-RU')} />
        <Figure name={t('storage.bytes')} value={formatBytes(bytes, t)} />
        <Figure
          name={t('storage.free')}
          value={freeBytes === null ? t('storage.endless') : formatBytes(freeBytes, t)}
        />
      </dl>
    </Card>
  )
}

/** Half of the 90 days in which timestamps are renewed before they end: the renewal is late from then on. */
const alarmDays = 45

/** The state of the archive: until when it proves everything that was signed here. */
function Archive({ archive }: Pick<Overview, 'archive'>) {
  const { t } = useTexts('operator')
  const { archived, waiting, unproved, timestamps, newestAt, service, hash, endsAt, daysLeft } = archive
  const isLate = daysLeft !== null && daysLeft < alarmDays
  const missing = waiting + unproved
  return (
    <Card title={t('archive.title')}>
      <dl className={classes.figures}>
        <Figure name={t('archive.archived')} value={archived.toLocaleString('ru-RU')} />
        <Figure name={t('archive.waiting')} value={missing.toLocaleString('ru-RU')} />
        <Figure name={t('archive.timestamps')} value={timestamps.toLocaleString('ru-RU')} />
        {newestAt !== null && <Figure name={t('archive.newest')} value={formatMoment(newestAt)} />}
        {service !== null && <Figure name={t('archive.service')} value={service} />}
        {hash !== null && <Figure name={t('archive.hash')} value={hash.toUpperCase()} />}
        {endsAt !== null && <Figure name={t('archive.endsAt')} value={formatMoment(endsAt)} />}
      </dl>
      {endsAt !== null && (
        <p className={classes.archiveState}>
          <Badge tone={isLate ? 'bad' : 'ok'}>{t(isLate ? 'archive.late' : 'archive.good')}</Badge>
        </p>
      )}
    </Card>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}

function Backups({ backups }: Pick<Overview, 'backups'>) {
  const { t } = useTexts('operator')
  return (
    <Section title={t('backups.title')}>
      <Rows
        label={t('backups.title')}
        items={backups}
        rowKey={(backup) => backup.id}
        none={t('backups.none')}
        columns={useBackupColumns()}
      />
    </Section>
  )
}

function outcomeOf({ endedAt, failure, isVerified }: Overview['backups'][number]) {
  if (endedAt === null) return failure === null ? 'running' : 'broken'
  if (failure !== null) return 'failed'
  return isVerified ? 'verified' : 'unverified'
}

function useBackupColumns(): SmallTableColumn<Overview['backups'][number]>[] {
  const { t } = useTexts('operator')
  const duration = useDuration()
  return [
    { title: t('backups.columns.when'), cell: ({ beganAt }) => formatMoment(beganAt) },
    {
      title: t('backups.columns.outcome'),
      cell: (backup) => (
        <More small={backup.failure}>
          <Badge tone={backup.failure === null ? 'ok' : 'bad'}>{t(`backups.${outcomeOf(backup)}`)}</Badge>
        </More>
      ),
    },
    {
      title: t('backups.columns.took'),
      cell: ({ beganAt, endedAt }) =>
        endedAt === null ? '—' : duration((Date.parse(endedAt) - Date.parse(beganAt)) / 1000),
    },
    { title: t('backups.columns.files'), cell: ({ files }) => files.toLocaleString('ru-RU') },
    { title: t('backups.columns.size'), cell: ({ bytes }) => formatBytes(bytes, t) },
    { title: t('backups.columns.place'), cell: ({ place }) => place },
  ]
}
