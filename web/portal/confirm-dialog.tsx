import { Modal, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getMembers, getCard } from '@kelisim/domain/portal/contract.ts'
import { ConfirmBySignature } from '../identity/confirm-by-signature.tsx'
import type { Confirmed } from '../identity/use-confirmation.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { PageConfig } from '../api/page-config.ts'
import { forgetSession } from '../shell/session/session.ts'
import { toast } from '../ui/dialogs/toast.tsx'

/** Confirms the number of the organisation with the key of its head; another person may have confirmed it first. */
export function ConfirmDialog(props: {
  isOpen: boolean
  signer: NonNullable<PageConfig['signer']>
  organization: { id: string; kind: 'organization' | 'individual' }
  onClose: () => void
}) {
  const { t } = useTexts()
  const client = useQueryClient()
  const router = useRouter()
  const confirmed = ({ status, shortName, formerOwners }: Confirmed) => {
    props.onClose()
    const names = formerOwners.join(', ')
    toast(
      names === ''
        ? t(`identity:confirm.done.${status}`, { name: shortName })
        : t('portal:card.formerOwners', { names }),
    )
    forgetSession(client)
    for (const e of [getCard, getMembers]) void client.invalidateQueries({ queryKey: [e.path] })
    void router.invalidate()
  }
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={t('portal:card.confirm')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
      size={560}
    >
      <Stack>
        <p>{t(`portal:card.confirmText.${props.organization.kind}`)}</p>
        <ConfirmBySignature signer={props.signer} organization={props.organization} onDone={confirmed} />
      </Stack>
    </Modal>
  )
}
