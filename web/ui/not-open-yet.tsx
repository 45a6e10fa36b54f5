import { useTexts } from '../i18n/use-texts.ts'
import { Page } from './page.tsx'
import { EmptyPicture } from './pictures.tsx'
import { State } from './states.tsx'

/** A page whose work comes with a later version: it says so, and pretends nothing. */
export function NotOpenYet({ title, text }: { title: string; text?: string }) {
  const { t } = useTexts()
  return (
    <Page title={title}>
      <State picture={<EmptyPicture />} title={t('notOpenYet.title')} text={text ?? t('notOpenYet.text')} />
    </Page>
  )
}
