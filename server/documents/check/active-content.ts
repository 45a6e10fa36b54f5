/**
 * Finds in the parts of an office file what becomes active when somebody opens it: commands for other programs (DDE),
 * contents loaded from elsewhere, formulas that ask a server, embedded objects, and definitions of entities. Parts
 * are read piece by piece, never held whole.
 */
import { Parser } from 'htmlparser2'
import type { CheckResult } from './check-job.ts'
import { faultOfFormula } from './formula.ts'

export type ActiveContent = Extract<CheckResult, 'dde' | 'external' | 'objects' | 'entities'>

/** Takes the next piece of one XML part and returns what was found so far. */
export type PartReader = (piece: Buffer) => ActiveContent | 'broken' | null

/**
 * Relationships that are allowed to point outside: hyperlinks wait for a click, and ordinary documents refer to
 * pictures on the own disk and to other workbooks.
 */
const harmless =
  /\/(?:hyperlink|image|externalLinkPath|xlExternalLinkPath\/\w+|xlPathMissing|audio|video|media)$/i
const objects = /\/(?:oleObject|control|activeXControlBinary)$/i
/** A network share may be a server of the attacker, to which Windows would sign in. */
const shareAddress = /^(?:file:)?[\\/]{2,}(?![\\/]*[a-z]:)/i

/** Whoever serves a picture can show another one after everybody has signed. */
const servedAddress = /^\s*(?:https?|ftps?):/i

type Relationship = { type: string; target: string; isExternal: boolean }

export function faultOfRelationship({ type, target, isExternal }: Relationship): ActiveContent | null {
  if (objects.test(type)) return isExternal ? 'external' : 'objects'
  if (!isExternal) return null
  if (!harmless.test(type)) return 'external'
  if (/\/image$/i.test(type) && servedAddress.test(target)) return 'external'
  return !/\/hyperlink$/i.test(type) && shareAddress.test(target) ? 'external' : null
}

/** Parts that hold programs of others. */
export function isObjectPart(name: string): boolean {
  return /(^|\/)activex\/|(^|\/)embeddings\/.*\.(?:bin|exe|docm|xlsm|xlsb|pptm|dotm|xltm)$/i.test(name)
}

/**
 * The fault of a field that an office program would run when it updates it. Texts, tables and ranges from elsewhere
 * are refused wherever they are; pictures only from another machine, because programs note on which disk a pasted
 * picture was. `isOpen`: another field stands inside this one and may give the address.
 */
export function faultOfField(instruction: string, isOpen = false): 'dde' | 'external' | null {
  if (/^[\s"]*DDE(?:AUTO)?\b/i.test(instruction)) return 'dde'
  const code = isOpen ? `${instruction} ` : instruction
  if (/^[\s"]*(?:INCLUDE(?:TEXT)?|LINK|DATABASE)[\s"]/i.test(code)) return 'external'
  if (!/^[\s"]*(?:INCLUDEPICTURE|IMPORT)[\s"]/i.test(code)) return null
  // A drive has one letter before its colon, so two mean the scheme of an address.
  return isOpen || /[a-z\d]{2}:[\\/]|[\s"][\\/]{2}/i.test(code) ? 'external' : null
}

/**
 * Refuses data that are fetched when the workbook is opened, or from a machine of the attacker. Accountants'
 * workbooks have queries that are fetched only when somebody asks for it: those change nothing by themselves.
 */
function faultOfConnection(element: string, attributes: Record<string, string>): 'external' | null {
  if (element !== 'connection' && element !== 'queryTable' && element !== 'textPr') return null
  const values = (...names: string[]) => names.flatMap((name) => valuesOf(attributes, name))
  const isFetched = values('refreshOnLoad', 'interval').some((value) => !/^\s*(?:0*|false)\s*$/.test(value))
  const isElsewhere = (address: string) => shareAddress.test(address) || servedAddress.test(address)
  return isFetched || values('odcFile', 'sourceFile').some(isElsewhere) ? 'external' : null
}

const formulas: ReadonlySet<string> = new Set([
  'f',
  'formula',
  'formula1',
  'formula2',
  'definedName',
  'calculatedColumnFormula',
  'totalsRowFormula',
])

/** Longer than any real instruction of a field. */
const longestField = 64 * 1024
/** Programs accept formulas of up to 8192 characters. */
const longestFormula = 64 * 1024

/**
 * Reads a part as an office program does: with comments, CDATA and values that hold `>`. Names are compared without
 * their prefixes. Formulas and connections are looked for in workbooks only: in a document the same names belong to
 * fractions.
 */
export function readPart({ isWorkbook }: { isWorkbook: boolean }): PartReader {
  let fault: ReturnType<PartReader> = null
  let field = ''
  let isOpen = false
  let isInstruction = false
  let formula: string | null = null
  let end = ''
  let isFirst = true
  const find = (found: ReturnType<PartReader>) => (fault ??= found)
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = local(name)
        isInstruction = element === 'instrText' || element === 'delInstrText'
        if (element === 'ddeLink') find('dde')
        if (isWorkbook && formulas.has(element)) formula = ''
        if (isWorkbook) find(faultOfConnection(element, attributes))
        if (element === 'fldChar') {
          const kinds = valuesOf(attributes, 'fldCharType')
          const isBegin = kinds.length > 0 && kinds.every((kind) => kind === 'begin')
          if (isBegin && isOpen) find(faultOfField(field, true))
          if (isBegin) field = ''
          isOpen = isBegin || (isOpen && !kinds.every((kind) => kind === 'separate' || kind === 'end'))
        }
        if (element === 'fldSimple')
          for (const instruction of valuesOf(attributes, 'instr')) find(faultOfField(instruction))
      },
      ontext(text) {
        if (formula !== null) formula += text
        if (formula !== null && formula.length > longestFormula) find('broken')
        if (!isInstruction) return
        field = (field + text).slice(0, longestField)
        find(faultOfField(field))
      },
      onclosetag(name) {
        if (name.endsWith('nstrText')) isInstruction = false
        if (formula === null || !formulas.has(local(name))) return
        find(faultOfFormula(formula))
        formula = null
      },
      onprocessinginstruction(name) {
        if (name.startsWith('!')) find('entities')
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new TextDecoder()
  return (piece) => {
    // In an encoding of two bytes a character, an office program would read words that are not seen here.
    if (isFirst && piece.length > 1 && (piece[0] === 0 || piece[1] === 0 || piece[0]! >= 0xfe))
      return 'broken'
    isFirst = false
    const text = piece.toString('latin1')
    if (/<!(?:DOCTYPE|ENTITY)/i.test(end + text)) return 'entities'
    end = text.slice(-10)
    parser.write(decoder.decode(piece, { stream: true }))
    return fault
  }
}

/** Every element of a part, its name without the prefix; attributes of relationships have no prefix. */
export function elementsOf(xml: string): { name: string; attributes: Record<string, string> }[] {
  const found: { name: string; attributes: Record<string, string> }[] = []
  const parser = new Parser(
    {
      onopentag: (name, attributes) => void found.push({ name: local(name), attributes }),
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  return found
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/**
 * Any prefix may stand for the namespace of the program, so every attribute with this local name may be the one it
 * reads.
 */
function valuesOf(attributes: Record<string, string>, name: string): string[] {
  return Object.entries(attributes).flatMap(([key, value]) => (local(key) === name ? value : []))
}
