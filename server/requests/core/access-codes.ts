/**
 * Codes on printed documents. Only their hashes are stored. A code of letters and digits is short enough to be guessed, so
 * its hash is slow; a QR code holds 128 random bits, so a fast hash is enough.
 */
import { hash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { second } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { networkOf, siteOf } from '@kelisim/domain/network.ts'
import { requestPageWithCode } from '@kelisim/domain/pages.ts'
import {
  atAnyRequest,
  atOneRequest,
  forgottenAfter,
  isOpenBy,
  lettersFrom,
  mostWrongAtRequest,
  mostWrongInAll,
  pauseBefore,
  pauseForAll,
  readCode,
  withWrong,
  withWrongOfAll,
  type CodeKind,
  type CodeTries,
  type Curve,
} from '@kelisim/domain/requests/access-code.ts'
import { accessCodes } from '@kelisim/domain/requests/contract.ts'
import type { LoadedRequest } from './loaded.ts'
import {
  addCodeHash,
  findCodeHashes,
  findRequestsByCode,
  findTries,
  lockTries,
  removeCodes,
  removeOldTries,
  saveTries,
  type HashedCode,
} from './queries/access-codes.ts'
import type { RequestRow } from './queries/rows.ts'
import { findRequest } from './state.ts'

const slowHash = promisify<string, string, number, Buffer>(scrypt)

export type NewCodes = Record<CodeKind, { code: string; hash: Buffer } | null>

/** Codes of the kinds that the author chose. Created before the transaction, because the hash is slow. */
export async function newCodes({
  additionalComponents,
}: Pick<RequestRow, 'additionalComponents'>): Promise<NewCodes> {
  const has = (name: (typeof accessCodes.names)[number]) => accessCodes.has(additionalComponents, name)
  const withHash = async (code: string, kind: CodeKind) => ({ code, hash: await hashOf({ kind, code }) })
  return {
    letters: has('AlphaNumericAccessCode') ? await withHash(randomLetters(), 'letters') : null,
    qr: has('QrAccessCode') ? await withHash(randomBytes(16).toString('base64url'), 'qr') : null,
  }
}

/** The codes as they are shown or printed, once only: they cannot be restored from their hashes. */
export function printedCodes(
  { id, accessCodeExpiresOn: validUntil }: Pick<RequestRow, 'id' | 'accessCodeExpiresOn'>,
  codes: NewCodes,
  publicUrl: URL,
) {
  const link = codes.qr && requestPageWithCode(id, codes.qr.code)
  return {
    letters: codes.letters?.code ?? null,
    link: link && new URL(link, publicUrl).href,
    validUntil,
  }
}

export async function keepCodes(tx: Tx, requestId: string, codes: NewCodes, now: Date): Promise<void> {
  for (const kind of ['letters', 'qr'] as const) {
    const code = codes[kind]
    if (code) await addCodeHash(tx, requestId, { kind, hash: code.hash }, now)
  }
}

/** Removes the codes of the kinds that a request had and no longer has. */
export async function endCodes(
  tx: Tx,
  { id, additionalComponents: before }: Pick<RequestRow, 'id' | 'additionalComponents'>,
  after: number,
): Promise<void> {
  for (const [kind, name] of [
    ['letters', 'AlphaNumericAccessCode'],
    ['qr', 'QrAccessCode'],
  ] as const) {
    if (accessCodes.has(before, name) && !accessCodes.has(after, name)) await removeCodes(tx, id, kind)
  }
}

type Write = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * Returns the request if this code opens it now. Wrong codes delay the next try of their network for this request, in
 * every process; wrong codes from a few networks do not shut out the others.
 */
export function requestHeldBy(
  write: Write,
  { signingRequestId: requestId, code, address }: { signingRequestId: string; code: string; address: string },
  now: Date,
): Promise<LoadedRequest> {
  const sources = [
    ...guessersAt(address, atOneRequest, `request ${requestId} `),
    everybody(`request ${requestId}`, mostWrongAtRequest),
  ]
  return openWithCode(write, code, sources, now, async (tx, hashed) =>
    (await isKept(tx, requestId, hashed)) ? [requestId] : [],
  )
}

/** Finds the request by its code alone. Guessing is slowed down for a network, and for all networks together. */
export function requestFoundBy(
  write: Write,
  { code, address }: { code: string; address: string },
  now: Date,
): Promise<LoadedRequest> {
  const sources = [...guessersAt(address, atAnyRequest), everybody('all', mostWrongInAll)]
  return openWithCode(write, code, sources, now, findRequestsByCode)
}

/**
 * Whoever has an IPv6 /48 has 65536 networks to guess from, so the /48 is counted as well. Many subscribers may share
 * one, so it is allowed more wrong codes. Addresses are not stored.
 */
function guessersAt(address: string, curve: Curve, place = ''): TrySource[] {
  const [network, site] = [networkOf(address), siteOf(address)]
  const source = (of: string, { free, firstPause }: Curve): TrySource => ({
    name: `${place}from ${hash('sha256', `code from ${of}`, 'base64url')}`,
    pause: (tries, now) => pauseBefore(tries, now, { free, firstPause }),
    after: withWrong,
  })
  const own = source(network, curve)
  return site === network ? [own] : [own, source(site, { ...curve, free: 10 * curve.free })]
}

function everybody(name: string, most: number): TrySource {
  return { name, pause: (tries, now) => pauseForAll(tries, now, most), after: withWrongOfAll }
}

/** Whose wrong tries are counted together, and how long they delay the next one. */
type TrySource = {
  name: string
  pause: (tries: CodeTries | undefined, now: Date) => number
  after: (tries: CodeTries | undefined, now: Date) => CodeTries
}

async function openWithCode(
  write: Write,
  code: string,
  sources: readonly TrySource[],
  now: Date,
  find: (tx: Tx, hashed: HashedCode) => Promise<string[]>,
): Promise<LoadedRequest> {
  const read = readCode(code)
  // QR codes cannot be guessed: they neither wait for guesses of letters nor delay them.
  const counted = read?.kind === 'qr' ? [] : sources
  // Checked before the slow hash is computed, and again under the lock.
  refuseWhilePausing(await write((tx) => longestPause(tx, counted, now)))
  // Input that cannot be a code counts as a wrong try too.
  const hashed: HashedCode = { kind: read?.kind ?? 'letters', hash: await hashOf(read ?? noCode) }
  const { pause, loaded } = await write(async (tx) => {
    for (const { name } of counted) await lockTries(tx, name)
    const stillPausing = await longestPause(tx, counted, now)
    if (stillPausing > 0) return { pause: stillPausing, loaded: undefined }
    const [requestId, ...more] = await find(tx, hashed)
    // If two requests have the same letters, it is unknown which one is meant.
    const found = requestId === undefined || more.length > 0 ? undefined : await findRequest(tx, requestId)
    if (!found) await countWrong(tx, counted, now)
    return { pause: 0, loaded: found }
  })
  refuseWhilePausing(pause)
  return loaded && isOpenBy(hashed.kind, loaded.row, dateInAlmaty(now)) ? loaded : refuse('access-denied')
}

const noCode = { kind: 'letters', code: '' } as const

function refuseWhilePausing(pause: number): void {
  if (pause > 0) refuse('too-many-requests', { seconds: Math.ceil(pause / second) })
}

async function longestPause(db: Db, sources: readonly TrySource[], now: Date): Promise<number> {
  const tries = await triesOf(db, sources)
  return Math.max(0, ...sources.map(({ name, pause }) => pause(tries.get(name), now)))
}

async function countWrong(tx: Tx, sources: readonly TrySource[], now: Date): Promise<void> {
  if (sources.length === 0) return
  const tries = await triesOf(tx, sources)
  for (const { name, after } of sources) await saveTries(tx, name, after(tries.get(name), now))
  await removeOldTries(tx, new Date(now.getTime() - forgottenAfter))
}

function triesOf(db: Db, sources: readonly TrySource[]): Promise<Map<string, CodeTries>> {
  return findTries(
    db,
    sources.map(({ name }) => name),
  )
}

/** Compares with all stored hashes, each in constant time. */
async function isKept(db: Db, requestId: string, { kind, hash: wanted }: HashedCode): Promise<boolean> {
  const kept = await findCodeHashes(db, requestId, kind)
  return kept.map((one) => timingSafeEqual(one, wanted)).includes(true)
}

function hashOf({ kind, code }: { kind: CodeKind; code: string }): Promise<Buffer> {
  // The salt is the same for all codes, so that a code can be looked up without knowing its request.
  return kind === 'letters'
    ? slowHash(code, 'kelisim access code', 32)
    : Promise.resolve(hash('sha256', code, 'buffer'))
}

function randomLetters(): string {
  for (;;) {
    const letters = lettersFrom(randomBytes(16))
    if (letters) return letters
  }
}
