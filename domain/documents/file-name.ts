/** Cleans the name of an uploaded file: it must be what it looks like, and valid on every file system. */
export const longestName = 250

/** Control characters, invisible ones, and those that reverse text (fdp.exe shown as exe.pdf). */
const unreadable = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu
const forbiddenInNames = /[\\/:*?<>|]/g

/** Never empty and never longer than the limit; the extension stays. */
export function cleanFileName(raw: string): string {
  const cleaned = raw
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(unreadable, '')
    .replaceAll('"', "'")
    .replaceAll(forbiddenInNames, '_')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const { stem, ending } = partsOf(cleaned)
  const room = longestName - ending.length
  const kept = stem.replace(/^[\s.]+|[\s.]+$/g, '')
  return shortened(kept === '' ? 'document' : kept, room) + ending
}

function partsOf(name: string): { stem: string; ending: string } {
  const ending = /\.[^.\s]{1,10}$/.exec(name)?.[0] ?? ''
  return { stem: name.slice(0, name.length - ending.length), ending: ending.toLowerCase() }
}

/** Cuts between whole characters, not inside of an emoji. */
function shortened(text: string, room: number): string {
  if (text.length <= room) return text
  let kept = ''
  for (const sign of text) {
    if (kept.length + sign.length > room) break
    kept += sign
  }
  return kept.trimEnd()
}
