/** Leaves the organisation; its only owner must first hand it over. */
import { Button, Group, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { pages } from '@kelisim/domain/pages.ts'
import { removeMember } from '@kelisim/domain/portal/contract.ts'
import { ApiError, call } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { showError } from '../../ui/dialogs/error-store.ts'
import { SignOutIcon } from '../../ui/look/icons.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.ts'
import { toast } from '../../ui/dialogs/toast.tsx'
import { EndingPrograms, GroupEffects, useRemovalEffects } from '../groups/group-effects.tsx'
import { usePortalOrganization } from '../shared/place.ts'
import classes from '../shared/portal.module.css'

export function LeaveButton() {
  const { t } = useTexts()
  const { organization, session } = usePortalOrganization()
  const asking = useDialog<null>()
  const refusal = useDialog<null>()
  const userId = session.profile.UserId
  const { effects, refetch, showMore } = useRemovalEffects(organization.Id, asking.isOpen ? userId : null)
  const leaving = useMutation({
    // If the preview of the effects is not loaded yet, the server refuses and the preview is loaded.
    mutationFn: () =>
      call(removeMember, {
        organizationId: organization.Id,
        userId,
        seenEffects: effects?.fingerprint ?? '',
      }),
    // A full reload, because no data of this organisation may be shown any more.
    onSuccess: () => window.location.assign(pages.login),
    meta: { showsErrors: true },
    onError: (error) => {
      if (error instanceof ApiError && error.alias === 'member-effects-changed') {
        toast(t('errors:member-effects-changed.text'))
        void refetch()
        return
      }
      asking.close()
      if (!(error instanceof ApiError)) throw error
      if (error.alias === 'last-owner') refusal.open(null)
      else showError(error)
    },
  })
  return (
    <>
      <Button
        className={classes.leave ?? ''}
        variant="subtle"
        color="var(--bad)"
        leftSection={<SignOutIcon size={18} />}
        onClick={() => asking.open(null)}
      >
        {t('portal:members.leave')}
      </Button>
      <ConfirmDialog
        isOpen={asking.isOpen}
        title={t('portal:members.leaveTitle')}
        text={t('portal:members.leaveText', { organization: organization.ShortName })}
        {...(effects && {
          more: (
            <>
              <EndingPrograms programs={effects.programs} />
              <GroupEffects
                effects={effects}
                title={t('portal:members.effects', { count: effects.totalCount })}
                onMore={showMore}
              />
            </>
          ),
        })}
        yes={
          effects && effects.totalCount > 0 ? t('portal:members.leaveAnyway') : t('portal:members.leaveYes')
        }
        isDangerous
        isBusy={leaving.isPending || leaving.isSuccess}
        onYes={() => leaving.mutate()}
        onNo={asking.close}
      />
      <Modal
        opened={refusal.isOpen}
        onClose={refusal.close}
        title={t('portal:members.onlyOwnerTitle')}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
        size={480}
      >
        <p>{t('portal:members.onlyOwnerText')}</p>
        <Group mt={24} justify="flex-end">
          <Button onClick={refusal.close}>{t('actions.ok')}</Button>
        </Group>
      </Modal>
    </>
  )
}
