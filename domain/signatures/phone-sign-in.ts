/**
 * Protects signing in by phone against QR codes that an attacker shows (docs/decisions/023-signing-in-by-phone.md):
 * the phone shows where the sign-in began and a code, which has to be typed into the browser that began it.
 */
import { networkOf } from '../network.ts'
import { minute } from '../durations.ts'

/** Three digits, so that nobody confuses the code with the PIN of the app, which has four. */
export const phoneCodeDigits = 3
/** Allows one typing error; more tries would only help guessing. */
export const mostCodeTries = 2
/** How long the browser waits for the code after the phone has signed. */
export const codeLifetime = 3 * minute
/** An app may read a code again after an outage; more readings than this do not come from one person. */
export const mostReadings = 5

/** Where a sign-in began, as far as it is known. */
export type SignInPlace = { browser: string | null; system: string | null; network: string | null }

/** Only names of these lists are taken from the header, because its content is chosen by the caller. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Microsoft Edge'],
  [/\bEdgiOS\//, 'Microsoft Edge'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

export function placeOf(userAgent: string, address: string): SignInPlace {
  return {
    browser: nameIn(browsers, userAgent),
    system: nameIn(systems, userAgent),
    network: shownNetwork(address),
  }
}

function nameIn(names: readonly [RegExp, string][], userAgent: string): string | null {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
}

/** The beginning of the network: enough to tell networks apart, without the address of a device. */
function shownNetwork(address: string): string | null {
  const network = networkOf(address)
  const parts = network.split('.')
  if (parts.length === 4) return `${parts[0]}.${parts[1]}.*.*`
  return network.includes(':') ? `${network.split(':').slice(0, 2).join(':')}:*` : null
}

/** Whether the typed code is right; it may contain spaces. */
export function isCodeRight(typed: string, code: string): boolean {
  return typed.replaceAll(/\s/g, '') === code
}

/**
 * The first name and one letter of the surname: enough to recognise oneself, but little for an attacker whose QR code
 * somebody else has signed.
 */
export function shortNameOf(fullName: string): string {
  const [surname = '', firstName] = fullName.trim().split(/\s+/)
  const initial = `${Array.from(surname)[0] ?? ''}.`
  // A space that does not break the line.
  return firstName === undefined ? initial : `${firstName}\u00a0${initial}`
}
