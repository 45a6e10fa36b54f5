import { useTexts } from '../../i18n/use-texts.ts'
import { FailurePicture } from '../../ui/look/pictures.tsx'
import { State } from '../../ui/page/states.tsx'

export function PreviewFailed() {
  const { t } = useTexts('documents')
  return <State picture={<FailurePicture />} title={t('preview.failed')} text={t('preview.failedText')} />
}
