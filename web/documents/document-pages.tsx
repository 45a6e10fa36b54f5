/** Uploaded documents and document templates. */
import { Button, Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import type { Search } from '../search.ts'
import { useWorkplace } from '../shell/session.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { EmptyList } from '../ui/empty-list.tsx'
import { NotOpenYet } from '../ui/not-open-yet.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyPicture } from '../ui/pictures.tsx'
import { PageNotFound, State } from '../ui/states.tsx'
import { useAddress } from '../ui/address.ts'

const paths = ['my', 'public', 'organization'] as const

export function DocumentsPage() {
  const { t } = useTexts('lists')
  const { role } = useWorkplace()
  const { params } = useAddress()
  const navigate = useNavigate()
  const path = paths.find((p) => p === params.path?.toLowerCase())
  if (!path || (path === 'organization' && role !== 'Owner')) return <PageNotFound />
  const upload = () => void navigate({ to: '.', search: (before: Search) => ({ ...before, upload: true }) })
  return (
    <Page
      title={t(`documents.${path}`)}
      action={
        <Button leftSection={<PlusIcon size={18} />} onClick={upload}>
          {t('documents.upload')}
        </Button>
      }
    >
      <EmptyList
        id={`documents-${path}`}
        label={t(`documents.${path}`)}
        text={t('documents.empty')}
        columns={{
          name: t('documents.columns.name'),
          created: t('documents.columns.created'),
        }}
      />
      <UploadDialog />
    </Page>
  )
}

/** Opened by the New document button through the address, so that it also opens from any other page. */
function UploadDialog() {
  const { t } = useTexts('lists')
  const { upload } = useAddress().search
  const navigate = useNavigate()
  const close = () =>
    void navigate({ to: '.', search: ({ upload: _, ...rest }: Search) => rest, replace: true })
  return (
    <Modal
      opened={upload === true}
      onClose={close}
      title={t('documents.upload')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <State picture={<EmptyPicture />} title={t('common:notOpenYet.title')} text={t('documents.uploadText')}>
        <Button onClick={close}>{t('common:actions.close')}</Button>
      </State>
    </Modal>
  )
}

export function DocumentPage() {
  return <PageNotFound />
}

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
