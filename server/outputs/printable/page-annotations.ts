/**
 * Marks are added to pages of the original as annotations: the contents of the pages stay as they are, and only each
 * page's dictionary is written again.
 */
import { PDFArray, PDFDict, PDFName, PDFRawStream, PDFRef, type PDFObject } from '@cantoo/pdf-lib'
import { numberIn } from '@kelisim/pdf/incremental/cross-references.ts'
import type { Original } from '@kelisim/pdf/incremental/original.ts'

/** The flags Print, ReadOnly, Locked and LockedContents: marks are printed, and nobody can change them. */
const flags = 4 | 64 | 128 | 512

type Box = readonly [left: number, bottom: number, right: number, top: number]

/** `box` is the visible part of the page. */
export type PageOfOriginal = { ref: PDFRef; dict: PDFDict; box: Box; turn: number }

type Inherited = { media: Box; crop: Box | null; turn: number }

const a4: Box = [0, 0, 595.28, 841.89]

/**
 * The pages in their order, with the box and the rotation that they inherit; null: a page that cannot be written
 * again.
 */
export function pagesOf({ pages, resolve }: Original): (PageOfOriginal | null)[] {
  const found: (PageOfOriginal | null)[] = []
  const seen = new Set<PDFRef>()
  const walk = (ref: PDFObject, inherited: Inherited): void => {
    const node = resolve(ref)
    if (!(ref instanceof PDFRef) || !(node instanceof PDFDict) || seen.has(ref)) return void found.push(null)
    seen.add(ref)
    const own = {
      media: boxOf(node, 'MediaBox', resolve) ?? inherited.media,
      crop: boxOf(node, 'CropBox', resolve) ?? inherited.crop,
      turn: numberIn(node, 'Rotate') ?? inherited.turn,
    }
    const kids = resolve(node.get(PDFName.of('Kids')))
    if (kids instanceof PDFArray) for (const kid of kids.asArray()) walk(kid, own)
    else found.push({ ref, dict: node, box: common(own.media, own.crop), turn: own.turn })
  }
  walk(pages.ref, { media: a4, crop: null, turn: 0 })
  return found
}

/** The visible box of a page. A crop box outside the page would show nothing, so readers ignore it. */
function common(media: Box, crop: Box | null): Box {
  if (crop === null) return media
  const left = Math.max(media[0], crop[0])
  const bottom = Math.max(media[1], crop[1])
  const right = Math.min(media[2], crop[2])
  const top = Math.min(media[3], crop[3])
  return left < right && bottom < top ? [left, bottom, right, top] : media
}

function boxOf(node: PDFDict, name: string, resolve: Original['resolve']): Box | null {
  const box = resolve(node.get(PDFName.of(name)))
  if (!(box instanceof PDFArray) || box.size() !== 4) return null
  const corners = box.asArray().map((corner) => Number(String(resolve(corner))))
  if (corners.some((corner) => !Number.isFinite(corner))) return null
  const [x1, y1, x2, y2] = corners as [number, number, number, number]
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
}

/** The clockwise rotation of the page as it is seen: 0, 90, 180 or 270. */
export function turnOf({ turn }: Pick<PageOfOriginal, 'turn'>): number {
  return ((turn % 360) + 360) % 360
}

export function addMark(
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
  // A further mark of the same page is added to this dictionary.
  page.dict = changed
}

/** Turns the drawing into a form of the size of the mark; null: nothing was drawn. */
export function markOf(
  { context }: Original,
  { contents, resources }: { contents: PDFRef; resources: PDFDict },
  { width, height }: { width: number; height: number },
): PDFRef | null {
  const stream = context.lookup(contents)
  if (!(stream instanceof PDFRawStream)) return null
  stream.dict.set(PDFName.of('Type'), PDFName.of('XObject'))
  stream.dict.set(PDFName.of('Subtype'), PDFName.of('Form'))
  stream.dict.set(PDFName.of('BBox'), context.obj([0, 0, width, height]))
  stream.dict.set(PDFName.of('Resources'), resources)
  return contents
}

/** A form of its own that shows the drawing, turned as the page is. */
export function formOn(
  context: Original['context'],
  drawing: PDFRef,
  matrix: number[],
  { width, height }: { width: number; height: number },
): PDFObject {
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
