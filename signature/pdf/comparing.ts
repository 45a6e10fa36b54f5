/** What comparing two revisions of a document works on and collects. */
import type { View } from './document.ts'
import { isEqual, keysOf, type Comparison } from './equality.ts'
import { idOf, isRef, type PdfDict, type PdfRef, type PdfValue } from './values.ts'

export const changeKinds = [
  /** Pages, their content, scripts, settings of the form: anything but the following. */
  'content',
  /** Values of form fields. */
  'form',
  /** Comments and marks on the pages. */
  'annotations',
  /** Further signatures. */
  'signatures',
  /** Certificates and answers about revocation, for the signatures. */
  'evidence',
  /** The description of the file. */
  'metadata',
] as const
export type ChangeKind = (typeof changeKinds)[number]

export type Compare = Comparison & {
  /** Of those compared on their own, the pages. */
  pages: ReadonlySet<string>
  /** The signature fields that have a signature in the newer revision. */
  signed: ReadonlySet<string>
  kinds: Set<ChangeKind>
  fields: Set<string>
}

export const limits = { nodes: 200_000, depth: 64 }

/** References of an annotation or a field to what it belongs to. */
export const linksBack: ReadonlySet<string> = new Set(['P', 'Parent', 'Popup', 'IRT'])

/** Whatever it refers to is compared with it: what one object shows must not be hidden as a comment or a field. */
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
