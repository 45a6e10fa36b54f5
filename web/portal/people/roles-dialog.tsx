import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTexts } from '../../i18n/use-texts.ts'
import { getRoles } from '@kelisim/domain/identity/contract.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import { getMembers, type Member, setRoles } from '@kelisim/domain/portal/contract.ts'
import type * as z from 'zod/mini'
import { DialogForm, FormDialog } from '../../ui/form/form-dialog.tsx'
import { useApiForm } from '../../ui/form/form.tsx'
import { SwitchField } from '../../ui/form/choices.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import { EndingPrograms, useRemovalEffects } from '../groups/group-effects.tsx'
import { usePortalOrganization } from '../shared/place.ts'
import { RoleChoice } from './role-choice.tsx'

export type MemberView = z.output<typeof Member>

export function RolesDialog(props: { isOpen: boolean; member: MemberView | null; onClose: () => void }) {
  const { t } = useTexts()
  const { member } = props
  return (
    <FormDialog
      isOpen={props.isOpen}
      title={t('portal:roles.title', { name: member?.fullName ?? '' })}
      draft={draftOf(member)}
      onClose={props.onClose}
    >
      {member && <RolesForm member={member} onClose={props.onClose} />}
    </FormDialog>
  )
}

function RolesForm({ member, onClose }: { member: MemberView; onClose: () => void }) {
  const { t } = useTexts()
  const client = useQueryClient()
  const router = useRouter()
  const { organization, session } = usePortalOrganization()
  const form = useApiForm({
    id: draftOf(member),
    endpoint: setRoles,
    fixed: { organizationId: organization.Id, userId: member.userId },
    initial: { roles: member.roles, isAppointed: member.isAppointed },
    fieldOf: { 'last-owner': 'roles' },
    guardsPage: false,
    onDone: () => {
      toast(t('portal:roles.saved'))
      onClose()
      void client.invalidateQueries({ queryKey: [getMembers.path] })
      // The portal shows pages according to the person's own roles.
      if (member.userId === session.profile.UserId) {
        void client.refetchQueries({ queryKey: [getRoles.path] }).then(() => router.invalidate())
      }
    },
  })
  const isLosing = isOwner(member.roles) && !isOwner(form.values.roles)
  const { effects } = useRemovalEffects(organization.Id, isLosing ? member.userId : null)
  return (
    <DialogForm form={form} yes={t('actions.save')} onCancel={onClose}>
      <RoleChoice />
      <EndingPrograms programs={effects?.programs ?? []} />
      <SwitchField
        name="isAppointed"
        label={t('portal:roles.appointed')}
        help={t('portal:roles.appointedHelp')}
      />
    </DialogForm>
  )
}

function draftOf(member: MemberView | null): string {
  return `roles:${member?.userId ?? ''}`
}
