/** One document: its preview, description, details and actions. */
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { getDocuments, saveDocument } from '@kelisim/domain/documents/contract.ts'
import { visibilityOf } from '@kelisim/domain/visibility.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { idOf, useAddress } from '../ui/browser/address.ts'
import { formatMoment } from '../ui/format/dates.ts'
import { Fields } from '../ui/form/fields.tsx'
import { FormFields, SubmitButton, TextField, useApiForm } from '../ui/form/form.tsx'
import { CompareIcon, DownloadIcon, EditIcon, QuickSendIcon, SendIcon, TrashIcon } from '../ui/look/icons.tsx'
import { Facts } from '../ui/page/facts.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { PageNotFound } from '../ui/page/states.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { DeleteDocumentDialog } from './delete-dialog.tsx'
import { comparedName, type DocumentView, useDownload, useSending } from './shared/document-acts.ts'
import classes from './documents.module.css'
import { Preview } from './preview/preview.tsx'
import { documentQuery } from './queries.ts'
import { formatSize } from './shared/size.ts'
import { WhereUsed } from '../uses/where-used.tsx'

/** The address may hold the id alone, without the list from which the document was opened. */
export function DocumentPage() {
  const { t } = useTexts('documents')
  const { organization } = useWorkplace()
  const { path, id } = useAddress().params
  const documentId = idOf(id ?? path)
  const {
    data: document,
    error,
    refetch,
  } = useQuery({
    ...documentQuery(organization.Id, documentId ?? ''),
    enabled: documentId !== undefined,
  })
  if (documentId === undefined || error?.status === 404) return <PageNotFound />
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!document) return <LoadingLines />
  return (
    <Page title={document.name}>
      <Acts document={document} />
      <div className={classes.columns}>
        <section aria-label={t('page.preview')}>
          <Preview document={document} />
        </section>
        <div>
          <Card title={t('page.about')}>
            <DocumentFacts document={document} />
          </Card>
          {document.allowed.describe ? (
            <Card>
              {/* The key resets the form when another document is shown. */}
              <DescriptionForm key={document.id} document={document} />
            </Card>
          ) : (
            <Card title={t('page.description')}>
              <p className={classes.description}>{document.description || t('page.noDescription')}</p>
            </Card>
          )}
          <WhereUsed kind="document" id={document.id} />
        </div>
      </div>
    </Page>
  )
}

function Acts({ document }: { document: DocumentView }) {
  const { t } = useTexts('documents')
  const { send, quickSend } = useSending()
  const download = useDownload()
  const deleting = useDialog<DocumentView>()
  const navigate = useNavigate()
  const { allowed } = document
  const isOwner = useWorkplace().options.allowed.manageOrganization
  return (
    <div className={classes.acts}>
      <Button leftSection={<SendIcon size={18} />} onClick={() => send(document)}>
        {t('acts.send')}
      </Button>
      {isOwner && (
        <Button
          variant="default"
          renderRoot={(root) => <Link to="/campaigns/add/{-$id}" params={{ id: document.id }} {...root} />}
        >
          {t('acts.acquaint')}
        </Button>
      )}
      {allowed.quickSend && (
        <Button
          variant="default"
          leftSection={<QuickSendIcon size={18} />}
          onClick={() => quickSend(document)}
        >
          {t('acts.quickSend')}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<DownloadIcon size={18} />}
        loading={download.isPending}
        onClick={() => download.mutate(document)}
      >
        {t('acts.download')}
      </Button>
      <Button
        variant="default"
        leftSection={<CompareIcon size={18} />}
        renderRoot={(props) => (
          <Link to="/documents/compare" search={{ before: comparedName(document) }} {...props} />
        )}
      >
        {t('acts.compare')}
      </Button>
      {document.isWritten && (
        <Button
          variant="default"
          leftSection={<EditIcon size={18} />}
          renderRoot={(props) => <Link to="/documents/rewrite/$id" params={{ id: document.id }} {...props} />}
        >
          {t('acts.rewrite')}
        </Button>
      )}
      {allowed.delete && (
        <Button
          variant="default"
          c="var(--bad)"
          leftSection={<TrashIcon size={18} />}
          onClick={() => deleting.open(document)}
        >
          {t('acts.delete')}
        </Button>
      )}
      <DeleteDocumentDialog
        isOpen={deleting.isOpen}
        document={deleting.subject}
        onClose={deleting.close}
        onDeleted={() => void navigate({ to: '/documents/$path', params: { path: 'my' }, replace: true })}
      />
    </div>
  )
}

function DocumentFacts({ document }: { document: DocumentView }) {
  const { t } = useTexts('documents')
  return (
    <Facts
      layout="stacked"
      rows={[
        [t('columns.author'), document.author.fullName],
        [t('columns.created'), formatMoment(document.createdAt)],
        [t('columns.visibility'), t(`visibility.${visibilityOf(document.visibilityScope)}`)],
        [t('columns.format'), `${document.format.toUpperCase()}, ${formatSize(document.size, t)}`],
        [t('page.checksum'), <code key="sha256">{document.sha256}</code>],
      ]}
    />
  )
}

function DescriptionForm({ document }: { document: DocumentView }) {
  const { t } = useTexts('documents')
  const { organization } = useWorkplace()
  const client = useQueryClient()
  const fixed = { organizationId: organization.Id, documentId: document.id }
  const form = useApiForm({
    id: `document:${document.id}`,
    endpoint: saveDocument,
    fixed: { ...fixed, currentVersion: document.currentVersion },
    initial: { description: document.description },
    onDone: (saved) => {
      client.setQueryData(documentQuery(organization.Id, document.id).queryKey, saved)
      form.reset({ description: saved.description }) // the server trims what was typed
      toast(t('common:saved'))
      void client.invalidateQueries({ queryKey: [getDocuments.path] })
    },
  })
  return (
    <FormFields form={form}>
      <Fields>
        <TextField name="description" label={t('page.description')} max={1000} lines />
        <div>
          <SubmitButton onlyWhenDirty>{t('common:actions.save')}</SubmitButton>
        </div>
      </Fields>
    </FormFields>
  )
}
