import { useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../../i18n/use-texts.ts'
import { addGroup, getGroups, getMembers, type Group, saveGroup } from '@kelisim/domain/portal/contract.ts'
import type * as z from 'zod/mini'
import { DialogForm, FormDialog } from '../../ui/form/form-dialog.tsx'
import { TextField, useApiForm, useFormContext, useProblemText, type Form } from '../../ui/form/form.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import { usePortalOrganization } from '../shared/place.ts'
import { PeopleField, type Person } from './people-field.tsx'
import { GroupEffects, useGroupEffects } from './group-effects.tsx'

export type GroupView = z.output<typeof Group>

/** Null: a new group. */
export function GroupDialog(props: { isOpen: boolean; group: GroupView | null; onClose: () => void }) {
  const { t } = useTexts()
  const { group } = props
  const title = group ? t('portal:groups.editTitle', { name: group.name }) : t('portal:groups.addTitle')
  return (
    <FormDialog isOpen={props.isOpen} title={title} draft={draftOf(group)} onClose={props.onClose}>
      <GroupForm group={group} onClose={props.onClose} />
    </FormDialog>
  )
}

function GroupForm({ group, onClose }: { group: GroupView | null; onClose: () => void }) {
  const { t } = useTexts()
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const before = (group?.participants ?? []).map(({ userId }) => userId)
  const form: Form<{ name: string; participants: string[] }> = useApiForm({
    id: draftOf(group),
    endpoint: group ? saveGroup : addGroup,
    fixed: {
      organizationId: organization.Id,
      ...(group && { groupId: group.id, currentVersion: group.currentVersion }),
    },
    initial: { name: group?.name ?? '', participants: before },
    // If the preview of the effects is not loaded yet, the server refuses and the preview is loaded.
    inputOf: (values) => ({ ...values, ...(isHarmful && { seenEffects: effects?.fingerprint ?? '' }) }),
    onRefusal: ({ alias }) => {
      if (alias !== 'group-effects-changed') return false
      toast(t('errors:group-effects-changed.text'))
      void refetch()
      return true
    },
    fieldOf: { 'group-name-already-in-use': 'name', 'group-participants-not-found': 'participants' },
    guardsPage: false,
    onDone: () => {
      toast(group ? t('saved') : t('portal:groups.added'))
      onClose()
      void client.invalidateQueries({ queryKey: [getGroups.path] })
      void client.invalidateQueries({ queryKey: [getMembers.path] })
    },
  })
  const isHarmful = !before.every((id) => form.values.participants.includes(id))
  const { effects, refetch, showMore } = useGroupEffects({
    organizationId: organization.Id,
    groupId: group?.id ?? null,
    participants: form.values.participants,
    isHarmful,
  })
  const hasEffects = effects !== undefined && effects.totalCount > 0
  const yes = hasEffects ? t('portal:groups.effects.save') : group ? t('actions.save') : t('actions.add')
  return (
    <DialogForm form={form} yes={yes} onCancel={onClose}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the person opened the dialog to type here */}
      <TextField name="name" label={t('portal:groups.name')} max={250} isRequired autoFocus />
      <Participants
        known={group?.participants ?? []}
        chosen={form.values.participants}
        onChange={(participants) => form.set('participants', participants)}
      />
      {effects && <GroupEffects effects={effects} onMore={showMore} />}
    </DialogForm>
  )
}

function Participants(props: {
  known: readonly Person[]
  chosen: string[]
  onChange: (participants: string[]) => void
}) {
  const { t } = useTexts()
  const { organization } = usePortalOrganization()
  const form = useFormContext()
  const problem = useProblemText()(form.problems['participants'])
  return (
    <PeopleField
      {...props}
      organizationId={organization.Id}
      name="participants"
      label={t('portal:groups.participants')}
      help={t('portal:groups.participantsHelp')}
      none={t('portal:groups.nobodyFound')}
      problem={problem}
    />
  )
}

function draftOf(group: GroupView | null): string {
  return `group:${group?.id ?? 'new'}`
}
