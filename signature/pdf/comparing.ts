/** What a comparison of two revisions of a document uses and collects. */
import type { View } from './document.ts'
import { isEqual, keysOf, type Comparison } from './equality.ts'
import { idOf, isRef, type PdfDict, type PdfRef, type PdfValue } from './values.ts'

export const changeKinds = [
  /** Pages, their content, scripts, settings of the form: anything that is not listed below. */
  'content',
  /** Values of form fields. */
  'form',
  /** Comments and marks on the pages. */
  'annotations',
  /** Further signatures. */
  'signatures',
  /** Certificates and revocation data for the signatures. */
  'evidence',
  /** The description of the file. */
  'metadata',
] as const
export type ChangeKind = (typeof changeKinds)[number]

export type Compare = Comparison & {
  /** The pages among the objects that are compared separately. */
  pages: ReadonlySet<string>
  /** The signature fields that have a signature in the newer revision. */
  signed: ReadonlySet<string>
  kinds: Set<ChangeKind>
  fields: Set<string>
}

export const limits = { nodes: 200_000, depth: 64 }

/** References from an annotation or a field to the object that it belongs to. */
export const linksBack: ReadonlySet<string> = new Set(['P', 'Parent', 'Popup', 'IRT'])

/**
 * Whether two dictionaries are equal except for these keys. Objects that they refer to are compared, too: what one
 * object shows must not be hidden by listing it as a comment or a field as well.
 */
export function isEqualBut(keys: ReadonlySet<string>, a: PdfDict, b: PdfDict, compare: Compare): boolean {
  const whole = { ...compare, apart: compare.pages }
  return keysOf(a, b).every((key) => keys.has(key) || isEqual(a.entries.get(key), b.entries.get(key), whole))
}

export function refsIn(values: readonly PdfValue[]): Map<string, PdfRef> {
  return new Map(values.filter(isRef).map((ref) => [idOf(ref), ref]))
}

export function both(ref: PdfRef, { before, after }: { before: View; after: View }): [PdfValue, PdfValue] {
  return [before.resolve(ref), after.resolve(ref)]
}
