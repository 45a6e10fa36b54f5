/** How the comments and marks on a page changed (ISO 32000-2, 12.5). */
import { both, isEqualBut, linksBack, refsIn, type Compare } from './comparing.ts'
import type { View } from './document.ts'
import { isEqual } from './equality.ts'
import { addField, compareFields } from './field-changes.ts'
import { idOf, isArray, isDict, isName, isRef, type PdfDict, type PdfRef, type PdfValue } from './values.ts'

/**
 * Annotations that are comments of people. Other kinds show, hide or run something: watermarks, redactions, films,
 * attached files.
 */
const comments = new Set(
  `Text FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Popup`.split(
    ' ',
  ),
)
const actions = ['A', 'AA', 'PA']
/** Entries that only say when a comment was last changed and whether its window is open. */
const ofViewing: ReadonlySet<string> = new Set([...linksBack, 'M', 'Open'])

export function compareAnnotations(
  one: PdfValue | undefined,
  other: PdfValue | undefined,
  compare: Compare,
): void {
  const [was, is] = [listIn(compare.before, one), listIn(compare.after, other)]
  compareDirect(was, is, compare)
  const [known, now] = [refsIn(was), refsIn(is)]
  for (const [id, ref] of known) {
    if (!now.has(id)) compare.kinds.add('content')
    else compareAnnotation(ref, compare)
  }
  for (const [id, ref] of now) if (!known.has(id)) addAnnotation(compare.after.resolve(ref), id, compare)
}

function listIn(view: View, value: PdfValue | undefined): readonly PdfValue[] {
  const all = view.resolve(value)
  return isArray(all) ? all : []
}

/**
 * Annotations written directly in the page have no number by which they could be followed, so they must stay as they
 * are and in their order.
 */
function compareDirect(was: readonly PdfValue[], is: readonly PdfValue[], compare: Compare): void {
  const left = was.filter((one) => !isRef(one))
  for (const one of is) {
    if (isRef(one)) continue
    if (left.length > 0 && isEqual(left[0], one, { ...compare, apart: compare.pages })) left.shift()
    else addAnnotation(one, null, compare)
  }
  if (left.length > 0) compare.kinds.add('content')
}

/** An annotation that the signer saw must stay the same. */
function compareAnnotation(ref: PdfRef, compare: Compare): void {
  const [a, b] = both(ref, compare)
  if (!isDict(a) || !isDict(b)) {
    if (a !== b) compare.kinds.add('content')
    return
  }
  const isWidget = ({ entries }: PdfDict, { resolve }: View) =>
    isName(resolve(entries.get('Subtype')), 'Widget')
  if (isWidget(a, compare.before) || isWidget(b, compare.after)) compareFields(a, b, idOf(ref), compare)
  else if (!isEqualBut(linksBack, a, b, compare))
    compare.kinds.add(isEqualBut(ofViewing, a, b, compare) ? 'annotations' : 'content')
}

function addAnnotation(annotation: PdfValue, id: string | null, compare: Compare): void {
  const { kinds, after } = compare
  if (!isDict(annotation) || actions.some((key) => annotation.entries.has(key))) {
    kinds.add('content')
    return
  }
  const subtype = after.resolve(annotation.entries.get('Subtype'))
  if (isName(subtype, 'Widget')) addField(annotation, id, compare)
  else kinds.add(isName(subtype) && comments.has(subtype.name) ? 'annotations' : 'content')
}
