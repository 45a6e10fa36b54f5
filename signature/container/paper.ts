/**
 * A signature on paper: a set of QR codes, as document cards of Kazakhstan have it. Each code is a JSON with its
 * number, from 0 or from 1, how many there are, and a part of a ZIP with the CMS in base64. The caller reads the
 * codes from a picture.
 */
import { ContainerError, type InputFile } from './input-file.ts'
import { readZip, unpacked } from './read-zip.ts'

export type PaperSet = {
  /** The number of the signature on the card. */
  number: number
  /** Null: codes are missing, or contradict each other. */
  signature: InputFile | null
}

type Part = { signId: number; total: number; index: number; data: string }

/** A signature with all its evidence takes some thirty codes. */
const mostParts = 500

export async function signaturesInCodes(texts: readonly string[]): Promise<PaperSet[]> {
  const sets = Map.groupBy(texts.flatMap(partIn), ({ signId, total }) => `${signId} of ${total}`)
  const found: PaperSet[] = []
  for (const parts of sets.values()) {
    const { signId, total } = parts[0]!
    // The layout of cards says nothing about where counting begins.
    const first = parts.some(({ index }) => index === 0) ? 0 : 1
    const data = Array.from({ length: total }, (_, i) => {
      const all = new Set(parts.filter(({ index }) => index === i + first).map((part) => part.data))
      return all.size === 1 ? [...all][0]! : null
    })
    const isMixed = first === 0 && parts.some(({ index }) => index === total)
    const isWhole = !isMixed && data.every((one) => one !== null)
    found.push({ number: signId, signature: isWhole ? await signatureIn(data.join(''), signId) : null })
  }
  return found.toSorted((one, other) => one.number - other.number)
}

export function isPartOfSet(text: string): boolean {
  return partIn(text).length > 0
}

function partIn(text: string): Part[] {
  if (!text.startsWith('{')) return []
  try {
    const { signId, total, index, data } = JSON.parse(text) as Partial<Record<keyof Part, unknown>>
    const isCount = (value: unknown): value is number =>
      Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= mostParts
    if (!isCount(total) || total === 0 || !isCount(index) || index > total || typeof data !== 'string')
      return []
    return typeof signId === 'number' && Number.isSafeInteger(signId) ? [{ signId, total, index, data }] : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

async function signatureIn(base64: string, number: number): Promise<InputFile | null> {
  if (!/^[A-Za-z\d+/]*={0,2}$/.test(base64) || base64.length % 4 !== 0) return null
  const zip = new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))])
  try {
    const [entry, ...more] = await readZip(zip)
    return entry && more.length === 0 ? { name: `${number}.cms`, blob: await unpacked(entry) } : null
  } catch (error) {
    if (error instanceof ContainerError) return null
    throw error
  }
}

/** Links to the installation that issued the document; only https links, or http links to this machine. */
export function linksInCodes(texts: readonly string[]): string[] {
  const links = texts.flatMap((text) => {
    const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === 'localhost')
    return url && isSafe && url.username === '' ? [url.href] : []
  })
  return [...new Set(links)].slice(0, 5)
}
