/** A signing day: several people upload, send, sign and approve without a pause, and insist on each act. */
import { createHash } from 'node:crypto'
import pg from 'pg'
import { passingRefusals, prepareSigningDay } from '@kelisim/bench/parts/signing-day.ts'
import { pdfOf } from '@kelisim/bench/parts/signer.ts'
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
  /** Lets nobody begin new acts; resolves when the acts that were begun are done. */
  end: () => Promise<void>
}

export type DayOptions = {
  url: string
  connectionString: string
  dataDir: string
  journal: Journal
  people: number
}

export async function beginDay(options: DayOptions): Promise<Day> {
  const { url, journal, people } = options
  const client = new pg.Client({ connectionString: options.connectionString })
  await client.connect()
  const { organizationId, key, cookies, routeId, points } = await prepareSigningDay(client, options)
  const { rows: dead } = await client.query<{ id: string }>(
    "select id from pgboss.job where name = 'dead-letters'",
  )
  await client.end()

  const documents = new Map<string, string>()
  const [author, colleague] = [poster(url, cookies.author), poster(url, cookies.approver)]
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
        routeId,
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
      at(author, 'CompanyInternalSign', 'sign', points.sign, { signature }),
      { waiting: passingRefusals },
    )
    if (!signed) return
    await insist(
      journal,
      act('approve', keys.approve),
      at(colleague, 'InternalApprove', 'approve', points.approve, {}),
      { waiting: passingRefusals },
    )
  }

  const workers = Array.from({ length: people }, async () => {
    while (!over.signal.aborted) await oneDocument((number += 1))
  })
  return {
    documents,
    organizationId,
    cookie: cookies.author,
    deadBefore: dead.map(({ id }) => id),
    async end() {
      over.abort()
      await Promise.all(workers)
    },
  }
}
