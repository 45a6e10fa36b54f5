/** The lists of uploaded documents: the person's own, those for all staff, and for owners all documents. */
import { useState } from 'react'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { defaultDocumentSort, documentPaths, type DocumentPath } from '@kelisim/domain/documents/contract.ts'
import { countLimit, foundCountLimit, Id } from '@kelisim/domain/fields.ts'
import { visibilityOf } from '@kelisim/domain/visibility.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { useAddress } from '../ui/browser/address.ts'
import { formatDate } from '../ui/format/dates.ts'
import {
  CompareIcon,
  DownloadIcon,
  EditIcon,
  PlusIcon,
  QuickSendIcon,
  SendIcon,
  TrashIcon,
} from '../ui/look/icons.tsx'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { List } from '../ui/list/list.tsx'
import { Page } from '../ui/page/page.tsx'
import { RowAction } from '../ui/list/row-action.tsx'
import { NoData, PageNotFound } from '../ui/page/states.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { DeleteDocumentDialog } from './delete-dialog.tsx'
import { comparedName, type DocumentView, useDownload, useSending } from './shared/document-acts.ts'
import { DocumentPage } from './document-page.tsx'
import classes from './documents.module.css'
import { documentsQuery } from './queries.ts'
import { formatSize } from './shared/size.ts'
import { useUploadDialog } from './upload-anywhere.tsx'

export function DocumentsPage() {
  const { params } = useAddress()
  const path = documentPaths.find((p) => p === params.path?.toLowerCase())
  if (!path && Id.safeParse(params.path).success) return <DocumentPage />
  if (!path) return <PageNotFound />
  // The key resets the page when another list is shown.
  return <Documents key={path} path={path} />
}

function Documents({ path }: { path: DocumentPath }) {
  const { t } = useTexts('documents')
  const { organization } = useWorkplace()
  const position = useListSearch()
  const { name } = position
  const showUpload = useUploadDialog()
  const deleting = useDialog<DocumentView>()
  const [selected, setSelected] = useState<string[]>([])
  // Hidden by CSS where the menu is shown, which has the same button.
  const begin = (
    <Button
      className={classes.withoutMenu}
      leftSection={<PlusIcon size={18} />}
      onClick={() => showUpload(true)}
    >
      {t('upload.title')}
    </Button>
  )
  return (
    <Page
      title={t(`titles.${path}`)}
      action={
        <>
          <Button
            variant="default"
            leftSection={<EditIcon size={18} />}
            renderRoot={(props) => <Link to="/documents/write/{-$id}" {...props} />}
          >
            {t('write')}
          </Button>
          {begin}
        </>
      }
    >
      <List
        id={`documents-${path}`}
        label={t(`titles.${path}`)}
        source={documentsQuery(organization.Id, path, position)}
        columns={useColumns(path)}
        rowKey={({ id }) => id}
        hasSearch
        searchLabel={t('search')}
        defaultSort={defaultDocumentSort}
        countedUpTo={name === '' ? countLimit : foundCountLimit}
        linkOf={({ id }) => ({ to: '/documents/$path/$id', params: { path, id } })}
        actions={useActions(deleting.open)}
        selection={{
          selected,
          onChange: setSelected,
          labelOf: (item) => t('selection.choose', { name: item.name }),
        }}
        empty={
          <NoData text={t('empty')}>
            <Button variant="default" onClick={() => showUpload(true)}>
              {t('upload.choose')}
            </Button>
          </NoData>
        }
      />
      {selected.length > 0 && <SelectionBar selected={selected} onClear={() => setSelected([])} />}
      <DeleteDocumentDialog isOpen={deleting.isOpen} document={deleting.subject} onClose={deleting.close} />
    </Page>
  )
}

/** Offers to compare two selected documents; the one selected first counts as the earlier version. */
function SelectionBar({ selected, onClear }: { selected: readonly string[]; onClear: () => void }) {
  const { t } = useTexts('documents')
  const navigate = useNavigate()
  const [before, after] = selected.map((id) => comparedName({ id }))
  return (
    <div className={classes.bar} role="region" aria-label={t('selection.label')}>
      <span role="status">{t('selection.chosen', { count: selected.length })}</span>
      {selected.length === 2 ? (
        <Button
          leftSection={<CompareIcon size={18} />}
          onClick={() =>
            void navigate({
              to: '/documents/compare',
              search: ({ organizationId }) => ({ ...(organizationId && { organizationId }), before, after }),
            })
          }
        >
          {t('acts.compare')}
        </Button>
      ) : (
        selected.length < 2 && <span>{t('selection.needTwo')}</span>
      )}
      {selected.length > 1 && (
        <Button
          variant={selected.length === 2 ? 'default' : 'filled'}
          leftSection={<SendIcon size={18} />}
          onClick={() =>
            void navigate({
              to: '/signingRequests/addPackage',
              search: ({ organizationId }) => ({
                ...(organizationId && { organizationId }),
                documents: selected.join(','),
              }),
            })
          }
        >
          {t('selection.package', { count: selected.length })}
        </Button>
      )}
      <Button variant="subtle" onClick={onClear}>
        {t('selection.clear')}
      </Button>
    </div>
  )
}

function useColumns(path: DocumentPath): Column<DocumentView>[] {
  const { t } = useTexts('documents')
  const visibility: Column<DocumentView> = {
    key: 'visibility',
    title: t('columns.visibility'),
    width: 104,
    card: 'status',
    isSpare: path === 'organization',
    cell: ({ visibilityScope }) => t(`visibility.${visibilityOf(visibilityScope)}`),
  }
  const author: Column<DocumentView> = {
    key: 'author',
    title: t('columns.author'),
    width: 152,
    card: 'fact',
    cell: (document) => document.author.fullName,
  }
  return [
    {
      key: 'name',
      title: t('columns.name'),
      isFixed: true,
      isSortable: true,
      width: '32%',
      card: 'title',
      cell: ({ name, description }) => (
        <span className={classes.name}>
          {name}
          {description && <small>{description}</small>}
        </span>
      ),
    },
    {
      key: 'created',
      title: t('columns.created'),
      isSortable: true,
      width: 112,
      card: 'date',
      cell: ({ createdAt }) => formatDate(createdAt),
    },
    ...(path === 'my' ? [] : [author]),
    ...(path === 'public' ? [] : [visibility]),
    {
      key: 'format',
      title: t('columns.format'),
      width: 80,
      isSpare: true,
      cell: ({ format }) => format.toUpperCase(),
    },
    {
      key: 'size',
      title: t('columns.size'),
      width: 88,
      card: 'progress',
      isSpare: true,
      cell: ({ size }) => formatSize(size, t),
    },
  ]
}

function useActions(onDelete: (document: DocumentView) => void) {
  const { t } = useTexts('documents')
  const { send, quickSend } = useSending()
  const download = useDownload()
  return (document: DocumentView) => {
    const { name, allowed } = document
    return (
      <>
        <RowAction label={t('acts.sendOne', { name })} onClick={() => send(document)}>
          <SendIcon />
        </RowAction>
        {allowed.quickSend && (
          <RowAction label={t('acts.quickSendOne', { name })} onClick={() => quickSend(document)}>
            <QuickSendIcon />
          </RowAction>
        )}
        <RowAction
          label={t('acts.downloadOne', { name })}
          isBusy={download.isPending && download.variables.id === document.id}
          onClick={() => download.mutate(document)}
        >
          <DownloadIcon />
        </RowAction>
        {allowed.delete && (
          <RowAction label={t('acts.deleteOne', { name })} isDangerous onClick={() => onDelete(document)}>
            <TrashIcon />
          </RowAction>
        )}
      </>
    )
  }
}
