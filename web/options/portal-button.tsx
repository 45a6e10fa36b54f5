import { Button } from '@mantine/core'
import { useTexts } from '../i18n/use-texts.ts'
import { portalAddress } from '../shell/session/portal-address.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { ExternalIcon } from '../ui/look/icons.tsx'

/** A link to the Administrative Portal of this organisation, which links back here. */
export function PortalButton({ page }: { page: 'members' | 'groups' }) {
  const { t } = useTexts('options')
  const { organization } = useWorkplace()
  return (
    <Button
      component="a"
      href={portalAddress(organization.Id, page)}
      variant="default"
      rightSection={<ExternalIcon size={18} />}
    >
      {t('toPortal')}
    </Button>
  )
}
