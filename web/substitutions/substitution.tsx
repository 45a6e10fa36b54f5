/** Who acts for the person while they are away, and for whom they act themselves. */
import { useState } from 'react'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { getMembers } from '@kelisim/domain/portal/contract.ts'
import {
  addSubstitution,
  endSubstitution,
  getSubstitutions,
  type SubstitutionView,
} from '@kelisim/domain/substitutions/contract.ts'
import type * as z from 'zod/mini'
import { call, query } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm.tsx'
import { dateOf, formatDate } from '../ui/format/dates.ts'
import { DialogForm, FormDialog } from '../ui/form/form-dialog.tsx'
import { DateField, useApiForm } from '../ui/form/form.tsx'
import { SearchedSelect } from '../ui/form/searched-select.tsx'
import { PlusIcon, CloseIcon } from '../ui/look/icons.tsx'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { List } from '../ui/list/list.tsx'
import { RowAction } from '../ui/list/row-action.tsx'
import { NoData } from '../ui/page/states.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { OptionSection } from '../options/shared/option-section.tsx'
import classes from '../options/shared/options.module.css'
import { substitutionsQuery } from './queries.ts'

type View = z.output<typeof SubstitutionView>

export function Substitution() {
  const { t } = useTexts('options')
  const { organization, profile } = useWorkplace()
  const naming = useDialog<null>()
  const ending = useDialog<View>()
  const add = (
    <Button leftSection={<PlusIcon />} onClick={() => naming.open(null)}>
      {t('substitution.add')}
    </Button>
  )
  return (
    <OptionSection
      name="substitution"
      title={t('substitution.title')}
      lead={t('substitution.lead')}
      action={add}
      hasOwnFrame
    >
      <List
        id="substitutions"
        label={t('substitution.title')}
        source={substitutionsQuery(organization.Id, useListSearch())}
        columns={useColumns(profile.UserId)}
        rowKey={({ id }) => id}
        empty={<NoData text={t('substitution.empty')} />}
        actions={useActions(ending.open)}
      />
      <NamingDialog isOpen={naming.isOpen} onClose={naming.close} />
      <EndDialog isOpen={ending.isOpen} substitution={ending.subject} onClose={ending.close} />
    </OptionSection>
  )
}

function useColumns(myId: string): Column<View>[] {
  const { t } = useTexts('options')
  const named = (person: View['absent']) => (person.id === myId ? t('substitution.me') : person.fullName)
  return [
    {
      key: 'substitute',
      title: t('substitution.columns.substitute'),
      isFixed: true,
      cell: ({ substitute }) => <b>{named(substitute)}</b>,
    },
    { key: 'absent', title: t('substitution.columns.absent'), cell: ({ absent }) => named(absent) },
    {
      key: 'days',
      title: t('substitution.columns.days'),
      cell: ({ from, to }) => t('substitution.days', { from: formatDate(from), to: formatDate(to) }),
    },
    {
      key: 'state',
      title: t('substitution.columns.state'),
      cell: ({ state }) => <span data-state={state}>{t(`substitution.states.${state}`)}</span>,
    },
  ]
}

function useActions(onEnd: (substitution: View) => void) {
  const { t } = useTexts('options')
  return (substitution: View) =>
    substitution.allowed.end && (
      <RowAction label={t('substitution.end')} onClick={() => onEnd(substitution)}>
        <CloseIcon />
      </RowAction>
    )
}

const draft = 'substitution:new'

function NamingDialog(props: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTexts('options')
  return (
    <FormDialog
      isOpen={props.isOpen}
      title={t('substitution.addTitle')}
      draft={draft}
      onClose={props.onClose}
    >
      <NamingForm onClose={props.onClose} />
    </FormDialog>
  )
}

function NamingForm({ onClose }: { onClose: () => void }) {
  const { t } = useTexts('options')
  const client = useQueryClient()
  const { organization } = useWorkplace()
  const [today] = useState(() => formatDate(dateInAlmaty(new Date())))
  const form = useApiForm({
    id: draft,
    endpoint: addSubstitution,
    fixed: { organizationId: organization.Id },
    initial: { substituteId: '', from: today, to: '' },
    inputOf: ({ substituteId, from, to }) => ({
      substituteId,
      from: dateOf(from) ?? from,
      to: dateOf(to) ?? to,
    }),
    fieldOf: {
      'user-not-found': 'substituteId',
      'substitute-is-oneself': 'substituteId',
      'substitute-is-away': 'substituteId',
      'substitution-wrong-period': 'to',
      'substitution-too-long': 'to',
      'already-substituted': 'from',
      'substitutes-another': 'from',
    },
    guardsPage: false,
    onDone: () => {
      toast(t('substitution.added'))
      onClose()
      void client.invalidateQueries({ queryKey: [getSubstitutions.path] })
    },
  })
  return (
    <DialogForm form={form} yes={t('substitution.add')} onCancel={onClose}>
      <ColleagueField />
      <div className={classes.days}>
        <DateField name="from" label={t('substitution.from')} isRequired />
        <DateField name="to" label={t('substitution.to')} isRequired />
      </div>
    </DialogForm>
  )
}

/** Searches colleagues by name; the person themselves is not offered. */
function ColleagueField() {
  const { t } = useTexts('options')
  const { organization, profile } = useWorkplace()
  return (
    <SearchedSelect
      name="substituteId"
      label={t('substitution.substitute')}
      help={t('substitution.substituteHelp')}
      nothingFound={t('substitution.nobodyFound')}
      search={(typed, take) =>
        query(getMembers, { organizationId: organization.Id, skip: 0, take, ...(typed && { name: typed }) })
      }
      optionsOf={(members) =>
        members
          .filter(({ userId }) => userId !== profile.UserId)
          .map(({ userId, fullName }) => [userId, fullName])
      }
    />
  )
}

function EndDialog(props: { isOpen: boolean; substitution: View | null; onClose: () => void }) {
  const { t } = useTexts('options')
  const client = useQueryClient()
  const { organization } = useWorkplace()
  const { substitution } = props
  const end = useMutation({
    mutationFn: (id: string) =>
      call(endSubstitution, { organizationId: organization.Id, substitutionId: id }),
    onSuccess: () => {
      toast(t('substitution.ended'))
      props.onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: [getSubstitutions.path] }),
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={t('substitution.endTitle')}
      text={t('substitution.endText', {
        absent: substitution?.absent.fullName ?? '',
        substitute: substitution?.substitute.fullName ?? '',
      })}
      yes={t('substitution.end')}
      isBusy={end.isPending}
      onYes={() => substitution && end.mutate(substitution.id)}
      onNo={props.onClose}
    />
  )
}
