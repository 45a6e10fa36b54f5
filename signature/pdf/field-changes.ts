/** How the form of a document changed: its fields, their values and their appearance (ISO 32000-2, 12.7). */
import { both, isEqualBut, limits, linksBack, refsIn, type Compare } from './comparing.ts'
import type { View } from './document.ts'
import { isEqual, keysOf } from './equality.ts'
import { textOf } from './signature-fields.ts'
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

/** The entries of a field that change when it is filled in; all others must stay. */
const filledIn = ['V', 'AP', 'AS', 'M', 'I', 'RV', 'MK']
const inSigning: ReadonlySet<string> = new Set([...linksBack, ...filledIn, 'Kids', 'Lock', 'SV', 'F', 'Rect'])
const inFilling: ReadonlySet<string> = new Set([...linksBack, ...filledIn, 'Kids'])
/** Entries that may change in any field; fields below it are compared separately. */
const around: ReadonlySet<string> = new Set([...linksBack, 'Kids', 'M'])

export function compareForms(one: PdfValue | undefined, other: PdfValue | undefined, compare: Compare): void {
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
    else if (!isEqual(then, now, compare)) compareSetting(key, then, now, compare)
  }
}

function compareSetting(
  key: string,
  then: PdfValue | undefined,
  now: PdfValue | undefined,
  compare: Compare,
): void {
  const { kinds, before } = compare
  if (key === 'SigFlags') kinds.add('signatures')
  else if (key === 'NeedAppearances') kinds.add('form')
  else if (key === 'DR') kinds.add(hasOnlyMore(then, now, compare) ? 'form' : 'content')
  // DA is the appearance of values that do not state their own.
  else kinds.add(key === 'DA' && before.resolve(then) === null ? 'form' : 'content')
}

/** Whether resources were only added: another font under a known name would change how values look. */
function hasOnlyMore(then: PdfValue | undefined, now: PdfValue | undefined, compare: Compare): boolean {
  const [was, is] = [compare.before.resolve(then), compare.after.resolve(now)]
  if (was === null) return true
  if (!isDict(was) || !isDict(is)) return false
  return [...was.entries].every(([kind, value]) => {
    const [known, left] = [compare.before.resolve(value), compare.after.resolve(is.entries.get(kind))]
    if (!isDict(known) || !isDict(left)) return isEqual(value, is.entries.get(kind), compare)
    return [...known.entries].every(([name, one]) => isEqual(one, left.entries.get(name), compare))
  })
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
  for (const [id, ref] of now) if (!known.has(id)) addField(compare.after.resolve(ref), id, compare)
}

/** Compares a field and the fields below it. */
function compareField(ref: PdfRef, compare: Compare, depth: number): void {
  const [a, b] = both(ref, compare)
  if (!isDict(a) || !isDict(b) || depth > limits.depth) {
    if (a !== b) compare.kinds.add('content')
    return
  }
  compareFields(a, b, idOf(ref), compare)
  const [kids, now] = [
    compare.before.resolve(a.entries.get('Kids')),
    compare.after.resolve(b.entries.get('Kids')),
  ]
  if (!isArray(kids) || !isArray(now) || now.length !== kids.length) {
    if (kids !== now) compare.kinds.add('content')
    return
  }
  const left = refsIn(now)
  for (const [id, kid] of refsIn(kids)) {
    if (left.has(id)) compareField(kid, compare, depth + 1)
    else compare.kinds.add('content')
  }
}

export function compareFields(a: PdfDict, b: PdfDict, id: string, compare: Compare): void {
  if (isEqualBut(around, a, b, compare)) return
  const { kinds, before, after } = compare
  const type = inherited('FT', a, before) ?? inherited('FT', b, after)
  if (isName(type, 'Sig')) {
    // An empty field may be signed; an existing signature must stay.
    const isEmpty = before.resolve(a.entries.get('V')) === null
    const isSigned = isEmpty && compare.signed.has(id) && isEqualBut(inSigning, a, b, compare)
    kinds.add(isSigned && !showsTimestamp(b, after) ? 'signatures' : 'content')
    return
  }
  // A change of what a field shows must come with a new value.
  const hasNewValue = !isEqual(inherited('V', a, before), inherited('V', b, after), compare)
  const isFilledIn = hasNewValue && !isReadOnly(a, before) && isEqualBut(inFilling, a, b, compare)
  kinds.add(isFilledIn ? 'form' : 'content')
  if (isFilledIn) compare.fields.add(nameOfField(b, after))
}

/** `id`: null if the field is written directly in a page. */
export function addField(field: PdfValue, id: string | null, compare: Compare): void {
  const { kinds, after, signed } = compare
  if (!isDict(field) || !isName(inherited('FT', field, after), 'Sig')) kinds.add('content')
  else if (id !== null && signed.has(id)) kinds.add(showsTimestamp(field, after) ? 'content' : 'signatures')
  // An empty signature field may be added, but nothing that shows or does something.
  else
    kinds.add(['V', 'AP', 'MK', 'A', 'AA', 'Kids'].some((key) => field.entries.has(key)) ? 'content' : 'form')
}

/**
 * Whether a timestamp is visible on the page. Anybody can get a timestamp, even where no further signer is allowed,
 * so it must not cover what was signed.
 */
function showsTimestamp(field: PdfDict, view: View): boolean {
  const signature = inherited('V', field, view)
  return (
    isDict(signature) &&
    isName(view.resolve(signature.entries.get('SubFilter')), 'ETSI.RFC3161') &&
    isShown(field, view, 0)
  )
}

/** Whether the field, or a widget below it, has an area on a page and something to show there. */
function isShown(field: PdfDict, view: View, depth: number): boolean {
  const { resolve } = view
  const rectangle = resolve(field.entries.get('Rect'))
  const [left, bottom, right, top] = isArray(rectangle) ? rectangle.map(resolve) : []
  const hasRoom = left !== right && bottom !== top
  if (hasRoom && ['AP', 'MK'].some((key) => field.entries.has(key))) return true
  const kids = resolve(field.entries.get('Kids'))
  if (!isArray(kids)) return false
  // Fields that are nested deeper than any program nests them are taken to show something.
  if (depth >= limits.depth) return true
  return kids.map(resolve).some((kid) => isDict(kid) && isShown(kid, view, depth + 1))
}

/** The signature fields of a view that have a signature, with the widgets that show them. */
export function signedFieldsIn(view: View): Set<string> {
  const found = new Set<string>()
  const visit = (value: PdfValue | undefined, isSigned: boolean, depth: number) => {
    const field = view.resolve(value)
    if (!isRef(value) || !isDict(field) || depth > limits.depth || found.size > limits.nodes) return
    const isSignature = isName(inherited('FT', field, view), 'Sig')
    const hasSignature = isSigned || (isSignature && isDict(view.resolve(field.entries.get('V'))))
    if (hasSignature) found.add(idOf(value))
    const kids = view.resolve(field.entries.get('Kids'))
    if (isArray(kids)) for (const kid of kids) visit(kid, hasSignature, depth + 1)
  }
  const form = view.resolve(view.catalog.entries.get('AcroForm'))
  const fields = isDict(form) ? view.resolve(form.entries.get('Fields')) : null
  if (isArray(fields)) for (const field of fields) visit(field, false, 0)
  return found
}

/** The value of an entry in the field or in those above it. */
function inherited(key: string, field: PdfDict, { resolve }: View): PdfValue {
  let one: PdfValue = field
  for (let depth = 0; isDict(one) && depth < limits.depth; depth++) {
    const value = resolve(one.entries.get(key))
    if (value !== null) return value
    one = resolve(one.entries.get('Parent'))
  }
  return null
}

function isReadOnly(field: PdfDict, view: View): boolean {
  const flags = inherited('Ff', field, view)
  return typeof flags === 'number' && (flags & 1) === 1
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
