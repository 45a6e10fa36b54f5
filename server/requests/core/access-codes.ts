/**
 * Codes on printed documents. Only hashes are kept: of letters and digits, of which there are few enough to try them all, one
 * that takes its time; of the random bits of a QR code a quick one.
 */
import { hash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Tx } from '@kelisim/db/db.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import { requestPageWithCode } from '@kelisim/domain/pages.ts'
import {
  forgottenAfter,
  isOpenBy,
  lettersFrom,
  pauseBefore,
  pauseForAll,
  readCode,
  withWrong,
  withWrongOfAll,
  type CodeKind,
  type CodeTries,
} from '@kelisim/domain/requests/access-code.ts'
import { accessCodes } from '@kelisim/domain/requests/contract.ts'
import { findRequest } from './state.ts'
import type { Loaded, RequestRow } from './loaded.ts'

const slowly = promisify<string, string, number, Buffer>(scrypt)

/** Printing again makes new ones; the oldest are forgotten. */
const mostKept = 50

export type NewCodes = Record<CodeKind, { code: string; hash: Buffer } | null>

/** Of the kinds that were chosen. Made before the transaction: it takes its time. */
export async function newCodes({ additionalComponents }: RequestRow): Promise<NewCodes> {
  const has = (name: (typeof accessCodes.names)[number]) => accessCodes.has(additionalComponents, name)
  const made = async (code: string, kind: CodeKind) => ({ code, hash: await hashOf({ kind, code }) })
  return {
    letters: has('AlphaNumericAccessCode') ? await made(someLetters(), 'letters') : null,
    qr: has('QrAccessCode') ? await made(randomBytes(16).toString('base64url'), 'qr') : null,
  }
}

/** As they are shown or printed, once. */
export function printedCodes(
  { id, accessCodeExpiresOn: validUntil }: RequestRow,
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
    const made = codes[kind]
    if (!made) continue
    await tx
      .insertInto('requestAccessCodes')
      .values({ requestId, kind, hash: made.hash, createdAt: now })
      .execute()
    await sql`delete from request_access_codes where request_id = ${requestId} and kind = ${kind} and hash not in (
      select hash from request_access_codes where request_id = ${requestId} and kind = ${kind}
      order by created_at desc limit ${mostKept})`.execute(tx)
  }
}

type Write = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
type Given = { kind: CodeKind; hash: Buffer }

/** The request that the code opens now. Wrong letters make the next wait, whoever brings it and in whichever process. */
export function requestHeldBy(
  write: Write,
  { signingRequestId: requestId, code }: { signingRequestId: string; code: string },
  now: Date,
): Promise<Loaded> {
  const sources: Source[] = [{ name: `request ${requestId}`, pause: pauseBefore, after: withWrong }]
  return opened(write, code, sources, now, async (tx, given) =>
    (await isKept(tx, requestId, given)) ? [requestId] : [],
  )
}

/** The same where only the code is known. Whoever guesses is slowed down by where they come from, and all together. */
export function requestFoundBy(
  write: Write,
  { code, address }: { code: string; address: string },
  now: Date,
): Promise<Loaded> {
  const network = hash('sha256', `code from ${networkOf(address)}`, 'base64url')
  const sources: Source[] = [
    { name: `from ${network}`, pause: pauseBefore, after: withWrong },
    { name: 'all', pause: pauseForAll, after: withWrongOfAll },
  ]
  return opened(write, code, sources, now, async (tx, { kind, hash: wanted }) => {
    const found = await tx
      .selectFrom('requestAccessCodes')
      .select('requestId')
      .where('hash', '=', wanted)
      .where('kind', '=', kind)
      .limit(2)
      .execute()
    return found.map(({ requestId }) => requestId)
  })
}

/** Whose wrong tries are counted together, and how they make the next one wait. */
type Source = {
  name: string
  pause: (tries: CodeTries | undefined, now: Date) => number
  after: (tries: CodeTries | undefined, now: Date) => CodeTries
}

async function opened(
  write: Write,
  code: string,
  sources: readonly Source[],
  now: Date,
  find: (tx: Tx, given: Given) => Promise<string[]>,
): Promise<Loaded> {
  const read = readCode(code)
  // Nobody guesses the bits of a QR code: who brings one neither waits for those who guess letters, nor makes them wait.
  const counted = read?.kind === 'qr' ? [] : sources
  // Looked at before the hash is made, which takes its time, and again once nobody else counts.
  refuseWhilePausing(await write((tx) => longestPause(tx, counted, now)))
  // What cannot be a code costs its try too.
  const given: Given = { kind: read?.kind ?? 'letters', hash: await hashOf(read ?? noCode) }
  const outcome = await write(async (tx) => {
    for (const { name } of counted) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`code ${name}`}, 0))`.execute(tx)
    }
    const pause = await longestPause(tx, counted, now)
    if (pause > 0) return { pause }
    // Two requests with the same letters: nobody can say which is meant.
    const [requestId, ...more] = await find(tx, given)
    const loaded = requestId === undefined || more.length > 0 ? undefined : await findRequest(tx, requestId)
    if (!loaded) await countWrong(tx, counted, now)
    return { pause, loaded }
  })
  refuseWhilePausing(outcome.pause)
  const { loaded } = outcome
  return loaded && isOpenBy(given.kind, loaded.row, dateInAlmaty(now)) ? loaded : refuse('access-denied')
}

const noCode = { kind: 'letters', code: '' } as const

function refuseWhilePausing(pause: number): void {
  if (pause > 0) refuse('too-many-requests', { seconds: Math.ceil(pause / 1000) })
}

async function longestPause(tx: Tx, sources: readonly Source[], now: Date): Promise<number> {
  const tries = await triesOf(tx, sources)
  return Math.max(0, ...sources.map(({ name, pause }) => pause(tries.get(name), now)))
}

async function countWrong(tx: Tx, sources: readonly Source[], now: Date): Promise<void> {
  const tries = await triesOf(tx, sources)
  for (const { name: source, after } of sources) {
    const { wrong, at } = after(tries.get(source), now)
    await tx
      .insertInto('codeTries')
      .values({ source, wrong, at })
      .onConflict((conflict) => conflict.column('source').doUpdateSet({ wrong, at }))
      .execute()
  }
  if (sources.length > 0) {
    const old = new Date(now.getTime() - forgottenAfter)
    // Those that somebody is counting at right now are left to the next who comes.
    await sql`delete from code_tries where source in (
      select source from code_tries where at < ${old} for update skip locked limit 100)`.execute(tx)
  }
}

async function triesOf(tx: Tx, sources: readonly Source[]): Promise<Map<string, CodeTries>> {
  if (sources.length === 0) return new Map()
  const names = sources.map(({ name }) => name)
  const rows = await tx.selectFrom('codeTries').selectAll().where('source', 'in', names).execute()
  return new Map(rows.map(({ source, wrong, at }) => [source, { wrong, at }]))
}

/** All are compared, each in the same time. */
async function isKept(tx: Tx, requestId: string, { kind, hash: given }: Given): Promise<boolean> {
  const kept = await tx
    .selectFrom('requestAccessCodes')
    .select('hash')
    .where('requestId', '=', requestId)
    .where('kind', '=', kind)
    .execute()
  return kept.map((one) => timingSafeEqual(one.hash, given)).includes(true)
}

function hashOf({ kind, code }: { kind: CodeKind; code: string }): Promise<Buffer> {
  // The same code has the same hash everywhere: it can be looked for without knowing of which request it is.
  return kind === 'letters'
    ? slowly(code, 'kelisim access code', 32)
    : Promise.resolve(hash('sha256', code, 'buffer'))
}

function someLetters(): string {
  for (;;) {
    const letters = lettersFrom(randomBytes(16))
    if (letters) return letters
  }
}
