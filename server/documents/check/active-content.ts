/**
 * Finds in the parts of an office file what acts when somebody opens it: commands for other programs (DDE), what is loaded
 * from elsewhere, embedded objects, and definitions of entities. Parts are read piece by piece, never held whole.
 */
import type { CheckResult } from './check-job.ts'

export type ActiveContent = Extract<CheckResult, 'dde' | 'external' | 'objects' | 'entities'>

/** Pieces of one XML part go in; returns what was found so far. */
export type PartReader = (piece: Buffer) => ActiveContent | 'broken' | null

/** Only hyperlinks wait for a click; pictures and other workbooks are what ordinary documents refer to. */
const harmless =
  /\/(?:hyperlink|image|externalLinkPath|xlExternalLinkPath\/\w+|xlPathMissing|audio|video|media)$/i
const objects = /\/(?:oleObject|control|activeXControlBinary)$/i
/** A server of the attacker's, which Windows would sign in to. */
const shareAddress = /^(?:file:)?[\\/]{2,}(?![\\/]*[a-z]:)/i

type Relationship = { type: string; target: string; isExternal: boolean }

export function faultOfRelationship({ type, target, isExternal }: Relationship): ActiveContent | null {
  if (objects.test(type)) return isExternal ? 'external' : 'objects'
  if (!isExternal) return null
  if (!harmless.test(type)) return 'external'
  return !/\/hyperlink$/i.test(type) && shareAddress.test(target) ? 'external' : null
}

/** Parts that hold programs of others. */
export function isObjectPart(name: string): boolean {
  return /(^|\/)activex\/|(^|\/)embeddings\/.*\.(?:bin|exe|docm|xlsm|xlsb|pptm|dotm|xltm)$/i.test(name)
}

const tag = /<(?:[\w.-]+:)?(fldChar|fldSimple|instrText|delInstrText|ddeLink)\b([^>]*)>([^<]*)/g
const attribute = (name: string) => new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
const longestTag = 64 * 1024

export function readPart(decoded: (text: string) => string): PartReader {
  let rest = ''
  let field = ''
  let isFirst = true
  const isDde = (instruction: string) => /^[\s"]*DDE(?:AUTO)?\b/i.test(instruction)

  return (piece) => {
    // In two bytes a character an office program would read words that are not seen here.
    if (isFirst && piece.length > 1 && (piece[0] === 0 || piece[1] === 0 || piece[0]! >= 0xfe))
      return 'broken'
    isFirst = false
    const text = rest + piece.toString('latin1')
    if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return 'entities'
    // The last tag may be continued by the next piece.
    const end = text.lastIndexOf('<')
    rest = end < 0 ? text.slice(-longestTag) : text.slice(end).slice(0, longestTag)
    for (const [, name, attributes, content] of text.slice(0, Math.max(end, 0)).matchAll(tag)) {
      switch (name!) {
        case 'ddeLink':
          return 'dde'
        case 'fldChar':
          if (/begin/.test(attributes!)) field = ''
          break
        case 'fldSimple': {
          const found = attribute('instr').exec(attributes!)
          if (isDde(decoded(found?.[1] ?? found?.[2] ?? ''))) return 'dde'
          break
        }
        default:
          field = (field + decoded(content!)).slice(0, longestTag)
          if (isDde(field)) return 'dde'
      }
    }
    return null
  }
}
