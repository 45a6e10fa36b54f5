/** Files come as DER, as PEM (-----BEGIN …-----) or as bare base64; inside the engine there is DER alone. */
import { MalformedError } from './asn1/read.ts'
import { latin1 } from './asn1/values.ts'

/** The one object of a file. */
export function derOf(bytes: Uint8Array): Uint8Array {
  const [one, ...more] = allDerOf(bytes)
  if (!one || more.length > 0) throw new MalformedError('Not one object')
  return one
}

/** All objects of a file: PEM may hold several. */
export function allDerOf(bytes: Uint8Array): Uint8Array[] {
  // a SEQUENCE, which everything here is; base64 of one begins with M
  if (bytes[0] === 0x30) return [bytes]
  const text = latin1(bytes).trim()
  if (!text.includes('-----BEGIN ')) return [decoded(text)]
  const rest = text.replaceAll(block, '').trim()
  if (rest.includes('-----')) throw new MalformedError('A block without an end')
  return Array.from(text.matchAll(block), ([, , body]) => decoded(body!))
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g

function decoded(text: string): Uint8Array {
  const compact = text.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact) || compact.length % 4 !== 0) {
    throw new MalformedError('Neither DER nor base64')
  }
  return Uint8Array.from(atob(compact), (sign) => sign.charCodeAt(0))
}
