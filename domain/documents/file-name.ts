/** Cleans the name of an uploaded file: it must be what it looks like, and valid on every file system. */
import { withoutUnseen } from '../visible-text.ts'

/** In bytes of UTF-8. File systems allow 255, and browsers append a number to the name of a second download. */
export const longestName = 250

const forbiddenInNames = /[\\/:*?<>|]/g
/** Names of devices on Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\s*(?:\.|$))/i

/** Never empty and never longer than the limit; the extension stays. */
export function cleanFileName(raw: string): string {
  const cleaned = withoutUnseen(raw.toWellFormed())
    .normalize('NFC')
    .replaceAll('"', "'")
    .replaceAll(forbiddenInNames, '_')
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s.]+$/, '')
  const { stem, ending } = partsOf(cleaned)
  const kept = stem.replaceAll(/^[\s.]+|[\s.]+$/g, '')
  const named = kept === '' ? 'document' : kept
  const safe = device.test(named) ? `_${named}` : named
  return shortened(safe, longestName - bytesOf(ending)) + ending
}

/** The most characters of a name that is shown. */
const longestShown = 250

/** The typed name without invisible characters, for display. Downloaded files get the cleaned name. */
export function shownFileName(raw: string): string {
  const seen = withoutUnseen(raw.toWellFormed())
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s.]+$/, '')
  const ending = /\.[^.\s]{1,10}$/.exec(seen)?.[0] ?? ''
  const stem = seen.slice(0, seen.length - ending.length).replaceAll(/^[\s.]+|\s+$/g, '')
  if (stem === '') return cleanFileName(raw)
  return Array.from(stem)
    .slice(0, longestShown - ending.length)
    .join('')
    .concat(ending)
}

function partsOf(name: string): { stem: string; ending: string } {
  const ending = /\.[^.\s]{1,10}$/.exec(name)?.[0] ?? ''
  return { stem: name.slice(0, name.length - ending.length), ending: ending.toLowerCase() }
}

/** Cuts between whole characters, not inside of an emoji. */
function shortened(text: string, room: number): string {
  let [kept, left] = ['', room]
  for (const character of text) {
    left -= bytesOf(character)
    if (left < 0) return kept.replace(/[\s.]+$/, '')
    kept += character
  }
  return kept
}

/** The number of bytes in UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0)!
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
