/** The pages of two documents beside each other; they scroll together. */
import { useRef, type RefObject, type UIEvent } from 'react'
import { fileOfName } from '@kelisim/domain/comparison/compared-file.ts'
import { downloadDocument } from '@kelisim/domain/documents/contract.ts'
import type { DocumentFormat } from '@kelisim/domain/documents/formats.ts'
import { downloadRevision } from '@kelisim/domain/requests/correcting/contract.ts'
import { downloadProposal } from '@kelisim/domain/requests/proposing/contract.ts'
import { fetchFile } from '../api/file-api.ts'
import { FilePreview } from '../documents/preview/preview.tsx'
import { useTexts } from '../i18n/use-texts.ts'
import classes from './comparison.module.css'

export type SideToShow = { file: string; name: string; format: DocumentFormat }

type Props = {
  organizationId: string
  before: SideToShow
  after: SideToShow
  /** Receives the element that contains both frames, to scroll them to a page. */
  placeRef: RefObject<HTMLDivElement | null>
}

export function ComparedPages({ organizationId, before, after, placeRef }: Props) {
  const { t } = useTexts('comparison')
  /**
   * The position to which this code scrolled each frame: the scroll event it causes must not move the other frame.
   */
  const moved = useRef(new WeakMap<Element, number>())
  function follow({ target, currentTarget }: UIEvent<HTMLDivElement>): void {
    const scrolled = target as HTMLElement
    if (moved.current.get(scrolled) === scrolled.scrollTop) return
    const share = scrolled.scrollTop / Math.max(1, scrolled.scrollHeight - scrolled.clientHeight)
    for (const other of currentTarget.querySelectorAll<HTMLElement>('[role="region"]')) {
      if (other === scrolled || scrolled.contains(other)) continue
      other.scrollTop = share * (other.scrollHeight - other.clientHeight)
      moved.current.set(other, other.scrollTop)
    }
  }
  const shown = (side: SideToShow) => (
    <FilePreview name={side.name} format={side.format} {...sourceOf(organizationId, side.file)} />
  )
  return (
    <div ref={placeRef} className={classes.pages} onScrollCapture={follow}>
      <section aria-label={t('before')} data-side="before">
        <h2>{before.name}</h2>
        {shown(before)}
      </section>
      <section aria-label={t('after')} data-side="after">
        <h2>{after.name}</h2>
        {shown(after)}
      </section>
    </div>
  )
}

function sourceOf(organizationId: string, name: string) {
  const file = fileOfName(name)!
  if (file.kind === 'document') {
    const input = { organizationId, documentId: file.documentId }
    return {
      queryKey: [downloadDocument.path, input],
      load: (signal: AbortSignal) => fetchFile(downloadDocument, input, signal),
    }
  }
  const { signingRequestId } = file
  if (file.kind === 'proposal') {
    const input = { organizationId, signingRequestId, number: file.number }
    return {
      queryKey: [downloadProposal.path, input],
      load: (signal: AbortSignal) => fetchFile(downloadProposal, input, signal),
    }
  }
  const { revision } = file
  const input = { organizationId, signingRequestId, revision }
  return {
    queryKey: [downloadRevision.path, input],
    load: (signal: AbortSignal) => fetchFile(downloadRevision, input, signal),
  }
}

/** Scrolls each frame to its page; null leaves the frame where it is. */
export function showPages(
  place: HTMLElement | null,
  pages: { before: number | null; after: number | null },
): void {
  for (const side of ['before', 'after'] as const) {
    const frame = place?.querySelector<HTMLElement>(`[data-side="${side}"] [role="region"]`)
    const page = frame?.querySelector(`[data-page="${pages[side]}"]`)
    if (frame && page) frame.scrollTop += page.getBoundingClientRect().top - frame.getBoundingClientRect().top
  }
}
