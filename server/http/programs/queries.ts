/** SQL of calls that programs make. */
import type { Database, Tx } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'
import type { Scope } from '@kelisim/domain/scopes.ts'
import { optionColumns, type OptionRow } from './option-queries.ts'

/** What the database says about a token, its member and their organisation. */
export type TokenRow = {
  version: string
  id: string
  organization: string
  name: string
  user: string
  scopes: Scope[]
  addresses: string[]
  expires: Date
  revoked: Date | null
  used: Date | null
  /** The version of the agreement that the member has accepted. */
  agreement: string | null
  /** Null: the person no longer belongs to the organisation. */
  roles: number | null
  organization_name: string
  bin: string
  confirmed: boolean
  /** The name of the member. */
  member: string
} & OptionRow

/** The transactions that last wrote the four rows: any change, also by another process, changes the version. */
const rowVersions = `concat_ws(' ', t.xmin, o.xmin, u.xmin, m.xmin) as version`

const factsOf = `
  join organizations o on o.id = t.organization_id
  join users u on u.id = t.acts_as
  left join memberships m on m.user_id = t.acts_as and m.organization_id = t.organization_id`

/**
 * The versions of the tokens, in their order. Runs at every call of a program: sending and parsing the facts
 * themselves costs more than finding them.
 */
export async function findTokenVersions(
  { pool }: Database,
  tokenHashes: readonly Buffer[],
): Promise<(string | undefined)[]> {
  const { rows } = await pool.query<{ place: number; version: string }>({
    name: 'token-versions',
    text: `
      select c.place::int, ${rowVersions}
      from unnest($1::bytea[]) with ordinality as c (token_hash, place)
      join program_tokens t on t.token_hash = c.token_hash ${factsOf}`,
    values: [tokenHashes],
  })
  const found: (string | undefined)[] = tokenHashes.map(() => undefined)
  for (const { place, version } of rows) found[place - 1] = version
  return found
}

const tokenFacts = `
  select ${rowVersions}, t.id, t.organization_id as organization, t.name, t.acts_as as user, t.scopes, t.addresses,
    t.expires_at as expires, t.revoked_at as revoked, t.last_used_at as used, u.agreement_version as agreement, m.roles,
    o.short_name as organization_name, o.bin, o.confirmed_at is not null as confirmed, u.full_name as member,
    ${optionColumns}
  from program_tokens t ${factsOf}
  where t.token_hash = $1`

/** The facts about a token, with their version. */
export async function findToken({ pool }: Database, tokenHash: Buffer): Promise<TokenRow | undefined> {
  const { rows } = await pool.query<TokenRow>({ name: 'which-token', text: tokenFacts, values: [tokenHash] })
  return rows[0]
}

export async function noteUse(
  { write }: Database,
  tokenId: string,
  use: { lastUsedAt: Date; lastUsedAddress: string },
): Promise<void> {
  await write((tx) => tx.updateTable('programTokens').set(use).where('id', '=', tokenId).execute())
}

export type BegunCall = { fingerprint: Buffer; callId: string; begunAt: Date; response: string | null }

/** The call that was begun with this key: this one, or the first one if it is repeated. */
export async function beginCall(
  { write }: Database,
  call: { tokenId: string; key: string; fingerprint: Buffer; callId: string; begunAt: Date },
): Promise<BegunCall> {
  return write(async (tx) => {
    await tx
      .insertInto('programCalls')
      .values({ ...call, response: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return tx
      .selectFrom('programCalls')
      .select(['fingerprint', 'callId', 'begunAt', 'response'])
      .where('tokenId', '=', call.tokenId)
      .where('key', '=', call.key)
      .executeTakeFirstOrThrow()
  })
}

/** Returns the response that counts: of two concurrent ones, the first that was saved. */
export async function endCall(
  { write }: Database,
  { tokenId, key }: { tokenId: string; key: string },
  response: string,
): Promise<string> {
  return write(async (tx) => {
    const saved = await tx
      .updateTable('programCalls')
      .set((eb) => ({ response: eb.fn.coalesce('response', eb.val(response)) }))
      .where('tokenId', '=', tokenId)
      .where('key', '=', key)
      .returning('response')
      .executeTakeFirst()
    return saved?.response ?? response
  })
}

/** How long a program may repeat a call by its key. */
export const callsKeptFor = 30 * day

export async function sweepProgramCalls(tx: Tx, now: Date): Promise<void> {
  await tx
    .deleteFrom('programCalls')
    .where('begunAt', '<', new Date(now.getTime() - callsKeptFor))
    .execute()
}
