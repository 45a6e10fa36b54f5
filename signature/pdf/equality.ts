/** Whether a part of a document is the same in two of its revisions, including everything that it refers to. */
import { isSame } from '../asn1/values.ts'
import type { View } from './document.ts'
import {
  idOf,
  isArray,
  isDict,
  isName,
  isRef,
  isStream,
  isString,
  type PdfDict,
  type PdfValue,
} from './values.ts'

export type Comparison = {
  before: View
  after: View
  /** Objects that are compared separately: pages, annotations, fields. */
  apart: ReadonlySet<string>
}

/** Not recursive, because outlines and article threads are chains of thousands of objects. */
export function isEqual(
  one: PdfValue | undefined,
  other: PdfValue | undefined,
  { before, after, apart }: Comparison,
): boolean {
  const seen = new Set<string>()
  const left: [PdfValue | undefined, PdfValue | undefined][] = [[one, other]]
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [a, b] = pair
    if (isRef(a) && isRef(b)) {
      if (idOf(a) === idOf(b) && apart.has(idOf(a))) continue
      const id = `${idOf(a)} ${idOf(b)}`
      if (seen.has(id)) continue
      seen.add(id)
    }
    const parts = partsOf(before.resolve(a), after.resolve(b))
    if (!parts) return false
    left.push(...parts)
  }
  return true
}

/** The pairs of parts that remain to be compared; null: the values differ. */
function partsOf(a: PdfValue, b: PdfValue): [PdfValue | undefined, PdfValue | undefined][] | null {
  if (isArray(a)) return isArray(b) && a.length === b.length ? a.map((one, i) => [one, b[i]]) : null
  if (isStream(a)) return isStream(b) && isSame(a.data, b.data) ? entriesOf(a.dict, b.dict) : null
  if (isDict(a)) return isDict(b) ? entriesOf(a, b) : null
  if (isName(a)) return isName(b, a.name) ? [] : null
  if (isString(a)) return isString(b) && isSame(a.text, b.text) ? [] : null
  return a === b ? [] : null
}

function entriesOf(a: PdfDict, b: PdfDict): [PdfValue | undefined, PdfValue | undefined][] {
  return keysOf(a, b).map((key) => [a.entries.get(key), b.entries.get(key)])
}

export function keysOf(...dicts: PdfDict[]): string[] {
  return [...new Set(dicts.flatMap(({ entries }) => [...entries.keys()]))]
}
