/**
 * What the centre has issued and revoked: an append-only file with one line of JSON for each event. Every read includes
 * what was appended since the last one, so that changes of another process take effect at once.
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

/** A change that affects the content of the CRLs. */
export type Change = { at: Date; entry: Entry; revocation: Revocation | null }

export type Revocation = { at: Date; reason: RevocationReason }

export type Entry = {
  /** In hexadecimal, like every identifier of a certificate in this file. */
  serial: string
  keyId: string
  certificate: Certificate
  issuedAt: Date
  /** Null: the certificate is good. */
  revocation: Revocation | null
}

export type Register = {
  entries: ReadonlyMap<string, Entry>
  changes: readonly Change[]
}

export type RegisterAccess = {
  /** The current state, with what other processes have appended. */
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

/** Reads complete lines only, because the last one may still be being written. */
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

/** Events that do not fit the current state (a second revocation, the end of no hold) change nothing. */
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

/** A good certificate may be revoked or held, and a held one released or revoked; a revoked one stays revoked. */
export function mayChange(from: Revocation | null, to: Revocation | null): boolean {
  if (!from) return to !== null
  return from.reason === 'certificateHold' && to?.reason !== 'certificateHold'
}

/** Starts with a line break, because another writer may have stopped in the middle of a line. */
export function writtenEvent(event: RegisterEvent): string {
  const { certificate, ...rest } = { certificate: null, ...event }
  const der = certificate && Buffer.from(certificate.der).toString('base64')
  return `\n${JSON.stringify({ ...rest, ...(der !== null && { certificate: der }) })}\n`
}

/** Null: the line is no event, because it is incomplete or empty. */
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
