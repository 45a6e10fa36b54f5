/** The journals of the organisation: the form of their numbers, and how many they have given. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { ListOf } from '../ui/list/list.tsx'
import { RowAction } from '../ui/list/row-action.tsx'
import { Badge } from '../ui/look/badge.tsx'
import { EditIcon, PlusIcon } from '../ui/look/icons.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { Page } from '../ui/page/page.tsx'
import { NoData } from '../ui/page/states.tsx'
import { JournalDialog } from './journal-dialog.tsx'
import { journalsQuery, pageOfNamed, type JournalView } from './queries.ts'
import classes from './registers.module.css'

export function JournalsPage() {
  const { t } = useTexts('registers')
  const { organization, options } = useWorkplace()
  const { manageOrganization: isOwner, keepRegisters } = options.allowed
  const position = useListSearch()
  const { data, error, refetch } = useQuery(journalsQuery(organization.Id))
  const editing = useDialog<JournalView | null>()
  const columns = useColumns()
  const actions = useActions(editing.open)
  if (error && !data) return <LoadFailed error={error} onRetry={() => void refetch()} />
  const add = (
    <Button leftSection={<PlusIcon size={18} />} onClick={() => editing.open(null)}>
      {t('journals.add')}
    </Button>
  )
  return (
    <Page title={t('journals.title')} lead={t('journals.lead')} action={isOwner && add}>
      <ListOf
        id="journals"
        label={t('journals.title')}
        {...pageOfNamed(data?.items, position)}
        columns={columns}
        rowKey={({ id }) => id}
        hasSearch
        searchLabel={t('journals.search')}
        {...(keepRegisters && {
          linkOf: ({ id }: JournalView) => ({ to: '/journals/$id', params: { id } }),
        })}
        {...(isOwner && { actions })}
        empty={<NoData text={t('journals.empty')}>{isOwner && add}</NoData>}
      />
      <JournalDialog isOpen={editing.isOpen} journal={editing.subject} onClose={editing.close} />
    </Page>
  )
}

function useActions(onEdit: (journal: JournalView) => void) {
  const { t } = useTexts('registers')
  return (journal: JournalView) => (
    <RowAction label={t('journals.edit', { name: journal.name })} onClick={() => onEdit(journal)}>
      <EditIcon />
    </RowAction>
  )
}

function useColumns(): Column<JournalView>[] {
  const { t } = useTexts('registers')
  return [
    {
      key: 'name',
      title: t('journals.columns.name'),
      isFixed: true,
      card: 'title',
      cell: ({ name, isActive }) => (
        <span className={classes.name}>
          {name}
          {!isActive && <Badge tone="off">{t('journals.closed')}</Badge>}
        </span>
      ),
    },
    {
      key: 'direction',
      title: t('journals.columns.direction'),
      width: 180,
      card: 'status',
      cell: ({ direction }) => t(`journals.directions.${direction}`),
    },
    {
      key: 'next',
      title: t('journals.columns.next'),
      width: 220,
      card: 'fact',
      cell: ({ nextNumber, isActive }) => (isActive ? nextNumber : '—'),
    },
    { key: 'count', title: t('journals.columns.count'), width: 120, cell: ({ count }) => count },
  ]
}
