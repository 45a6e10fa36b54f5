/** Uploaded documents and document templates: one part of the site, loaded when it is first opened. */
import { useTexts } from '../i18n/use-texts.ts'
import { EmptyList } from '../ui/empty-list.tsx'
import { NotOpenYet } from '../ui/not-open-yet.tsx'
import { Page } from '../ui/page.tsx'
import { PageNotFound } from '../ui/states.tsx'
import { useAddress } from '../ui/address.ts'

export { DocumentPage } from './document-page.tsx'
export { DocumentsPage } from './documents-page.tsx'

export function TemplatesPage() {
  const { t } = useTexts('lists')
  return (
    <Page title={t('templates.title')}>
      <EmptyList
        id="document-templates"
        label={t('templates.title')}
        text={t('templates.empty')}
        columns={{
          name: t('documents.columns.name'),
          description: t('templates.columns.description'),
          language: t('templates.columns.language'),
          created: t('documents.columns.created'),
        }}
      />
    </Page>
  )
}

export function TemplatesPathPage() {
  const { t } = useTexts('lists')
  const { path } = useAddress().params
  if (path?.toLowerCase() === 'all') return <TemplatesPage />
  return path?.toLowerCase() === 'new' ? <NotOpenYet title={t('templates.new')} /> : <PageNotFound />
}

export function TemplatePage() {
  return <PageNotFound />
}
