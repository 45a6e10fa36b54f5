/** Parses the manifest of a bundle without trusting it: null where it is not in the exact form that we write. */
import { bundleFormat, bundleLimits, isSafeName, type BundleManifest } from './bundle.ts'

export function readManifest(bytes: Uint8Array): BundleManifest | null {
  const parsed = parsedJson(bytes)
  if (!isRecord(parsed) || parsed['format'] !== bundleFormat || parsed['version'] !== 1) return null
  const { madeAt, request, documents, signatures, history, files, earlier } = parsed
  const isRight =
    isTime(madeAt) &&
    isRecord(request) &&
    areTexts(request, 'id', 'name') &&
    isRowOf(documents, isDocument) &&
    (earlier === undefined ||
      (isRowOf(earlier, isRevision) && earlier.every(({ revision }, i) => revision === i + 1))) &&
    isRowOf(signatures, isSignature) &&
    signatures.length <= bundleLimits.signatures &&
    isRecord(history) &&
    isCount(history['events']) &&
    isCount(history['leftOut']) &&
    isRecord(files) &&
    Object.entries(files).every(([name, file]) => isSafeName(name) && isFile(file))
  // every field of the type was checked above
  return isRight ? (parsed as unknown as BundleManifest) : null
}

/** Strict UTF-8; null where it is not JSON. */
export function parsedJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return null
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

export function isTime(value: unknown): value is string {
  return (
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
  )
}

export function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

function isDocument(one: Record<string, unknown>): boolean {
  return isCount(one['attempt']) && areTexts(one, 'file', 'name')
}

function isRevision(one: Record<string, unknown>): boolean {
  const { revision, sha256, file, name } = one
  const isName = typeof name === 'string' && (file === null || typeof file === 'string')
  return isName && isCount(revision) && isHash(sha256)
}

function isSignature(one: Record<string, unknown>): boolean {
  const { side, timestampedCms, receivedAt, record, inside, signedXml, revision } = one
  return (
    areTexts(one, 'id', 'signer', 'cms', 'durable', 'chain') &&
    isCount(one['attempt']) &&
    (revision === undefined || isCount(revision)) &&
    isTime(receivedAt) &&
    isRecord(side) &&
    areTexts(side, 'name', 'bin') &&
    (timestampedCms === null || typeof timestampedCms === 'string') &&
    (inside === undefined || isInside(inside)) &&
    (signedXml === undefined || typeof signedXml === 'string') &&
    (record === undefined || record === null || typeof record === 'string') &&
    ['ocsp', 'timestamps', 'lists'].every((name) => areAllTexts(one[name]))
  )
}

function isInside(inside: unknown): boolean {
  if (!isRecord(inside)) return false
  const { file, from, to, end } = inside
  return typeof file === 'string' && isCount(from) && isCount(to) && isCount(end) && from < to && to <= end
}

function isFile(file: unknown): boolean {
  return isRecord(file) && isHash(file['sha256']) && isCount(file['size'])
}

export function areTexts(record: Record<string, unknown>, ...names: string[]): boolean {
  return names.every((name) => typeof record[name] === 'string')
}

function areAllTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function isRowOf(
  value: unknown,
  isRight: (one: Record<string, unknown>) => boolean,
): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.every((one: unknown) => isRecord(one) && isRight(one))
}
