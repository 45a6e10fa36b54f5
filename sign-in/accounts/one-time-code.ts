/** Codes of two-step sign-in: six digits that an authenticator app computes (TOTP, RFC 6238), and spare codes. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { second } from '@kelisim/domain/durations.ts'

const stepLength = 30 * second
/** Clocks of phones differ a little, and typing takes time. */
const tolerance = 1
const spareCodes = 10
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function newSecret(): Buffer {
  return randomBytes(20)
}

export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / stepLength)
}

export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** The time step (30 seconds) of the typed code; null: the code is wrong, or not newer than the last one used. */
export function stepOfCode(typed: string, secret: Buffer, lastStep: number, now: Date): number | null {
  const digits = typed.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return null
  const here = stepAt(now)
  let found: number | null = null
  for (let step = here - tolerance; step <= here + tolerance; step++) {
    const isRight = timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(digits))
    if (isRight && step > lastStep) found ??= step
  }
  return found
}

/** The secret in the form that people type into an app that cannot scan the QR code. */
export function secretInLetters(secret: Buffer): string {
  return base32(secret).replaceAll(/(.{4})(?=.)/g, '$1 ')
}

/** The otpauth address in the QR code, from which the app learns the secret. */
export function enrolmentAddress(secret: Buffer, product: string, email: string): string {
  const label = `${encodeURIComponent(product)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(product)}`
}

export function newSpareCodes(): string[] {
  return Array.from({ length: spareCodes }, () => base32(randomBytes(7)).slice(0, 10).toLowerCase()).map(
    (code) => `${code.slice(0, 5)}-${code.slice(5)}`,
  )
}

/** The codes are random, so a plain hash does not help to guess them. */
export function hashOfSpareCode(typed: string): Buffer {
  const letters = typed.replaceAll(/[\s-]/g, '').toLowerCase()
  return createHash('sha256').update(letters).digest()
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}
