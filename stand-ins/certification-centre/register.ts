/**
 * What the centre has issued and revoked: one line of JSON for each event, only ever added to. Every question reads what
 * was added since the one before, so whatever another process does counts at once.
 */
import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import { readCertificate, type Certificate } from '@kelisim/signature/certificates/certificate.ts'
import type { RevocationReason } from '@kelisim/signature/revocation/reasons.ts'

export const registerFile = 'register.jsonl'

export type RegisterEvent =
  | { type: 'issued'; at: Date; certificate: Certificate }
  /** A hold is a revocation that may end. */
  | { type: 'revoked'; at: Date; serial: string; reason: RevocationReason }
  | { type: 'released'; at: Date; serial: string }

/** A change of what the lists of revoked certificates say. */
export type Change = { at: Date; entry: Entry; revocation: Revocation | null }

export type Revocation = { at: Date; reason: RevocationReason }

export type Entry = {
  /** Hexadecimal, as everything here that names a certificate. */
  serial: string
  keyId: string
  certificate: Certificate
  issuedAt: Date
  /** Null while it is good. */
  revocation: Revocation | null
}

export type Register = {
  entries: ReadonlyMap<string, Entry>
  changes: readonly Change[]
}

export type RegisterAccess = {
  /** As of now, with what other processes have added. */
  read: () => Register
  add: (event: RegisterEvent) => void
}

export function openRegister(folder: string): RegisterAccess {
  const path = join(folder, registerFile)
  const entries = new Map<string, Entry>()
  const changes: Change[] = []
  let readTo = 0

  return {
    read() {
      const { text, end } = linesAfter(path, readTo)
      readTo = end
      for (const line of text.split('\n')) {
        const event = readEvent(line)
        const change = event && apply(entries, event)
        if (change) changes.push(change)
      }
      return { entries, changes }
    },
    add(event) {
      appendFileSync(path, writtenEvent(event), { flush: true })
    },
  }
}

/** Whole lines only: the last one may still be on its way. */
function linesAfter(path: string, start: number): { text: string; end: number } {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - start))
    const length = bytes.length === 0 ? 0 : readSync(file, bytes, 0, bytes.length, start)
    const whole = bytes.subarray(0, length).lastIndexOf('\n') + 1
    return { text: bytes.toString('utf8', 0, whole), end: start + whole }
  } finally {
    closeSync(file)
  }
}

/** What does not follow from what was before (a second revocation, the end of no hold) changes nothing. */
function apply(entries: Map<string, Entry>, event: RegisterEvent): Change | null {
  if (event.type === 'issued') {
    const { certificate, at } = event
    const serial = toHex(certificate.serial)
    const keyId = toHex(certificate.subjectKeyId ?? certificate.serial)
    if (!entries.has(serial))
      entries.set(serial, { serial, keyId, certificate, issuedAt: at, revocation: null })
    return null
  }
  const entry = entries.get(event.serial)
  if (!entry) return null
  const revocation = event.type === 'revoked' ? { at: event.at, reason: event.reason } : null
  if (!mayChange(entry.revocation, revocation)) return null
  entry.revocation = revocation
  return { at: event.at, entry, revocation }
}

/** Good ones may be revoked or held; held ones released or revoked; revoked ones stay so. */
export function mayChange(from: Revocation | null, to: Revocation | null): boolean {
  if (!from) return to !== null
  return from.reason === 'certificateHold' && to?.reason !== 'certificateHold'
}

/** Begins a new line even where another writer broke off in the middle of one. */
export function writtenEvent(event: RegisterEvent): string {
  const { certificate, ...rest } = { certificate: null, ...event }
  const der = certificate && Buffer.from(certificate.der).toString('base64')
  return `\n${JSON.stringify({ ...rest, ...(der !== null && { certificate: der }) })}\n`
}

/** Null where the line is no event: one that was broken off, or the empty one between two. */
function readEvent(line: string): RegisterEvent | null {
  if (line === '') return null
  try {
    const written = JSON.parse(line) as Record<'type' | 'at' | 'serial' | 'reason' | 'certificate', string>
    const at = new Date(written.at)
    switch (written.type) {
      case 'issued': {
        const certificate = readCertificate(new Uint8Array(Buffer.from(written.certificate, 'base64')))
        return { type: 'issued', at, certificate }
      }
      case 'revoked':
        return { type: 'revoked', at, serial: written.serial, reason: written.reason as RevocationReason }
      case 'released':
        return { type: 'released', at, serial: written.serial }
      default:
        return null
    }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
