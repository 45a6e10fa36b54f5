/** For tests: the stamps on a page of a PDF, with their texts and their visible places in fractions of the page. */
import { AnnotationMode, getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'

export type SealInPdf = { text: string; left: number; top: number; width: number }

export async function sealsIn(pdf: Uint8Array, number: number): Promise<SealInPdf[]> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0, useSystemFonts: false })
  try {
    const page = await (await task.promise).getPage(number)
    const viewport = page.getViewport({ scale: 1 })
    const annotations = (await page.getAnnotations()) as { id: string; subtype: string; rect: number[] }[]
    const texts = await textsOf(page)
    return annotations
      .filter(({ subtype }) => subtype === 'Stamp')
      .map(({ id, rect }) => {
        const [left = 0, bottom = 0, right = 0, top = 0] = rect
        const [x1 = 0, y1 = 0] = viewport.convertToViewportPoint(left, bottom) as number[]
        const [x2 = 0, y2 = 0] = viewport.convertToViewportPoint(right, top) as number[]
        return {
          text: texts.get(id) ?? '',
          left: Math.min(x1, x2) / viewport.width,
          top: Math.min(y1, y2) / viewport.height,
          width: Math.abs(x2 - x1) / viewport.width,
        }
      })
  } finally {
    await task.destroy()
  }
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocument>['promise']>['getPage']>>

/** The text that is drawn between the beginning and the end of each annotation. */
async function textsOf(page: Page): Promise<Map<string, string>> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.ENABLE })
  const texts = new Map<string, string>()
  let current: string | null = null
  for (const [i, operator] of fnArray.entries()) {
    const args = argsArray[i] as unknown[] | null
    if (operator === OPS.beginAnnotation) current = String(args?.[0])
    if (operator === OPS.endAnnotation) current = null
    if (operator !== OPS.showText || current === null) continue
    const glyphs = (args?.[0] ?? []) as (number | { unicode: string })[]
    const words = glyphs.map((glyph) => (typeof glyph === 'number' ? '' : glyph.unicode)).join('')
    texts.set(current, `${texts.get(current) ?? ''}${words}`)
  }
  return texts
}
