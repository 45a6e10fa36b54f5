import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../../i18n/use-texts.ts'
import { LostPicture } from '../../ui/look/pictures.tsx'
import { WindowTitle } from '../../ui/page/page.tsx'
import { State } from '../../ui/page/states.tsx'

/** Shown instead of a page that the person may not see; leads to their incoming requests. */
export function NotEnoughRights() {
  const { t } = useTexts()
  const navigate = useNavigate()
  const leave = () => void navigate({ to: '/signingRequests/$route', params: { route: 'incomings' } })
  return (
    <>
      <WindowTitle title={t('noRights.title')} />
      <State isPage picture={<LostPicture />} title={t('noRights.title')} text={t('noRights.text')}>
        <Button onClick={leave}>{t('noRights.toIncoming')}</Button>
      </State>
    </>
  )
}
