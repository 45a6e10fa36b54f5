/** A signing day: several people upload, send, sign and approve without a pause, and insist on each act. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { allowSending, caller, routeOf } from '@kelisim/bench/parts/work.ts'
import { sessionOf } from '@kelisim/bench/parts/session.ts'
import { pdfOf, someSigner } from '@kelisim/bench/signing-act.ts'
import { newId } from '@kelisim/db/id.ts'
import { signDetached } from '@kelisim/signature/signer/sign-cms.ts'
import { insist, poster, type Post } from './caller.ts'
import type { Journal } from './journal.ts'

export type Day = {
  /** The SHA-256 of each document, by its id. */
  documents: Map<string, string>
  organizationId: string
  cookie: string
  /** The dead letters that the demo begins with. */
  deadBefore: string[]
  /** Nobody begins anything new; resolves when what was begun is done. */
  end: () => Promise<void>
}

export type DayOptions = {
  url: string
  connectionString: string
  dataDir: string
  journal: Journal
  people: number
}

/** What passes when the signature before it has been judged. */
const waiting = ['process-wrong-order', 'signature-being-checked', 'document-is-on-signing-process']

export async function beginDay(options: DayOptions): Promise<Day> {
  const { url, journal, people } = options
  const client = new pg.Client({ connectionString: options.connectionString })
  await client.connect()
  const { session, key } = await someSigner(client, join(options.dataDir, 'keys'))
  const { organizationId, userId, cookie } = session
  await allowSending(client, organizationId)
  const prepare = caller({ url } as never, cookie)
  const signing = await routeOf(client, prepare, organizationId, userId)
  const approver = await colleagueOf(client, organizationId, userId)
  const approving = await approvalOf(client, prepare, organizationId, approver, signing.pointId)
  await client.query("update sessions set expires_at = now() + interval '1 day' where user_id = any($1)", [
    [userId, approver],
  ])
  const approverCookie = await sessionOf(client, approver)
  await client.query("update sessions set expires_at = now() + interval '1 day' where user_id = $1", [
    approver,
  ])
  const { rows: dead } = await client.query<{ id: string }>(
    "select id from pgboss.job where name = 'dead-letters'",
  )
  await client.end()

  const documents = new Map<string, string>()
  const [author, colleague] = [poster(url, cookie), poster(url, approverCookie)]
  let number = 0
  const over = new AbortController()

  async function oneDocument(n: number): Promise<void> {
    const document = pdfOf(n, 20_000)
    const request = newId()
    const documentId = newId()
    documents.set(documentId, createHash('sha256').update(document).digest('hex'))
    const act = (name: 'upload' | 'send' | 'sign' | 'approve', id: string) => ({
      name,
      id,
      request,
      begunAt: Date.now(),
      tries: 0,
    })
    const query = `name=day-${n}.pdf&visibilityScope=1&documentId=${documentId}`
    const uploaded = await insist(journal, act('upload', documentId), () =>
      author(`Documents/${organizationId}?${query}`, document),
    )
    if (!uploaded) return
    const sent = await insist(journal, act('send', request), () =>
      author(`SigningRequests/${organizationId}`, {
        signingRequestId: request,
        documentId,
        routeId: approving.routeId,
        name: `День ${n}`,
      }),
    )
    if (!sent) return
    const signature = Buffer.from(await signDetached(document, key, { signingTime: new Date() })).toString(
      'base64',
    )
    const keys = { sign: newId(), approve: newId() }
    const at = (post: Post, type: string, action: 'sign' | 'approve', pointId: string, more: object) => () =>
      post(`SigningRequests/${organizationId}/${type}/${action}`, {
        signingRequestId: request,
        pointId,
        key: keys[action],
        ...more,
      })
    const signed = await insist(
      journal,
      act('sign', keys.sign),
      at(author, 'CompanyInternalSign', 'sign', signing.pointId, { signature }),
      { waiting },
    )
    if (!signed) return
    await insist(
      journal,
      act('approve', keys.approve),
      at(colleague, 'InternalApprove', 'approve', approving.pointId, {}),
      { waiting },
    )
  }

  const workers = Array.from({ length: people }, async () => {
    while (!over.signal.aborted) await oneDocument((number += 1))
  })
  return {
    documents,
    organizationId,
    cookie,
    deadBefore: dead.map(({ id }) => id),
    async end() {
      over.abort()
      await Promise.all(workers)
    },
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
  call: ReturnType<typeof caller>,
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
