/** What a signing day needs before it begins: people who may act, and a route on which one signs and another approves. */
import { join } from 'node:path'
import type pg from 'pg'
import { newId } from '@kelisim/db/id.ts'
import type { CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { someSigner } from './signer.ts'
import { sessionOf } from './session.ts'
import { allowSending, caller, routeOf, type Call } from './work.ts'

export type SigningDay = {
  organizationId: string
  userId: string
  key: CmsSigner
  /** Of who uploads, sends and signs, and of the colleague who approves. */
  cookies: { author: string; approver: string }
  routeId: string
  points: { sign: string; approve: string }
}

/** What passes when the signature before it has been judged. */
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
  const signing = await routeOf(client, prepare, organizationId, userId)
  const approver = await colleagueOf(client, organizationId, userId)
  const approving = await approvalOf(client, prepare, organizationId, approver, signing.pointId)
  const approverCookie = await sessionOf(client, approver)
  await client.query("update sessions set expires_at = now() + interval '1 day' where user_id = any($1)", [
    [userId, approver],
  ])
  return {
    organizationId,
    userId,
    key,
    cookies: { author: cookie, approver: approverCookie },
    routeId: approving.routeId,
    points: { sign: signing.pointId, approve: approving.pointId },
  }
}

async function colleagueOf(client: pg.Client, organizationId: string, userId: string): Promise<string> {
  const { rows } = await client.query<{ user_id: string }>(
    'select user_id from memberships where organization_id = $1 and user_id <> $2 limit 1',
    [organizationId, userId],
  )
  return rows[0]!.user_id
}

/** A route on which the author signs and the colleague approves afterwards. */
async function approvalOf(
  client: pg.Client,
  call: Call,
  organizationId: string,
  approver: string,
  signingPoint: string,
): Promise<{ routeId: string; pointId: string }> {
  const groupId = newId()
  await client.query(`insert into groups values ($1, $2, 'Согласующие', now())`, [groupId, organizationId])
  await client.query('insert into group_participants values ($1, $2, $3)', [
    organizationId,
    groupId,
    approver,
  ])
  const point = await call(`Points/${organizationId}`, {
    name: 'Согласование',
    description: '',
    type: 1,
    visibilityScope: 2,
    groupId,
    responsiblePersons: [],
    agreementCondition: 'any',
    isEdsPresentationRequired: false,
    bin: null,
    organizationName: '',
    emails: [],
  })
  const route = await call(`SignaturePointsRoutes/${organizationId}`, {
    name: 'День',
    description: '',
    visibilityScope: 2,
    points: [
      { pointId: signingPoint, order: 1 },
      { pointId: point.id, order: 2 },
    ],
  })
  return { routeId: route.id, pointId: point.id }
}
