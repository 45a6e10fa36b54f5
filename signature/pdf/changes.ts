/**
 * What was added to a document after it was signed. Two revisions are compared from the catalog on, as a program that shows
 * them would see them: what is not known to be harmless is a change of the content.
 */
import type { View } from './document.ts'
import { isEqual, keysOf, type Comparison } from './equality.ts'
import {
  idOf,
  isArray,
  isDict,
  isName,
  isRef,
  isString,
  type PdfDict,
  type PdfRef,
  type PdfValue,
} from './values.ts'
import { textOf } from './signature-fields.ts'

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

export type Changes = {
  kinds: ReadonlySet<ChangeKind>
  /** The names of the fields whose values changed. */
  fields: ReadonlySet<string>
}

const limits = { nodes: 200_000, depth: 64 }

export function changesBetween(before: View, after: View): Changes {
  const kinds = new Set<ChangeKind>()
  const fields = new Set<string>()
  const [was, is] = [objectsApart(before), objectsApart(after)]
  const pages = new Set([...was.pages, ...is.pages])
  const apart = new Set([...pages, ...was.others, ...is.others])
  const compare: Compare = { before, after, apart, pages, kinds, fields }
  compareTrailers(compare)
  for (const key of keysOf(before.catalog, after.catalog)) compareInCatalog(key, compare)
  return { kinds, fields }
}

type Compare = Comparison & {
  /** Of those compared on their own, the pages. */
  pages: ReadonlySet<string>
  kinds: Set<ChangeKind>
  fields: Set<string>
}

function compareTrailers({ before, after, kinds, ...rest }: Compare): void {
  const [one, other] = [before.trailer.entries, after.trailer.entries]
  if (!isEqual(one.get('Info'), other.get('Info'), { before, after, ...rest })) kinds.add('metadata')
  if (one.has('Encrypt') !== other.has('Encrypt')) kinds.add('content')
}

const harmlessInCatalog: Readonly<Record<string, ChangeKind>> = {
  DSS: 'evidence',
  Extensions: 'evidence',
  Metadata: 'metadata',
  Version: 'metadata',
  Perms: 'signatures',
}

function compareInCatalog(key: string, compare: Compare): void {
  const [one, other] = [compare.before.catalog.entries.get(key), compare.after.catalog.entries.get(key)]
  if (key === 'Pages') comparePages(one, other, compare, 0)
  else if (key === 'AcroForm') compareForms(one, other, compare)
  else if (!isEqual(one, other, compare)) compare.kinds.add(harmlessInCatalog[key] ?? 'content')
}

/** The tree of pages must have the same shape, and every page the same content. */
function comparePages(
  one: PdfValue | undefined,
  other: PdfValue | undefined,
  compare: Compare,
  depth: number,
) {
  const [a, b] = [compare.before.resolve(one), compare.after.resolve(other)]
  const isSameObject = isRef(one) && isRef(other) && idOf(one) === idOf(other)
  if (!isDict(a) || !isDict(b) || !isSameObject || depth > limits.depth) {
    compare.kinds.add('content')
    return
  }
  for (const key of keysOf(a, b)) {
    const [was, is] = [a.entries.get(key), b.entries.get(key)]
    if (key === 'Kids') {
      const [kids, now] = [compare.before.resolve(was), compare.after.resolve(is)]
      if (!isArray(kids) || !isArray(now) || kids.length !== now.length) compare.kinds.add('content')
      else kids.forEach((kid, i) => comparePages(kid, now[i], compare, depth + 1))
    } else if (key === 'Annots') compareAnnotations(was, is, compare)
    // What a page shows must not be hidden from the comparison as a comment on it.
    else if (!harmlessInPage.has(key) && !isEqual(was, is, { ...compare, apart: compare.pages }))
      compare.kinds.add('content')
  }
}

/** The order of the tabulator key, and when the page was last changed. */
const harmlessInPage = new Set(['Tabs', 'LastModified'])

function compareAnnotations(one: PdfValue | undefined, other: PdfValue | undefined, compare: Compare): void {
  const list = (view: View, value: PdfValue | undefined) => {
    const all = view.resolve(value)
    return isArray(all) ? all : []
  }
  const [was, is] = [list(compare.before, one), list(compare.after, other)]
  const [known, now] = [refsIn(was), refsIn(is)]
  // Annotations that stand in the page itself have no number to be followed by.
  const direct = (all: readonly PdfValue[]) => all.filter((annotation) => !isRef(annotation))
  if (!isEqual(direct(was), direct(is), compare)) compare.kinds.add('annotations')
  for (const [id, ref] of known) {
    if (!now.has(id)) compare.kinds.add('content')
    else compareAnnotation(ref, compare)
  }
  for (const [id, ref] of now) if (!known.has(id)) addAnnotation(ref, compare)
}

function refsIn(values: readonly PdfValue[]): Map<string, PdfRef> {
  return new Map(values.filter(isRef).map((ref) => [idOf(ref), ref]))
}

function compareAnnotation(ref: PdfRef, compare: Compare): void {
  const [a, b] = both(ref, compare)
  if (!isDict(a) || !isDict(b)) {
    if (a !== b) compare.kinds.add('content')
    return
  }
  if (isName(a.entries.get('Subtype'), 'Widget') || isName(b.entries.get('Subtype'), 'Widget'))
    compareFields(a, b, compare)
  else if (!isEqualBut(linksBack, a, b, compare))
    compare.kinds.add(isEqualBut(ofAnnotations, a, b, compare) ? 'annotations' : 'content')
}

function addAnnotation(ref: PdfRef, { after, kinds }: Compare): void {
  const annotation = after.resolve(ref)
  if (!isDict(annotation)) kinds.add('content')
  else if (!isName(after.resolve(annotation.entries.get('Subtype')), 'Widget')) kinds.add('annotations')
  else kinds.add(isName(typeOfField(annotation, after), 'Sig') ? 'signatures' : 'content')
}

function both(ref: PdfRef, { before, after }: Comparison): [PdfValue, PdfValue] {
  return [before.resolve(ref), after.resolve(ref)]
}

const linksBack = new Set(['P', 'Parent', 'Popup', 'IRT'])
/** What programs change in a comment; anything else in it is there for another purpose. */
const ofAnnotations = new Set(
  `P Parent Popup IRT AP AS Contents RC M Rect C IC F NM T Subj CreationDate QuadPoints Border BS BE L LE Vertices
   InkList Open State StateModel DA DS Q CL RD RT Rotate`.split(/\s+/),
)
/** What filling in a field changes; the rest of it stays as it was. */
const filledIn = new Set(['V', 'AP', 'AS', 'M', 'I', 'RV', 'MK'])

function compareFields(a: PdfDict, b: PdfDict, compare: Compare): void {
  if (isEqualBut(linksBack, a, b, compare)) return
  const type = typeOfField(a, compare.before) ?? typeOfField(b, compare.after)
  if (isName(type, 'Sig')) {
    // A signature may come into an empty field; one that is there stays.
    const wasSigned = compare.before.resolve(a.entries.get('V')) !== null
    const signed = new Set([...linksBack, ...filledIn, 'Lock', 'SV', 'F', 'Rect'])
    compare.kinds.add(wasSigned || !isEqualBut(signed, a, b, compare) ? 'content' : 'signatures')
    return
  }
  const isFilledIn = isEqualBut(new Set([...linksBack, ...filledIn, 'Kids']), a, b, compare)
  compare.kinds.add(isFilledIn ? 'form' : 'content')
  if (isFilledIn) compare.fields.add(nameOfField(b, compare.after))
}

function isEqualBut(keys: ReadonlySet<string>, a: PdfDict, b: PdfDict, comparison: Comparison): boolean {
  return keysOf(a, b).every(
    (key) => keys.has(key) || isEqual(a.entries.get(key), b.entries.get(key), comparison),
  )
}

function typeOfField(field: PdfDict, { resolve }: View): PdfValue {
  let one: PdfValue = field
  for (let depth = 0; isDict(one) && depth < limits.depth; depth++) {
    const type = resolve(one.entries.get('FT'))
    if (type !== null) return type
    one = resolve(one.entries.get('Parent'))
  }
  return null
}

function nameOfField(field: PdfDict, { resolve }: View): string {
  const names: string[] = []
  let one: PdfValue = field
  for (let depth = 0; isDict(one) && depth < limits.depth; depth++) {
    const name = resolve(one.entries.get('T'))
    if (isString(name)) names.unshift(textOf(name))
    one = resolve(one.entries.get('Parent'))
  }
  return names.join('.')
}

/** Resources of a form are used by the appearance of its fields alone. */
const formSettings: Readonly<Record<string, ChangeKind>> = {
  DR: 'form',
  DA: 'form',
  NeedAppearances: 'form',
  SigFlags: 'signatures',
}

function compareForms(one: PdfValue | undefined, other: PdfValue | undefined, compare: Compare): void {
  const [a, b] = [compare.before.resolve(one), compare.after.resolve(other)]
  const empty: PdfDict = { entries: new Map() }
  if (!isDict(b)) {
    if (a !== null) compare.kinds.add('content')
    return
  }
  const was = isDict(a) ? a : empty
  for (const key of keysOf(was, b)) {
    const [then, now] = [was.entries.get(key), b.entries.get(key)]
    if (key === 'Fields') compareFieldLists(then, now, compare)
    else if (!isEqual(then, now, compare)) compare.kinds.add(formSettings[key] ?? 'content')
  }
}

function compareFieldLists(one: PdfValue | undefined, other: PdfValue | undefined, compare: Compare): void {
  const list = (view: View, value: PdfValue | undefined) => {
    const all = view.resolve(value)
    return isArray(all) ? all : []
  }
  const [was, is] = [list(compare.before, one), list(compare.after, other)]
  if (was.some((field) => !isRef(field)) || is.some((field) => !isRef(field))) {
    if (!isEqual(was, is, compare)) compare.kinds.add('content')
    return
  }
  const [known, now] = [refsIn(was), refsIn(is)]
  for (const [id, ref] of known) {
    if (!now.has(id)) compare.kinds.add('content')
    else compareField(ref, compare, 0)
  }
  for (const [id, ref] of now) {
    if (known.has(id)) continue
    const field = compare.after.resolve(ref)
    const isSignature = isDict(field) && isName(typeOfField(field, compare.after), 'Sig')
    compare.kinds.add(isSignature ? 'signatures' : 'content')
  }
}

/** A field, and those below it. */
function compareField(ref: PdfRef, compare: Compare, depth: number): void {
  const [a, b] = both(ref, compare)
  if (!isDict(a) || !isDict(b) || depth > limits.depth) {
    if (a !== b) compare.kinds.add('content')
    return
  }
  compareFields(a, b, compare)
  const [kids, now] = [
    compare.before.resolve(a.entries.get('Kids')),
    compare.after.resolve(b.entries.get('Kids')),
  ]
  if (!isArray(kids)) return
  const left = refsIn(isArray(now) ? now : [])
  if (!isArray(now) || now.length !== kids.length) compare.kinds.add('content')
  for (const [id, kid] of refsIn(kids)) {
    if (left.has(id)) compareField(kid, compare, depth + 1)
    else compare.kinds.add('content')
  }
}

/** Pages, annotations and fields: each is compared where it stands, by rules of its own. */
function objectsApart(view: View): { pages: Set<string>; others: Set<string> } {
  const pages = new Set<string>()
  const others = new Set<string>()
  const walk = (
    value: PdfValue | undefined,
    into: Set<string>,
    visit: (dict: PdfDict) => void,
    depth = 0,
  ) => {
    if (!isRef(value) || into.has(idOf(value)) || into.size > limits.nodes || depth > limits.depth) return
    const dict = view.resolve(value)
    if (!isDict(dict)) return
    into.add(idOf(value))
    visit(dict)
    const kids = view.resolve(dict.entries.get('Kids'))
    if (isArray(kids)) for (const kid of kids) walk(kid, into, visit, depth + 1)
  }
  const walkOthers = (all: PdfValue) => {
    if (isArray(all)) for (const one of all) walk(one, others, () => {})
  }
  walk(view.catalog.entries.get('Pages'), pages, (page) =>
    walkOthers(view.resolve(page.entries.get('Annots'))),
  )
  const form = view.resolve(view.catalog.entries.get('AcroForm'))
  if (isDict(form)) walkOthers(view.resolve(form.entries.get('Fields')))
  return { pages, others }
}
