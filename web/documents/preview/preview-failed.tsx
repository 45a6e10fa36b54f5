import { useTexts } from '../../i18n/use-texts.ts'
import { FailurePicture } from '../../ui/pictures.tsx'
import { State } from '../../ui/states.tsx'

export function PreviewFailed() {
  const { t } = useTexts('documents')
  return <State picture={<FailurePicture />} title={t('preview.failed')} text={t('preview.failedText')} />
}
