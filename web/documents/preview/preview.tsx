/** The preview of a document of any format; each reader is loaded when its format is first shown. */
import { lazy, Suspense } from 'react'
import { useQuery } from '@tanstack/react-query'
import { downloadDocument } from '@kelisim/domain/documents/contract.ts'
import type { DocumentFormat } from '@kelisim/domain/documents/formats.ts'
import { minute } from '@kelisim/domain/durations.ts'
import type { ApiError } from '../../api/api.ts'
import { fetchFile } from '../../api/file-api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import type { DocumentView } from '../shared/document-acts.ts'
import classes from './preview.module.css'

const PdfPreview = lazy(() => import('./pdf-preview.tsx').then((m) => ({ default: m.PdfPreview })))
const DocxPreview = lazy(() => import('./docx-preview.tsx').then((m) => ({ default: m.DocxPreview })))
const XlsxPreview = lazy(() => import('./xlsx-preview.tsx').then((m) => ({ default: m.XlsxPreview })))

export function Preview({ document }: { document: DocumentView }) {
  const { organization } = useWorkplace()
  const input = { organizationId: organization.Id, documentId: document.id }
  return (
    <FilePreview
      name={document.name}
      format={document.format}
      queryKey={[downloadDocument.path, input]}
      load={(signal) => fetchFile(downloadDocument, input, signal)}
    />
  )
}

/** The preview of any file whose bytes can be loaded. */
export function FilePreview(props: {
  name: string
  format: DocumentFormat
  queryKey: readonly unknown[]
  load: (signal: AbortSignal) => Promise<ArrayBuffer>
}) {
  const { t } = useTexts('documents')
  const { name, format, queryKey, load } = props
  const { data, error, refetch } = useQuery<ArrayBuffer, ApiError>({
    queryKey,
    queryFn: ({ signal }) => load(signal),
    staleTime: Infinity, // bytes never change
    gcTime: minute,
  })
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  return (
    <>
      <div className={classes.frame} data-format={format}>
        <div>
          <Suspense fallback={<Opening />}>
            {data ? <Reader name={name} format={format} bytes={data} /> : <Opening />}
          </Suspense>
        </div>
      </div>
      {(format === 'docx' || format === 'xlsx') && <p className={classes.note}>{t('preview.look')}</p>}
    </>
  )
}

function Opening() {
  return (
    <div className={classes.loading}>
      <LoadingLines count={8} />
    </div>
  )
}

function Reader({ name, format, bytes }: { name: string; format: DocumentFormat; bytes: ArrayBuffer }) {
  const { t } = useTexts('documents')
  switch (format) {
    case 'pdf':
      return <PdfPreview bytes={bytes} name={name} />
    case 'docx':
      return <DocxPreview bytes={bytes} name={name} />
    case 'xlsx':
      return <XlsxPreview bytes={bytes} />
    case 'doc':
    case 'xls':
      return <p className={classes.note}>{t('preview.old')}</p>
  }
}
