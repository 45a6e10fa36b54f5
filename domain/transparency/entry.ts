/**
 * What the transparency log says of one event of a request. It is made from what is kept and from nothing else, so that an
 * auditor makes it again and compares; the bundle that leaves the house carries the same facts.
 */
import { canonicalJson, type Fact } from './canonical.ts'

export type LoggedEvent = {
  requestId: string
  number: number
  at: Date
  type: string
  attempt: number
  pointId: string | null
  /** Who did it, as written down then; null: the system. */
  actor: Fact
  address: string | null
  comment: string
  data: Fact
  before: number
  after: number
  /** SHA-256 in hexadecimal digits: of the document, and where the event is about a signature, of its bytes. */
  document: string
  signature: string | null
  timestampedSignature: string | null
}

export function logEntry(event: LoggedEvent): string {
  const { at, ...facts } = event
  return canonicalJson({ version: 1, ...facts, at: at.toISOString() })
}
