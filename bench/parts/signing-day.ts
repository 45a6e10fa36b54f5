/** What a signing day needs before it begins: people who may act, and a route on which one signs and another approves. */
import { join } from 'node:path'
import type pg from 'pg'
import type { CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { someSigner } from './signer.ts'
import { sessionOf } from './session.ts'
import { allowSending, caller, pointOf, routeThrough } from './work.ts'

export type SigningDay = {
  organizationId: string
  userId: string
  key: CmsSigner
  /** The cookies of the person who uploads, sends and signs, and of the colleague who approves. */
  cookies: { author: string; approver: string }
  routeId: string
  points: { sign: string; approve: string }
}

/** Refusals that pass when the signature before has been judged. */
export const passingRefusals = [
  'process-wrong-order',
  'signature-being-checked',
  'document-is-on-signing-process',
]

export async function prepareSigningDay(
  client: pg.Client,
  { url, dataDir }: { url: string; dataDir: string },
): Promise<SigningDay> {
  const { session, key } = await someSigner(client, join(dataDir, 'keys'))
  const { organizationId, userId, cookie } = session
  await allowSending(client, organizationId)
  const prepare = caller({ url }, cookie)
  const approver = await colleagueOf(client, organizationId, userId)
  const sign = await pointOf(client, prepare, organizationId, {
    people: [userId],
    type: 'CompanyInternalSign',
  })
  const approve = await pointOf(client, prepare, organizationId, {
    people: [approver],
    type: 'InternalApprove',
  })
  const approverCookie = await sessionOf(client, approver)
  await client.query("update sessions set expires_at = now() + interval '1 day' where user_id = any($1)", [
    [userId, approver],
  ])
  return {
    organizationId,
    userId,
    key,
    cookies: { author: cookie, approver: approverCookie },
    routeId: await routeThrough(prepare, organizationId, [sign, approve]),
    points: { sign, approve },
  }
}

async function colleagueOf(client: pg.Client, organizationId: string, userId: string): Promise<string> {
  const { rows } = await client.query<{ user_id: string }>(
    'select user_id from memberships where organization_id = $1 and user_id <> $2 limit 1',
    [organizationId, userId],
  )
  return rows[0]!.user_id
}
