/**
 * A line at the foot of every page of the original: which document it is, and where its signatures are checked. It is an
 * annotation that is printed: the contents of the pages stay as they are, and only each page's dictionary is written again.
 */
import { PDFArray, PDFDict, PDFName, PDFRawStream, PDFRef, type PDFObject } from '@cantoo/pdf-lib'
import { openDrawing, sheetSize, type Paper, type Style } from '@kelisim/pdf/drawing.ts'
import { numberIn } from '@kelisim/pdf/incremental/cross-references.ts'
import type { Original } from '@kelisim/pdf/incremental/original.ts'
import { millimetre } from '@kelisim/pdf/units.ts'

const style: Style = { size: 6.5, colour: 'soft' }
const height = 4 * millimetre
/** Printed, and changed by nobody: the flags Print, ReadOnly, Locked and LockedContents. */
const flags = 4 | 64 | 128 | 512

/** The text is drawn once; `finish` is called when the fonts are known. */
export function openFooterMark(paper: Paper, words: string) {
  const drawing = openDrawing(paper)
  const width = drawing.widthOf(words, style) * millimetre
  // The lower left corner of the drawing is that of the mark.
  drawing.line(words, 0, sheetSize.height - 1.2, style)
  return {
    finish(original: Original, fonts: Record<string, PDFRef>): void {
      const { context } = original
      const { contents, resources } = drawing.finish(fonts)
      const stream = context.lookup(contents)
      if (!(stream instanceof PDFRawStream)) return
      stream.dict.set(PDFName.of('Type'), PDFName.of('XObject'))
      stream.dict.set(PDFName.of('Subtype'), PDFName.of('Form'))
      stream.dict.set(PDFName.of('BBox'), context.obj([0, 0, width, height]))
      stream.dict.set(PDFName.of('Resources'), resources)
      const turned = new Map<string, PDFRef>()
      for (const page of pagesOf(original)) {
        const { matrix, rect } = placeOn(page, width)
        const known =
          turned.get(matrix.join(' ')) ?? context.register(formOn(context, contents, matrix, width))
        turned.set(matrix.join(' '), known)
        addMark(original, page, known, rect)
      }
    },
  }
}

type PageOfOriginal = { ref: PDFRef; dict: PDFDict; box: number[]; turn: number }

/** Pages with the box and the rotation that they inherit; those that cannot be written again are left as they are. */
function pagesOf({ pages, resolve }: Original): PageOfOriginal[] {
  const found: PageOfOriginal[] = []
  const walk = (ref: PDFObject, inherited: { box: number[]; turn: number }): void => {
    const node = resolve(ref)
    if (!(ref instanceof PDFRef) || !(node instanceof PDFDict)) return
    const own = {
      box: boxOf(node, 'CropBox', resolve) ?? boxOf(node, 'MediaBox', resolve) ?? inherited.box,
      turn: numberIn(node, 'Rotate') ?? inherited.turn,
    }
    const kids = resolve(node.get(PDFName.of('Kids')))
    if (kids instanceof PDFArray) for (const kid of kids.asArray()) walk(kid, own)
    else found.push({ ref, dict: node, ...own })
  }
  walk(pages.ref, { box: [0, 0, 595.28, 841.89], turn: 0 })
  return found
}

function boxOf(node: PDFDict, name: string, resolve: Original['resolve']): number[] | null {
  const box = resolve(node.get(PDFName.of(name)))
  if (!(box instanceof PDFArray) || box.size() !== 4) return null
  const corners = box.asArray().map((corner) => Number(String(resolve(corner))))
  if (corners.some((corner) => !Number.isFinite(corner))) return null
  const [x1, y1, x2, y2] = corners as [number, number, number, number]
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
}

function addMark(
  { context, resolve }: Original,
  page: PageOfOriginal,
  appearance: PDFRef,
  rect: number[],
): void {
  const annotation = context.register(
    context.obj({
      Type: 'Annot',
      Subtype: 'Stamp',
      Rect: rect,
      F: flags,
      P: page.ref,
      AP: { N: appearance },
    }),
  )
  const known = resolve(page.dict.get(PDFName.of('Annots')))
  const all = known instanceof PDFArray ? [...known.asArray(), annotation] : [annotation]
  const changed = page.dict.clone(context)
  changed.set(PDFName.of('Annots'), context.obj(all))
  context.assign(page.ref, changed)
}

/** The drawing, turned as the page is, in a form of its own. */
function formOn(context: Original['context'], drawing: PDFRef, matrix: number[], width: number): PDFObject {
  const bytes = Buffer.from('/mark Do', 'latin1')
  const dict = context.obj({
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, width, height],
    Matrix: matrix,
    Resources: { XObject: { mark: drawing } },
    Length: bytes.length,
  })
  return PDFRawStream.of(dict, bytes)
}

/** In the middle of the lower edge, as the page is seen; smaller where the page is narrower than the text. */
function placeOn({ box, turn }: PageOfOriginal, width: number): { matrix: number[]; rect: number[] } {
  const [left, bottom, right, top] = box as [number, number, number, number]
  const turned = ((turn % 360) + 360) % 360
  const [middle, length] =
    turned === 90 || turned === 270 ? [(bottom + top) / 2, top - bottom] : [(left + right) / 2, right - left]
  const edge = Math.min(3 * millimetre, length / 20)
  const scale = Math.min(1, (length - 2 * edge) / width)
  const [from, to] = [middle - (width * scale) / 2, middle + (width * scale) / 2]
  const high = height * scale
  switch (turned) {
    case 90:
      return { matrix: [0, 1, -1, 0, 0, 0], rect: [right - edge - high, from, right - edge, to] }
    case 180:
      return { matrix: [-1, 0, 0, -1, 0, 0], rect: [from, top - edge - high, to, top - edge] }
    case 270:
      return { matrix: [0, -1, 1, 0, 0, 0], rect: [left + edge, from, left + edge + high, to] }
    default:
      return { matrix: [1, 0, 0, 1, 0, 0], rect: [from, bottom + edge, to, bottom + edge + high] }
  }
}
