/** Document templates, and documents written here: one part of the site, loaded when it is first opened. */
import { lazy, Suspense } from 'react'
import { Id } from '@kelisim/domain/fields.ts'
import { templatePaths } from '@kelisim/domain/rich-text/contract.ts'
import { useAddress } from '../ui/browser/address.ts'
import { LoadingLines } from '../ui/page/loading.tsx'
import { PageNotFound } from '../ui/page/states.tsx'
import { Templates } from './templates-page.tsx'

// The editor is large, so lists do not load it.
const NewTemplate = lazy(() => import('./template-page.tsx').then((m) => ({ default: m.NewTemplatePage })))
const OneTemplate = lazy(() => import('./template-page.tsx').then((m) => ({ default: m.TemplatePage })))
const Write = lazy(() => import('./write-page.tsx').then((m) => ({ default: m.WritePage })))
const Rewrite = lazy(() => import('./write-page.tsx').then((m) => ({ default: m.RewritePage })))

export function TemplatesPage() {
  return <Templates key="all" path="all" />
}

/** The address may hold the id alone, without the list from which the template was opened. */
export function TemplatesPathPage() {
  const said = useAddress().params.path ?? ''
  const path = templatePaths.find((one) => one === said.toLowerCase())
  if (path) return <Templates key={path} path={path} />
  if (said.toLowerCase() === 'new') return <Suspense fallback={<LoadingLines />}>{<NewTemplate />}</Suspense>
  return Id.safeParse(said).success ? <ShownTemplate id={said} /> : <PageNotFound />
}

export function TemplatePage() {
  return <ShownTemplate id={useAddress().params.id ?? ''} />
}

function ShownTemplate({ id }: { id: string }) {
  if (!Id.safeParse(id).success) return <PageNotFound />
  return (
    <Suspense fallback={<LoadingLines />}>
      <OneTemplate templateId={id.toLowerCase()} />
    </Suspense>
  )
}

/** An address without an id opens an empty document. */
export function WritePage() {
  const { id } = useAddress().params
  if (id !== undefined && !Id.safeParse(id).success) return <PageNotFound />
  return (
    <Suspense fallback={<LoadingLines />}>
      <Write templateId={id?.toLowerCase() ?? null} />
    </Suspense>
  )
}

export function RewritePage() {
  const { id = '' } = useAddress().params
  if (!Id.safeParse(id).success) return <PageNotFound />
  return (
    <Suspense fallback={<LoadingLines />}>
      <Rewrite documentId={id.toLowerCase()} />
    </Suspense>
  )
}
