/**
 * What the transparency log says of one event of a request. It is made from what is kept and from nothing else, so that an
 * auditor makes it again and compares; the bundle that leaves the house carries the very same text.
 *
 * It leaves the house, so it names nobody's network address or number. Those are held fast by a hash with a salt: whoever
 * is shown them and the salt can see that they were not changed, and nobody can guess them.
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
  actor: LoggedActor | null
  address: string | null
  comment: string
  data: Fact
  before: number
  after: number
  /** SHA-256 in hexadecimal digits: of the document, and where the event is about a signature, of its bytes. */
  document: string
  signature: string | null
  timestampedSignature: string | null
  /** In hexadecimal digits; null: from before there were salts, and the entry names everything openly. */
  salt: string | null
}

export type LoggedActor = {
  readonly id: string
  readonly fullName: string
  readonly iin?: string | null
  readonly bin?: string | null
  readonly insteadOf?: { readonly id: string; readonly fullName: string }
}

export type Sha256 = (text: string) => string

/** `sha256` is of the UTF-8 of a text, in hexadecimal digits. */
export function logEntry(event: LoggedEvent, sha256: Sha256): string {
  const { at, salt, actor, address, ...facts } = event
  const time = at.toISOString()
  if (salt === null) return canonicalJson({ version: 1, ...facts, actor, address, at: time })
  const hidden = sha256(hiddenPart(event))
  return canonicalJson({ version: 2, ...facts, actor: namesOf(actor), at: time, hidden })
}

/** What the hash in an entry is of: to be shown to whoever may know it. */
export function hiddenPart({
  actor,
  address,
  salt,
}: Pick<LoggedEvent, 'actor' | 'address' | 'salt'>): string {
  return canonicalJson({ actor, address, salt })
}

/** Whether the entry itself says what is not for everybody. */
export function isOpen({ salt, actor, address }: Pick<LoggedEvent, 'salt' | 'actor' | 'address'>): boolean {
  return salt !== null || (actor === null && address === null)
}

export function namesOf(actor: LoggedActor | null) {
  if (!actor) return null
  const { fullName, insteadOf } = actor
  return { fullName, ...(insteadOf && { insteadOf: insteadOf.fullName }) }
}
