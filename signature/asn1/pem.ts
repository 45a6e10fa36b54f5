/** Files come as DER, as PEM (-----BEGIN …-----) or as bare base64; the engine uses only DER. */
import { MalformedError } from './read.ts'
import { latin1, toBase64 } from './values.ts'

/** The DER of a file that must contain one object. */
export function derOf(bytes: Uint8Array): Uint8Array {
  const [one, ...more] = allDerOf(bytes)
  if (!one || more.length > 0) throw new MalformedError('Not one object')
  return one
}

/** The DER of a file that should contain one object; otherwise its bytes unchanged, for the engine to report. */
export function derIn(bytes: Uint8Array): Uint8Array {
  try {
    return derOf(bytes)
  } catch (error) {
    if (error instanceof MalformedError) return bytes
    throw error
  }
}

/** All objects of a file: PEM may hold several. */
export function allDerOf(bytes: Uint8Array): Uint8Array[] {
  // a SEQUENCE, as everything here is; base64 of one begins with M
  if (bytes[0] === 0x30) return [bytes]
  const text = latin1(bytes).trim()
  if (!text.includes('-----BEGIN ')) return [decoded(text)]
  return blocksOf(text).map(decoded)
}

/** Works in one pass: a regular expression that searches for the end at every beginning would take quadratic time. */
function blocksOf(text: string): string[] {
  const bodies: string[] = []
  let open: { label: string; from: number } | null = null
  for (const { 0: line, 1: kind, 2: label, index } of text.matchAll(
    /-----(?:(BEGIN|END) ([A-Z0-9 ]{1,64})-----)?/g,
  )) {
    if (!kind || !label || (kind === 'BEGIN') === (open !== null) || (open && open.label !== label))
      throw new MalformedError('A block without an end')
    if (open) bodies.push(text.slice(open.from, index))
    open = open ? null : { label, from: index + line.length }
  }
  if (open) throw new MalformedError('A block without an end')
  return bodies
}

function decoded(text: string): Uint8Array {
  const compact = text.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact) || compact.length % 4 !== 0) {
    throw new MalformedError('Neither DER nor base64')
  }
  return Uint8Array.from(atob(compact), (sign) => sign.charCodeAt(0))
}

/** In lines of 64 characters, as other software expects. */
export function pemOf(label: string, der: Uint8Array): string {
  const signs = toBase64(der)
  return `-----BEGIN ${label}-----\n${signs.match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END ${label}-----\n`
}
