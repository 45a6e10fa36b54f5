import { Button } from '@mantine/core'
import type { ApiError } from '../../api/api.ts'
import { hereAsReturnApp, signInAddress } from '../../api/sign-in-address.ts'
import { useTexts, type KeyOf } from '../../i18n/use-texts.ts'
import { FailurePicture } from '../look/pictures.tsx'
import { useFailureWords } from './failure-words.ts'
import { State } from './states.tsx'
import { asksToSignIn, takeWayOut, wayOutOf, type WayOut } from './way-out.ts'

/** Shown when the data of a page could not be loaded: offers the way out of the error's class, or a retry. */
export function LoadFailed(props: {
  error: ApiError
  onRetry: () => void
  /** What could not be loaded, unless the error has a heading of its own. */
  title?: string
}) {
  const { error } = props
  const { t } = useTexts()
  const { title, text } = useFailureWords(error)
  const way = wayOutOf(error)
  return (
    <State
      picture={<FailurePicture />}
      title={title ?? props.title ?? t('errorPage.title')}
      text={text ?? t('errorPage.text')}
    >
      {way ? (
        <Button onClick={() => takeWayOut(way)}>
          {error.className === 'OldVersionException' ? t('actions.continue') : t(wayTexts[way])}
        </Button>
      ) : (
        <Button onClick={props.onRetry}>{t('actions.retry')}</Button>
      )}
      {asksToSignIn(error) && (
        <Button component="a" variant="default" href={signInAddress(hereAsReturnApp(), true)}>
          {t('shell:error.signInAgain')}
        </Button>
      )}
    </State>
  )
}

const wayTexts: Record<WayOut, KeyOf<'common'>> = {
  reload: 'actions.reload',
  login: 'actions.continue',
  agreement: 'actions.continue',
  incoming: 'noRights.toIncoming',
}
