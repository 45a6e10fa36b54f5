/** The preview of a document of any format; each reader is loaded when its format is first shown. */
import { lazy, Suspense, useRef } from 'react'
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
import type { Places } from './places/place.ts'
import { SelectionButton } from './places/selection-button.tsx'
import { PreviewFailed } from './preview-failed.tsx'
import classes from './preview.module.css'

const PdfPreview = lazy(() => import('./pdf-preview.tsx').then((m) => ({ default: m.PdfPreview })))
const DocxPreview = lazy(() => import('./docx-preview.tsx').then((m) => ({ default: m.DocxPreview })))
const XlsxPreview = lazy(() => import('./xlsx-preview.tsx').then((m) => ({ default: m.XlsxPreview })))
const XmlPreview = lazy(() => import('./xml/xml-preview.tsx').then((m) => ({ default: m.XmlPreview })))

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
  /** Left out where pages have no marks. */
  places?: Places | undefined
}) {
  const { t } = useTexts('documents')
  const { name, format, queryKey, load, places } = props
  const frame = useRef<HTMLDivElement>(null)
  const { data, error, refetch } = useQuery<ArrayBuffer, ApiError>({
    queryKey,
    queryFn: ({ signal }) => load(signal),
    staleTime: Infinity, // bytes never change
    gcTime: minute,
  })
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  return (
    <>
      <div ref={frame} className={classes.frame} data-format={format}>
        <div>
          <Suspense fallback={<Opening />}>
            {data ? <Reader name={name} format={format} bytes={data} places={places} /> : <Opening />}
          </Suspense>
        </div>
        {places?.onPick && !places.isPointing && <SelectionButton frame={frame} onPick={places.onPick} />}
      </div>
      {(format === 'docx' || format === 'xlsx' || format === 'xml') && (
        <p className={classes.note}>{t('preview.look')}</p>
      )}
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

function Reader(props: {
  name: string
  format: DocumentFormat
  bytes: ArrayBuffer
  places: Places | undefined
}) {
  const { t } = useTexts('documents')
  const { name, format, bytes, places } = props
  switch (format) {
    case 'pdf':
      return <PdfPreview bytes={bytes} name={name} places={places} />
    case 'docx':
      return <DocxPreview bytes={bytes} name={name} />
    case 'xlsx':
      return <XlsxPreview bytes={bytes} />
    case 'xml':
      return <XmlPreview bytes={bytes} name={name} otherwise={<PreviewFailed />} />
    case 'doc':
    case 'xls':
      return <p className={classes.note}>{t('preview.old')}</p>
  }
}
