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
import {
  isOpenBy,
  lettersFrom,
  pauseBefore,
  readCode,
  withWrong,
  type CodeKind,
} from '@kelisim/domain/requests/access-code.ts'
import { accessCodes } from '@kelisim/domain/requests/contract.ts'
import { findRequest, type Loaded, type RequestRow } from './state.ts'

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

/** The request that the code opens now. Wrong letters make the next wait, whoever brings it and in whichever process. */
export async function requestHeldBy(
  write: Write,
  { signingRequestId: requestId, code }: { signingRequestId: string; code: string },
  now: Date,
): Promise<Loaded> {
  const read = readCode(code)
  // What cannot be a code costs its try too.
  const given = {
    kind: read?.kind ?? 'letters',
    hash: await hashOf(read ?? { kind: 'letters', code: '' }),
  } as const
  const outcome = await write(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`code ${requestId}`}, 0))`.execute(tx)
    const tries = await tx
      .selectFrom('requestCodeTries')
      .select(['wrong', 'lastAt'])
      .where('requestId', '=', requestId)
      .executeTakeFirst()
    // Nobody guesses the bits of a QR code: who brings one neither waits for those who guess letters, nor makes them wait.
    const isGuessable = given.kind === 'letters'
    const pause = isGuessable ? pauseBefore(tries, now) : 0
    if (pause > 0) return { seconds: Math.ceil(pause / 1000) }
    const loaded = await findRequest(tx, requestId)
    const isRight = await isKept(tx, requestId, given)
    if (loaded && isRight && isOpenBy(given.kind, loaded.row, dateInAlmaty(now))) return { loaded }
    if (loaded && !isRight && isGuessable) {
      const { wrong, lastAt } = withWrong(tries, now)
      await tx
        .insertInto('requestCodeTries')
        .values({ requestId, wrong, lastAt })
        .onConflict((conflict) => conflict.column('requestId').doUpdateSet({ wrong, lastAt }))
        .execute()
    }
    return {}
  })
  if (outcome.seconds !== undefined) refuse('too-many-requests', { seconds: outcome.seconds })
  return outcome.loaded ?? refuse('access-denied')
}

/** All are compared, each in the same time. */
async function isKept(
  tx: Tx,
  requestId: string,
  { kind, hash: given }: { kind: CodeKind; hash: Buffer },
): Promise<boolean> {
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
