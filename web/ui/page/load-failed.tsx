import { Button } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import type { ApiError } from '../../api/api.ts'
import { FailurePicture } from '../look/pictures.tsx'
import { State } from './states.tsx'

/** Shown when the data of a page could not be loaded, with a button to retry. */
export function LoadFailed({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const { t, find } = useTexts()
  return (
    <State
      picture={<FailurePicture />}
      title={t('errorPage.title')}
      text={find(`errors:${error.alias}.text`, error.parameters) ?? t('errorPage.text')}
    >
      <Button onClick={onRetry}>{t('actions.retry')}</Button>
    </State>
  )
}
