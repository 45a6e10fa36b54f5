/** Lists what a PDF contains but its pages do not show: attached files and hidden layers, all of which is signed. */
import { visibleText } from '@kelisim/domain/visible-text.ts'
import { useEffect, useState } from 'react'
import { useTexts } from '../../i18n/use-texts.ts'
import type { PDFDocumentProxy } from './pdf-reader.ts'
import classes from './preview.module.css'

type Reader = Pick<
  PDFDocumentProxy,
  'getAttachments' | 'getAnnotationsByType' | 'getOptionalContentConfig' | 'numPages'
>
type Unseen = { files: string[]; layers: string[] }

const mostNamed = 5
/** Longer names are cut, because a PDF does not limit them. */
const longestName = 100
/** Reading the annotations of more pages than this would delay the drawing of the pages. */
const mostPages = 500
/** `AnnotationType.FILEATTACHMENT` of pdf.js. */
const fileAttachment = 17

export function PdfUnseen({ pdf }: { pdf: PDFDocumentProxy }) {
  const { t } = useTexts('documents')
  const [{ files, layers }, setUnseen] = useState<Unseen>({ files: [], layers: [] })
  useEffect(() => {
    let isGone = false
    void unseenIn(pdf).then((found) => !isGone && setUnseen(found))
    return () => {
      isGone = true
    }
  }, [pdf])
  if (files.length === 0 && layers.length === 0) return null
  return (
    <div className={classes.unseen} role="note">
      {files.length > 0 && <p>{t('preview.attached', { count: files.length, names: listed(files) })}</p>}
      {layers.length > 0 && (
        <p>{t('preview.hiddenLayers', { count: layers.length, names: listed(layers) })}</p>
      )}
    </div>
  )
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).map((name) => `«${name}»`)
  return [...shown, ...(names.length > mostNamed ? ['…'] : [])].join(', ')
}

/**
 * Files attached to the document or to a page; layers that are hidden on the screen, or shown on only one of screen
 * and paper.
 */
export async function unseenIn(pdf: Reader): Promise<Unseen> {
  const [files, onPages, screen, paper] = await Promise.all([
    pdf.getAttachments().catch(() => null),
    filesOnPages(pdf),
    layersIn(pdf, 'display'),
    layersIn(pdf, 'print'),
  ])
  return {
    files: [...(files?.values() ?? []), ...onPages].map(({ filename }) => shownName(filename)),
    layers: [...screen]
      .filter(([id, { visible }]) => !visible || !paper.get(id)?.visible)
      .map(([, { name }]) => shownName(name ?? '…')),
  }
}

/**
 * Shows invisible characters by their numbers: characters that reverse text could disguise a program as a picture.
 */
function shownName(name: string): string {
  const visible = visibleText(name)
  return visible.length > longestName ? `${visible.slice(0, longestName)}…` : visible
}

type AttachedFile = { filename: string }

async function filesOnPages(pdf: Reader): Promise<AttachedFile[]> {
  const skipped = new Set<number>()
  for (let index = mostPages; index < pdf.numPages; index++) skipped.add(index)
  try {
    const annotations = await pdf.getAnnotationsByType(new Set([fileAttachment]), skipped)
    return (annotations as { file?: AttachedFile }[]).flatMap(({ file }) => (file ? [file] : []))
  } catch {
    return []
  }
}

type Layer = { name: string | null; visible: boolean }

async function layersIn(pdf: Reader, intent: 'display' | 'print'): Promise<Map<string, Layer>> {
  try {
    return new Map<string, Layer>(await pdf.getOptionalContentConfig({ intent }))
  } catch {
    return new Map()
  }
}
