/** Which later changes a signer allowed (ISO 32000-2, 12.8.2), and whether the changes comply with that. */
import type { Changes } from './changes.ts'
import type { ChangeKind } from './comparing.ts'
import type { View } from './document.ts'
import { textOf } from './signature-fields.ts'
import { isArray, isDict, isName, isString, type PdfDict, type PdfValue } from './values.ts'

export type Permissions = {
  harmless: ReadonlySet<ChangeKind>
  /** Whether others may sign as well. */
  allowsSigners: boolean
  /** Whether the signer locked the value of a field. */
  isLocked: (field: string) => boolean
}

/** Changes of these kinds never alter what people read. */
const always: readonly ChangeKind[] = ['signatures', 'evidence', 'metadata']
/** Indexed by the level of a certifying signature; 0 stands for a signature that states none. */
const byLevel: readonly (readonly ChangeKind[])[] = [
  [...always, 'form', 'annotations'],
  ['evidence', 'metadata', 'signatures'],
  [...always, 'form'],
  [...always, 'form', 'annotations'],
]

export function permissionsOf(signature: PdfDict, { resolve }: Pick<View, 'resolve'>): Permissions {
  const references = resolve(signature.entries.get('Reference'))
  const all = (isArray(references) ? references : []).map(resolve).filter(isDict)
  const parametersOf = (method: string): PdfDict[] =>
    all
      .filter((one) => isName(resolve(one.entries.get('TransformMethod')), method))
      .map((one) => resolve(one.entries.get('TransformParams')))
      .filter(isDict)
  const levels = parametersOf('DocMDP').map((one) => resolve(one.entries.get('P')) ?? 2)
  const strictest = Math.min(...levels.map((level) => (typeof level === 'number' ? level : 1)))
  const locks = parametersOf('FieldMDP').map((one) => lockOf(one, resolve))
  const level = levels.length === 0 ? 0 : strictest
  return {
    harmless: new Set(byLevel[level] ?? byLevel[1]),
    // Evidence and timestamps may follow even if the signer allowed no changes at all.
    allowsSigners: [0, 2, 3].includes(level),
    isLocked: (field) => locks.some((isLocked) => isLocked(field)),
  }
}

function lockOf({ entries }: PdfDict, resolve: View['resolve']): (field: string) => boolean {
  const action = resolve(entries.get('Action'))
  const fields: PdfValue = resolve(entries.get('Fields'))
  const names = (isArray(fields) ? fields : []).map(resolve).filter(isString).map(textOf)
  const isNamed = (field: string) => names.some((name) => field === name || field.startsWith(`${name}.`))
  if (isName(action, 'Include')) return isNamed
  if (isName(action, 'Exclude')) return (field) => !isNamed(field)
  return () => true
}

export function isAllowed(
  { kinds, fields, isSignedByMore }: Changes,
  { harmless, allowsSigners, isLocked }: Permissions,
): boolean {
  if (isSignedByMore && !allowsSigners) return false
  return [...kinds].every((kind) => harmless.has(kind)) && ![...fields].some(isLocked)
}
