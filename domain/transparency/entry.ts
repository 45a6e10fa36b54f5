/**
 * The entry of the transparency log for one event of a request. It is computed only from stored data, so that an
 * auditor can compute it again and compare; an evidence bundle contains exactly the same text.
 *
 * Bundles are given to others, so an entry contains no network address and no personal number, only a salted hash of
 * them: people who are shown the values and the salt can verify them, and nobody can guess them.
 */
import { canonicalJson, type Fact } from './canonical.ts'

export type LoggedEvent = {
  requestId: string
  number: number
  at: Date
  type: string
  attempt: number
  pointId: string | null
  /** The acting person, as recorded then; null: the system. */
  actor: LoggedActor | null
  address: string | null
  comment: string
  data: Fact
  before: number
  after: number
  /** SHA-256 in hexadecimal digits: of the document, and for events about a signature, of its bytes. */
  document: string
  signature: string | null
  timestampedSignature: string | null
  /** In hexadecimal digits; null: an entry from before salts were introduced, which contains everything openly. */
  salt: string | null
}

export type LoggedActor = {
  readonly id: string
  readonly fullName: string
  readonly iin?: string | null
  readonly bin?: string | null
  readonly insteadOf?: { readonly id: string; readonly fullName: string }
  /** The program that acted in their name. */
  readonly program?: string
}

export type Sha256 = (text: string) => string

/** `sha256` hashes the UTF-8 of a text and returns hexadecimal digits. */
export function logEntry(event: LoggedEvent, sha256: Sha256): string {
  const { at, salt, actor, address, ...facts } = event
  const time = at.toISOString()
  if (salt === null) return canonicalJson({ version: 1, ...facts, actor, address, at: time })
  const hidden = sha256(hiddenPart(event))
  return canonicalJson({ version: 2, ...facts, actor: namesOf(actor), at: time, hidden })
}

/** The preimage of the hash in an entry, which is only shown to people who may know it. */
export function hiddenPart({
  actor,
  address,
  salt,
}: Pick<LoggedEvent, 'actor' | 'address' | 'salt'>): string {
  return canonicalJson({ actor, address, salt })
}

/** Whether the entry contains nothing that is not public, so that it may be passed on unchanged. */
export function isOpen({ salt, actor, address }: Pick<LoggedEvent, 'salt' | 'actor' | 'address'>): boolean {
  return salt !== null || (actor === null && address === null)
}

export function namesOf(actor: LoggedActor | null) {
  if (!actor) return null
  const { fullName, insteadOf, program } = actor
  return {
    fullName,
    ...(insteadOf && { insteadOf: insteadOf.fullName }),
    ...(program !== undefined && { program }),
  }
}
