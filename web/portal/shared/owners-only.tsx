import type { ReactNode } from 'react'
import { useTexts } from '../../i18n/use-texts.ts'
import { WindowTitle } from '../../ui/page/page.tsx'
import { LostPicture } from '../../ui/look/pictures.tsx'
import { State } from '../../ui/page/states.tsx'
import { usePortalOrganization } from './place.ts'

/** Shows its content only to owners. The server refuses others anyway; this says so before anything is loaded. */
export function OwnersOnly({ children }: { children: ReactNode }) {
  const { t } = useTexts()
  const { isOwner } = usePortalOrganization()
  if (isOwner) return children
  return (
    <>
      <WindowTitle title={t('portal:noRights.title')} />
      <State
        isPage
        picture={<LostPicture />}
        title={t('portal:noRights.title')}
        text={t('portal:noRights.text')}
      />
    </>
  )
}
