import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import {
  type DeadLetter,
  dropDeadLetters,
  getDeadLetters,
  getOverview,
  retryDeadLetters,
  runChore,
} from '@kelisim/domain/operator/contract.ts'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm.tsx'
import { formatMoment } from '../ui/format/dates.ts'
import { PlayIcon, RefreshIcon, TrashIcon } from '../ui/look/icons.tsx'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { List } from '../ui/list/list.tsx'
import { RowAction } from '../ui/list/row-action.tsx'
import type { SmallTableColumn } from '../ui/list/small-table.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import classes from './operator.module.css'
import { Badge, type Tone } from '../ui/look/badge.tsx'
import { More, readable, Rows, Section, useDuration, useWorkName } from './parts.tsx'
import { deadLettersQuery } from './queries.ts'
import type { Overview } from './overview.ts'

export function WorkSections({ overview }: { overview: Overview }) {
  return (
    <>
      <Queues queues={overview.queues} />
      <DeadLetters queues={overview.queues} />
      <Chores chores={overview.chores} />
    </>
  )
}

function useRefresh() {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: [getOverview.path] }),
      client.invalidateQueries({ queryKey: [getDeadLetters.path] }),
    ])
}

function Queues({ queues }: Pick<Overview, 'queues'>) {
  const { t } = useTexts('operator')
  return (
    <Section title={t('queues.title')}>
      <Rows
        label={t('queues.title')}
        items={queues}
        rowKey={(queue) => queue.name}
        none={t('chores.never')}
        columns={useQueueColumns()}
      />
    </Section>
  )
}

function useQueueColumns(): SmallTableColumn<Overview['queues'][number]>[] {
  const { t } = useTexts('operator')
  const nameOf = useWorkName()
  const duration = useDuration()
  const number = (count: number) => count.toLocaleString('ru-RU')
  return [
    { title: t('queues.columns.name'), cell: ({ name }) => <b>{nameOf(name)}</b> },
    { title: t('queues.columns.ready'), cell: ({ ready }) => number(ready) },
    { title: t('queues.columns.waiting'), cell: ({ waiting }) => number(waiting) },
    { title: t('queues.columns.active'), cell: ({ active }) => number(active) },
    {
      title: t('queues.columns.dead'),
      cell: ({ dead }) => (dead > 0 ? <Badge tone="bad">{number(dead)}</Badge> : number(dead)),
    },
    {
      title: t('queues.columns.oldest'),
      cell: ({ oldestSeconds }) => (oldestSeconds === null ? '—' : duration(oldestSeconds)),
    },
  ]
}

type Letter = z.output<typeof DeadLetter>

function DeadLetters({ queues }: Pick<Overview, 'queues'>) {
  const { t } = useTexts('operator')
  const nameOf = useWorkName()
  const dropping = useDialog<Letter>()
  const refresh = useRefresh()
  const retry = useMutation({
    mutationFn: (which: { ids?: string[]; name?: string }) => call(retryDeadLetters, which),
    onSuccess: ({ count }) => toast(t('dead.retried', { count })),
    onSettled: refresh,
  })
  return (
    <Section
      title={t('dead.title')}
      lead={t('dead.lead')}
      action={queues
        .filter(({ dead }) => dead > 1)
        .map(({ name }) => (
          <Button
            key={name}
            variant="default"
            h="auto"
            mih={40}
            classNames={{ label: classes.several ?? '' }}
            loading={retry.isPending}
            onClick={() => retry.mutate({ name })}
          >
            {t('dead.retryAll', { name: nameOf(name) })}
          </Button>
        ))}
    >
      <List
        id="dead-letters"
        label={t('dead.title')}
        source={deadLettersQuery(useListSearch())}
        rowKey={({ id }) => id}
        empty={<p className={classes.none}>{t('dead.none')}</p>}
        columns={useLetterColumns()}
        actions={useLetterActions((id) => retry.mutate({ ids: [id] }), dropping.open)}
      />
      <DropDialog isOpen={dropping.isOpen} letter={dropping.subject} onClose={dropping.close} />
    </Section>
  )
}

function useLetterColumns(): Column<Letter>[] {
  const { t } = useTexts('operator')
  const nameOf = useWorkName()
  return [
    {
      key: 'name',
      title: t('dead.columns.name'),
      isFixed: true,
      cell: ({ name, data }) => (
        <More small={readable(data)}>
          <b>{nameOf(name)}</b>
        </More>
      ),
    },
    { key: 'reason', title: t('dead.columns.reason'), cell: ({ reason }) => reason },
    { key: 'died', title: t('dead.columns.died'), width: 160, cell: ({ diedAt }) => formatMoment(diedAt) },
    { key: 'tries', title: t('dead.columns.tries'), width: 110, cell: ({ tries }) => tries },
  ]
}

function useLetterActions(onRetry: (id: string) => void, onDrop: (letter: Letter) => void) {
  const { t } = useTexts('operator')
  const nameOf = useWorkName()
  return (letter: Letter) => (
    <>
      <RowAction label={t('dead.retry', { name: nameOf(letter.name) })} onClick={() => onRetry(letter.id)}>
        <RefreshIcon />
      </RowAction>
      <RowAction
        label={t('dead.drop', { name: nameOf(letter.name) })}
        isDangerous
        onClick={() => onDrop(letter)}
      >
        <TrashIcon />
      </RowAction>
    </>
  )
}

function DropDialog(props: { isOpen: boolean; letter: Letter | null; onClose: () => void }) {
  const { t } = useTexts('operator')
  const refresh = useRefresh()
  const drop = useMutation({
    mutationFn: (id: string) => call(dropDeadLetters, { ids: [id] }),
    onSuccess: () => toast(t('dead.dropped')),
    onSettled: () => {
      props.onClose()
      return refresh()
    },
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={t('dead.dropTitle')}
      text={t('dead.dropText')}
      yes={t('dead.dropYes')}
      isDangerous
      isBusy={drop.isPending}
      onYes={() => props.letter && drop.mutate(props.letter.id)}
      onNo={props.onClose}
    />
  )
}

const tones: Record<NonNullable<Overview['chores'][number]['lastOutcome']>, Tone> = {
  waiting: 'gold',
  running: 'off',
  done: 'ok',
  failed: 'bad',
}

function Chores({ chores }: Pick<Overview, 'chores'>) {
  const { t } = useTexts('operator')
  const refresh = useRefresh()
  const run = useMutation({
    mutationFn: (name: string) => call(runChore, { name }),
    onSuccess: ({ isQueued }) => toast(t(isQueued ? 'chores.queued' : 'chores.already')),
    onSettled: refresh,
  })
  return (
    <Section title={t('chores.title')}>
      <Rows
        label={t('chores.title')}
        items={chores}
        rowKey={(chore) => chore.name}
        none={t('chores.never')}
        columns={useChoreColumns()}
        action={useChoreAction((name) => run.mutate(name))}
      />
    </Section>
  )
}

type Chore = Overview['chores'][number]

function useChoreColumns(): SmallTableColumn<Chore>[] {
  const { t } = useTexts('operator')
  const nameOf = useWorkName()
  return [
    {
      title: t('chores.columns.name'),
      cell: ({ name, cron }) => (
        <More small={cron}>
          <b>{nameOf(name)}</b>
        </More>
      ),
    },
    {
      title: t('chores.columns.last'),
      cell: ({ lastAt }) => (lastAt === null ? t('chores.never') : formatMoment(lastAt)),
    },
    {
      title: t('chores.columns.outcome'),
      cell: ({ lastOutcome, lastReason }) =>
        lastOutcome === null ? (
          '—'
        ) : (
          <More small={lastReason}>
            <Badge tone={tones[lastOutcome]}>{t(`chores.outcomes.${lastOutcome}`)}</Badge>
          </More>
        ),
    },
    {
      title: t('chores.columns.next'),
      cell: ({ nextAt }) => (nextAt === null ? '—' : formatMoment(nextAt)),
    },
  ]
}

function useChoreAction(onRun: (name: string) => void) {
  const { t } = useTexts('operator')
  const nameOf = useWorkName()
  return ({ name }: Chore) => (
    <RowAction label={t('chores.run', { name: nameOf(name) })} onClick={() => onRun(name)}>
      <PlayIcon />
    </RowAction>
  )
}
