/** The values of PDF syntax (ISO 32000-2, 7.3), as plain data. */

/** The file is not well-formed, or has more than one meaning. */
export class PdfError extends Error {}

export type PdfName = { name: string }
export type PdfRef = { ref: number; generation: number }
/** `from` and `to`: the string's place in the bytes that it was read from, brackets included. */
export type PdfString = { text: Uint8Array; from: number; to: number; isHex: boolean }
export type PdfDict = { entries: ReadonlyMap<string, PdfValue> }
export type PdfStream = { dict: PdfDict; data: Uint8Array }
export type PdfValue =
  | null
  | boolean
  | number
  | PdfName
  | PdfRef
  | PdfString
  | readonly PdfValue[]
  | PdfDict
  | PdfStream

export function isName(value: PdfValue | undefined, name?: string): value is PdfName {
  return isObject(value) && 'name' in value && (name === undefined || value.name === name)
}

export function isRef(value: PdfValue | undefined): value is PdfRef {
  return isObject(value) && 'ref' in value
}

export function isString(value: PdfValue | undefined): value is PdfString {
  return isObject(value) && 'text' in value
}

export function isDict(value: PdfValue | undefined): value is PdfDict {
  return isObject(value) && 'entries' in value
}

export function isStream(value: PdfValue | undefined): value is PdfStream {
  return isObject(value) && 'data' in value
}

export function isArray(value: PdfValue | undefined): value is readonly PdfValue[] {
  return Array.isArray(value)
}

function isObject(value: PdfValue | undefined): value is Exclude<PdfValue, null | boolean | number> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object is identified by both numbers: a reference to another generation refers to nothing. */
export function idOf({ ref, generation }: PdfRef): string {
  return `${ref} ${generation}`
}

/** A whole number that is not negative. */
export function isCount(value: PdfValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
