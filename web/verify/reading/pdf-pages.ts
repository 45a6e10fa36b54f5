/** Draws the pages of a PDF as a scanner would see them, so that codes printed on them can be read. */
import type { InputFile } from '@kelisim/signature/container/input-file.ts'
import { openPdf, type PDFPageProxy } from '../../documents/preview/pdf-reader.ts'

/** The last pages are drawn, because a printed document has its codes there. */
const mostPages = 24
/** A PDF has 72 points per inch; printed codes are made to be read at 300 dpi. */
const scale = 300 / 72
/** The limit for large pages: an A3 sheet at 300 dpi; a poster needs no more. */
const mostPixels = 18_000_000

/** Empty if the PDF cannot be read: it is then treated as a document. */
export async function pdfPages(
  pdf: Blob,
  onPage: (done: number, total: number) => void,
): Promise<InputFile[]> {
  const task = openPdf(await pdf.arrayBuffer())
  try {
    const document = await task.promise
    const first = Math.max(1, document.numPages - mostPages + 1)
    const total = document.numPages - first + 1
    const pictures: InputFile[] = []
    for (let number = first; number <= document.numPages; number++) {
      onPage(pictures.length, total)
      const page = await document.getPage(number)
      pictures.push({ name: `${number}.png`, blob: await drawn(page) })
      page.cleanup()
    }
    return pictures
  } catch {
    return []
  } finally {
    await task.destroy()
  }
}

async function drawn(page: PDFPageProxy): Promise<Blob> {
  const { width, height } = page.getViewport({ scale: 1 })
  const fitting = Math.min(scale, Math.sqrt(mostPixels / (width * height)))
  const viewport = page.getViewport({ scale: fitting })
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(viewport.width)
  canvas.height = Math.ceil(viewport.height)
  await page.render({ canvas, viewport }).promise
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
  if (!blob) throw new Error('the page could not be drawn')
  return blob
}
