/**
 * Finds in the objects of a PDF what makes it act, or show something else than its pages: actions, media, XFA forms,
 * a portfolio. What always counts is found by neighbouring words, whatever surrounds them, because readers differ in
 * how they repair damage. Actions that open another file count only if they run without a click, so their place in
 * the dictionaries decides.
 */
import type { PdfTokens, TokenKind } from './pdf-syntax.ts'

const activeKinds = new Set([
  'JavaScript',
  'Rendition',
  'ImportData',
  'RichMediaExecute',
  'SetOCGState',
  'Hide',
  'ResetForm',
  'SubmitForm',
  'GoTo3DView',
  'Movie',
  'Sound',
])
/** Actions that are ordinary as a link to click; run by themselves they would replace this document by another. */
const opensAnother = new Set(['Launch', 'GoToR', 'GoToE'])
const media = new Set(['RichMedia', '3D', 'Screen', 'Movie'])

/**
 * How an object, or a place in it, is used: `own`: as the object that refers to it says; `opening`: an automatic
 * action or a place to begin at; `triggers`: a dictionary of automatic actions.
 */
export type Role = 'own' | 'opening' | 'automatic' | 'triggers' | 'clicked' | 'other'
export const actingRoles = ['opening', 'automatic', 'triggers'] as const

export type Facts = {
  isActive: boolean
  hasXfa: boolean
  /** The syntax is so irregular that readers would differ in what they see. */
  isBroken: boolean
  /** An object opens another file if the object that refers to it makes it an action. */
  opensAnother: boolean
  /** The numbers of objects that are automatic actions, or dictionaries of them. */
  opening: Set<number>
  automatic: Set<number>
  triggers: Set<number>
  /**
   * Words that count only together: a kind that stands in another object, and an object that consists of such a kind
   * only.
   */
  kindElsewhere: boolean
  kindAlone: boolean
  subtypeElsewhere: boolean
  mediaAlone: boolean
}

export function noFacts(): Facts {
  return {
    isActive: false,
    hasXfa: false,
    isBroken: false,
    opensAnother: false,
    opening: new Set(),
    automatic: new Set(),
    triggers: new Set(),
    kindElsewhere: false,
    kindAlone: false,
    subtypeElsewhere: false,
    mediaAlone: false,
  }
}

type Frame = {
  isDictionary: boolean
  role: Role
  start: number
  key: string | null
  /** The number of words after the key. */
  values: number
  /** A bit for each entry of an encryption dictionary that was found. */
  encryption: number
}

/** Deeper nesting makes readers fail. */
const deepest = 500
const mostActions = 50_000
const encryptionKeys = ['O', 'U', 'R']

export type ObjectEvents = {
  /** A stream: where its dictionary begins, and where the word `stream` ends. */
  onStream: (dictionary: number, after: number) => void
  onEncryption: (dictionary: number) => void
  /** The identifiers of the file, which take part in its encryption. */
  onIdentifiers: (value: number) => void
}

/** Reads tokens until the next object begins. False: they end where readers that go on would see more. */
export function readObject(tokens: PdfTokens, role: Role, facts: Facts, events: ObjectEvents): boolean {
  const reader = new ObjectReader(tokens, role, facts, events)
  while (reader.takeNext());
  return reader.finish()
}

class ObjectReader {
  readonly #tokens: PdfTokens
  readonly #role: Role
  readonly #facts: Facts
  readonly #events: ObjectEvents
  readonly #stack: Frame[] = []
  #isRegular = true
  #opensAnother = false
  /** The name right before the current token. */
  #name = ''
  #before: TokenKind = 'end'
  #closed = -1
  #isXfaOpen = false
  #numbers: number[] = []

  constructor(tokens: PdfTokens, role: Role, facts: Facts, events: ObjectEvents) {
    this.#tokens = tokens
    this.#role = role
    this.#facts = facts
    this.#events = events
  }

  takeNext(): boolean {
    const kind = this.#tokens.next()
    if (kind === 'end') return false
    const text = kind === 'name' || kind === 'keyword' ? this.#tokens.text() : ''
    if (kind === 'keyword' && text === 'obj') return false
    if (kind === 'keyword' && text === 'stream' && this.#before === '>>') return this.#endsAtStream()
    this.#judge(kind, text)
    this.#place(kind, text)
    this.#name = kind === 'name' ? text : ''
    this.#before = kind
    return true
  }

  finish(): boolean {
    const isWhole = this.#stack.length === 0 && this.#isRegular
    if (!isWhole && this.#opensAnother) this.#facts.isActive = true
    return isWhole && !this.#tokens.isCut
  }

  #endsAtStream(): boolean {
    // The stream is inside a dictionary, or follows one that readers end elsewhere.
    if (this.#stack.length > 0 || !this.#isRegular) this.#facts.isBroken = true
    else this.#events.onStream(this.#closed, this.#tokens.at)
    return false
  }

  /** Judges words that count wherever they stand. */
  #judge(kind: TokenKind, text: string): void {
    const facts = this.#facts
    if (this.#isXfaOpen && kind !== ']') facts.hasXfa = true
    this.#isXfaOpen = false
    if (kind === 'name' && this.#stack.length === 0) {
      facts.kindAlone ||= activeKinds.has(text) || opensAnother.has(text)
      facts.mediaAlone ||= media.has(text)
    }
    switch (this.#name) {
      case 'S':
        if (kind === 'name') facts.isActive ||= activeKinds.has(text)
        facts.kindElsewhere ||= kind === 'number'
        break
      case 'Subtype':
        if (kind === 'name') facts.isActive ||= media.has(text)
        facts.subtypeElsewhere ||= kind === 'number'
        break
      case 'JS':
        facts.isActive ||= kind === 'string' || kind === 'hex'
        break
      case 'Collection':
        facts.isActive ||= kind === '<<' || kind === 'number'
        break
      case 'XFA':
        this.#isXfaOpen = kind === '['
        facts.hasXfa ||= kind === 'string' || kind === 'hex' || kind === '<<' || kind === 'number'
        break
      case 'ID':
        if (kind === '[') this.#events.onIdentifiers(this.#tokens.start)
        break
      default:
    }
  }

  /** Follows the nesting. */
  #place(kind: TokenKind, text: string): void {
    const frame = this.#stack.at(-1)
    if (kind === '<<' || kind === '[') {
      const role = this.#roleOf(frame, kind)
      // Readers differ in what they skip where no value is expected; only a single word is skipped by all in the same
      // way.
      if (frame?.isDictionary && (frame.key === null || frame.values > 0)) this.#isRegular = false
      countValue(frame)
      this.#push(kind === '<<', role)
      return
    }
    if (kind === '>>' || kind === ']') {
      this.#pop(frame, kind === '>>')
      return
    }
    if (kind === 'number') {
      countValue(frame)
      this.#numbers.push(this.#tokens.integer())
      if (this.#numbers.length > 2) this.#numbers.shift()
      return
    }
    if (kind === 'keyword' && text === 'R' && this.#numbers.length === 2) {
      this.#refersTo(frame, this.#numbers[0]!)
    } else if (kind === 'name' && frame?.isDictionary && (frame.key === null || frame.values > 0)) {
      begin(frame, text)
    } else {
      countValue(frame)
      if (kind === 'name') this.#sees(frame, text)
    }
    this.#numbers = []
  }

  #sees(frame: Frame | undefined, name: string): void {
    if (!frame?.isDictionary || frame.key !== 'S' || !opensAnother.has(name)) return
    this.#opensAnother = true
    if (frame.role === 'automatic' || frame.role === 'triggers') this.#facts.isActive = true
    this.#facts.opensAnother ||= frame.role === 'own'
  }

  #refersTo(frame: Frame | undefined, number: number): void {
    const role = this.#roleOf(frame, 'number')
    if (role !== 'opening' && role !== 'automatic' && role !== 'triggers') return
    if (this.#facts[role].size < mostActions) this.#facts[role].add(number)
    else this.#facts.isBroken = true
  }

  #roleOf(frame: Frame | undefined, kind: TokenKind): Role {
    // An array as an opening action is only a place in the document.
    if (!frame) return this.#role === 'opening' ? (kind === '[' ? 'other' : 'automatic') : this.#role
    if (!frame.isDictionary) return frame.role
    switch (frame.key ?? '') {
      case 'OpenAction':
        return kind === '[' ? 'other' : kind === '<<' ? 'automatic' : 'opening'
      case 'AA':
        return 'triggers'
      case 'A':
        return frame.role === 'triggers' ? 'automatic' : 'clicked'
      case 'Next':
        return frame.role === 'triggers' ? 'automatic' : frame.role
      default:
        return frame.role === 'triggers' ? 'automatic' : 'other'
    }
  }

  #push(isDictionary: boolean, role: Role): void {
    if (this.#stack.length >= deepest) this.#facts.isBroken = true
    else {
      this.#stack.push({ isDictionary, role, start: this.#tokens.start, key: null, values: 0, encryption: 0 })
    }
    this.#numbers = []
  }

  #pop(frame: Frame | undefined, isDictionary: boolean): void {
    this.#numbers = []
    if (frame?.isDictionary !== isDictionary) {
      this.#isRegular = false
      return
    }
    this.#stack.pop()
    if (!isDictionary) return
    if (frame.key !== null && frame.values === 0) this.#isRegular = false
    this.#closed = frame.start
    if (frame.encryption === 7) this.#events.onEncryption(frame.start)
  }
}

function begin(frame: Frame, key: string): void {
  frame.key = key
  frame.values = 0
  const flag = encryptionKeys.indexOf(key)
  if (flag >= 0) frame.encryption |= 1 << flag
}

function countValue(frame: Frame | undefined): void {
  if (frame?.isDictionary) frame.values++
}
