/** The kinds of documents of the organisation, and the journals in which they are registered. */
import { Button, Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  addDocumentKind,
  getDocumentKinds,
  longestJournalName,
  saveDocumentKind,
  type DocumentKind,
} from '@kelisim/domain/registers/contract.ts'
import type * as z from 'zod/mini'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { toast } from '../ui/dialogs/toast.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { DialogForm, FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField, useApiForm, useFormContext, useProblemText } from '../ui/form/form.tsx'
import { SwitchField } from '../ui/form/choices.tsx'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { ListOf } from '../ui/list/list.tsx'
import { RowAction } from '../ui/list/row-action.tsx'
import { Badge } from '../ui/look/badge.tsx'
import { EditIcon, PlusIcon } from '../ui/look/icons.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { Page } from '../ui/page/page.tsx'
import { NoData } from '../ui/page/states.tsx'
import { journalsQuery, kindsQuery, pageOfNamed } from './queries.ts'
import classes from './registers.module.css'

type KindView = z.output<typeof DocumentKind>

export function KindsPage() {
  const { t } = useTexts('registers')
  const { organization, options } = useWorkplace()
  const isOwner = options.allowed.manageOrganization
  const position = useListSearch()
  const { data, error, refetch } = useQuery(kindsQuery(organization.Id))
  const editing = useDialog<KindView | null>()
  const columns = useColumns()
  const actions = useActions(editing.open)
  if (error && !data) return <LoadFailed error={error} onRetry={() => void refetch()} />
  const add = (
    <Button leftSection={<PlusIcon size={18} />} onClick={() => editing.open(null)}>
      {t('kinds.add')}
    </Button>
  )
  return (
    <Page title={t('kinds.title')} lead={t('kinds.lead')} action={isOwner && add}>
      <ListOf
        id="document-kinds"
        label={t('kinds.title')}
        {...pageOfNamed(data?.items, position)}
        columns={columns}
        rowKey={({ id }) => id}
        hasSearch
        searchLabel={t('kinds.search')}
        {...(isOwner && { actions })}
        empty={<NoData text={t('kinds.empty')}>{isOwner && add}</NoData>}
      />
      <KindDialog isOpen={editing.isOpen} kind={editing.subject} onClose={editing.close} />
    </Page>
  )
}

function useActions(onEdit: (kind: KindView) => void) {
  const { t } = useTexts('registers')
  return (kind: KindView) => (
    <RowAction label={t('kinds.edit', { name: kind.name })} onClick={() => onEdit(kind)}>
      <EditIcon />
    </RowAction>
  )
}

function useColumns(): Column<KindView>[] {
  const { t } = useTexts('registers')
  return [
    {
      key: 'name',
      title: t('kinds.columns.name'),
      isFixed: true,
      card: 'title',
      cell: ({ name, isActive }) => (
        <span className={classes.name}>
          {name}
          {!isActive && <Badge tone="off">{t('kinds.off')}</Badge>}
        </span>
      ),
    },
    {
      key: 'journal',
      title: t('kinds.columns.journal'),
      card: 'status',
      cell: ({ journal }) => (journal ? nameOf(journal, t('kinds.closed', journal)) : '—'),
    },
    {
      key: 'when',
      title: t('kinds.columns.when'),
      width: 180,
      card: 'fact',
      cell: ({ journal, registersAtSending }) =>
        t(journal === null ? 'kinds.none' : registersAtSending ? 'kinds.automatic' : 'kinds.byHand'),
    },
  ]
}

function nameOf({ name, isActive }: { name: string; isActive: boolean }, closed: string): string {
  return isActive ? name : closed
}

function KindDialog(props: { isOpen: boolean; kind: KindView | null; onClose: () => void }) {
  const { t } = useTexts('registers')
  const { organization } = useWorkplace()
  const { kind, onClose } = props
  const draft = `kind:${organization.Id}:${kind?.id ?? 'new'}`
  const title = t(kind ? 'kinds.editTitle' : 'kinds.addTitle')
  return (
    <FormDialog isOpen={props.isOpen} title={title} draft={draft} onClose={onClose}>
      <KindForm key={kind?.id ?? 'new'} draft={draft} kind={kind} onClose={onClose} />
    </FormDialog>
  )
}

function KindForm(props: { draft: string; kind: KindView | null; onClose: () => void }) {
  const { t } = useTexts('registers')
  const client = useQueryClient()
  const { organization } = useWorkplace()
  const { kind, onClose } = props
  const form = useApiForm({
    id: props.draft,
    endpoint: kind ? saveDocumentKind : addDocumentKind,
    fixed: {
      organizationId: organization.Id,
      ...(kind && { kindId: kind.id, currentVersion: kind.currentVersion }),
    },
    initial: {
      name: kind?.name ?? '',
      journalId: kind?.journal?.id ?? '',
      registersAtSending: kind?.registersAtSending ?? true,
      isActive: kind?.isActive ?? true,
    },
    inputOf: ({ journalId, registersAtSending, isActive, ...same }) => ({
      ...same,
      journalId: journalId || null,
      registersAtSending: journalId !== '' && registersAtSending,
      ...(kind && { isActive }),
    }),
    fieldOf: { 'kind-name-already-in-use': 'name', 'journal-not-found': 'journalId' },
    guardsPage: false,
    onDone: () => {
      toast(t(kind ? 'common:saved' : 'kinds.added'))
      onClose()
      void client.invalidateQueries({ queryKey: [getDocumentKinds.path] })
    },
  })
  return (
    <DialogForm form={form} yes={t(kind ? 'common:actions.save' : 'kinds.create')} onCancel={onClose}>
      <TextField name="name" label={t('kinds.name')} max={longestJournalName} isRequired />
      <JournalField />
      {form.values.journalId !== '' && (
        <SwitchField name="registersAtSending" label={t('kinds.atSending')} help={t('kinds.atSendingHelp')} />
      )}
      {kind && <SwitchField name="isActive" label={t('kinds.isActive')} help={t('kinds.isActiveHelp')} />}
    </DialogForm>
  )
}

function JournalField() {
  const { t } = useTexts('registers')
  const { organization } = useWorkplace()
  const form = useFormContext()
  const problem = useProblemText()(form.problems['journalId'])
  const { data } = useQuery(journalsQuery(organization.Id))
  const value = String(form.values['journalId'])
  const offered = data?.items.filter(
    ({ id, direction, isActive }) => id === value || (direction === 'outgoing' && isActive),
  )
  return (
    <Select
      size="md"
      data-field="journalId"
      label={t('kinds.journal')}
      placeholder={t('kinds.noJournal')}
      description={t('kinds.journalHelp')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={problem}
      searchable
      clearable
      data={(offered ?? []).map((journal) => ({
        value: journal.id,
        label: nameOf(journal, t('kinds.closed', { name: journal.name })),
      }))}
      value={value || null}
      onChange={(id) => form.set('journalId', id ?? '')}
    />
  )
}
