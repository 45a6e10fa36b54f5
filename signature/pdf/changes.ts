/**
 * What was added to a document after it was signed. Two revisions are compared starting at the catalog, as a program
 * that displays them sees them; any change that is not known to be harmless counts as a change of the content.
 */
import { compareAnnotations } from './annotation-changes.ts'
import { limits, type ChangeKind, type Compare } from './comparing.ts'
import type { View } from './document.ts'
import { isEqual, keysOf } from './equality.ts'
import { compareForms, signedFieldsIn } from './field-changes.ts'
import { signatureFields, type SignatureField } from './signature-fields.ts'
import { idOf, isArray, isDict, isName, isRef, isString, type PdfDict, type PdfValue } from './values.ts'

export type Changes = {
  kinds: ReadonlySet<ChangeKind>
  /** The names of the fields whose values changed. */
  fields: ReadonlySet<string>
  /** Whether another person signed; a timestamp over the document does not count. */
  isSignedByMore: boolean
}

export function changesBetween(before: View, after: View): Changes {
  const kinds = new Set<ChangeKind>()
  const fields = new Set<string>()
  const [was, is] = [objectsApart(before), objectsApart(after)]
  // An object that is a page, a comment or a field in only one of the revisions is compared as part of whatever
  // refers to it.
  const inBoth = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
    [...one].filter((id) => other.has(id))
  const pages = new Set(inBoth(was.pages, is.pages))
  const apart = new Set([...pages, ...inBoth(was.others, is.others)])
  const signed = signedFieldsIn(after)
  const compare: Compare = { before, after, apart, pages, signed, kinds, fields }
  compareTrailers(compare)
  for (const key of keysOf(before.catalog, after.catalog)) compareInCatalog(key, compare)
  return { kinds, fields, isSignedByMore: hasMoreSigners(before, after) }
}

function hasMoreSigners(before: View, after: View): boolean {
  const isOfSigner = ({ form }: SignatureField) => form !== 'ETSI.RFC3161'
  const known = signatureFields(before).filter(isOfSigner).length
  return signatureFields(after).filter(isOfSigner).length > known
}

function compareTrailers({ before, after, kinds, ...rest }: Compare): void {
  const [one, other] = [before.trailer.entries, after.trailer.entries]
  if (!isEqual(one.get('Info'), other.get('Info'), { before, after, ...rest })) kinds.add('metadata')
  if (one.has('Encrypt') !== other.has('Encrypt')) kinds.add('content')
}

const harmlessInCatalog: ReadonlyMap<string, ChangeKind> = new Map([
  ['DSS', 'evidence'],
  ['Extensions', 'evidence'],
  ['Metadata', 'metadata'],
  ['Version', 'metadata'],
  ['Perms', 'signatures'],
])

function compareInCatalog(key: string, compare: Compare): void {
  const [one, other] = [compare.before.catalog.entries.get(key), compare.after.catalog.entries.get(key)]
  if (key === 'Pages') comparePages(one, other, compare, 0)
  else if (key === 'AcroForm') compareForms(one, other, compare)
  else if (!isEqual(one, other, compare)) compare.kinds.add(harmlessInCatalog.get(key) ?? 'content')
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
    // The content of a page must not escape the comparison by being listed as a comment on the page as well.
    else if (
      !isHarmlessInPage(key, [compare.before.resolve(was), compare.after.resolve(is)]) &&
      !isEqual(was, is, { ...compare, apart: compare.pages })
    )
      compare.kinds.add('content')
  }
}

/**
 * The tab order, and when the page was last changed. Their types are checked, so that neither can be an object that
 * is shown.
 */
function isHarmlessInPage(key: string, values: readonly PdfValue[]): boolean {
  if (key === 'Tabs') return values.every((one) => one === null || isName(one))
  return key === 'LastModified' && values.every((one) => one === null || isString(one))
}

/** Pages, annotations and fields: each is compared separately, by rules of its own. */
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
