/**
 * Bulk sending of the whole product. `bulk`: a table of 500 rows is sent, signed by one key that is opened once, and downloaded
 * as archives. `bulkKills`: the product is killed twenty times while it sends; nothing is lost, doubled or skipped.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import pg from 'pg'
import { mostInArchive } from '@kelisim/domain/requests/list-contract.ts'
import { toHtml, type Inline } from '@kelisim/domain/rich-text/rich-text.ts'
import { signDetached, type CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { rounded, type Measure } from './parts/measure.ts'
import { startProduct, temporaryData, type Product } from './parts/product.ts'
import { allowSending, caller, routeOf, withProduct } from './parts/work.ts'
import { someSigner } from './parts/signer.ts'

const port = 3296
const rows = 500
const goalSeconds = 300
const signers = 4

type Session = { cookie: string; organizationId: string; userId: string }

export async function bulk(): Promise<Measure> {
  return withProduct(port, async ({ product, client, dataDir }) => {
    const { session, key } = await someSigner(client, join(dataDir, 'keys'))
    const prepared = await prepare(product, client, session)
    const began = performance.now()
    const bulkId = await start(product, session, prepared, rows)
    await sent(client, bulkId, rows)
    const sentAt = performance.now()
    await signAll(product, session, { key, ...prepared }, await requestsOf(client, bulkId))
    const signedAt = performance.now()
    const bytes = await archives(product, session, await requestsOf(client, bulkId))
    const seconds = (performance.now() - began) / 1000
    const { signed } = await outcomeOf(client, bulkId)
    const fault = await faultOf(client, bulkId, rows)
    return {
      name: 'bulk',
      value: rounded(seconds),
      anchor: goalSeconds,
      ratio: rounded(seconds / goalSeconds),
      goal: `${rows} rows sent, signed and in archives in <= ${goalSeconds} s`,
      ok: seconds <= goalSeconds && signed === rows && fault === null,
      note: `sent in ${rounded((sentAt - began) / 1000)} s, signed in ${rounded((signedAt - sentAt) / 1000)} s, ${signed} signed, ${bytes} bytes of archives${fault ? `; ${fault}` : ''}`,
    }
  })
}

const kills = 20
const rowsOfKills = 300
/** How many rows are sent between two kills. */
const between = 8

export async function bulkKills(): Promise<Measure> {
  const dataDir = temporaryData()
  let product = await startProduct(port, dataDir)
  const { connection } = await startEmbedded(join(dataDir, 'postgres'))
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { session } = await someSigner(client, join(dataDir, 'keys'))
    const prepared = await prepare(product, client, session)
    const bulkId = await start(product, session, prepared, rowsOfKills)
    for (let kill = 1; kill <= kills; kill++) {
      await sent(client, bulkId, kill * between)
      process.kill(product.pid, 'SIGKILL')
      product = await startProduct(port, dataDir)
    }
    await sent(client, bulkId, rowsOfKills)
    const fault = await faultOf(client, bulkId, rowsOfKills)
    return {
      name: 'bulkKills',
      value: fault === null ? 0 : 1,
      anchor: 0,
      ratio: 0,
      goal: `${kills} kills: 0 lost, 0 doubled, numbers without gaps`,
      ok: fault === null,
      note: fault ?? `${rowsOfKills} rows, ${rowsOfKills} requests`,
    }
  } finally {
    await client.end()
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Prepared = { templateId: string; routeId: string; pointId: string; kindId: string }

const gap = (name: string, type: 'text' | 'number'): Inline => ({
  kind: 'variable',
  name,
  type,
  usual: '',
  value: '',
  marks: [],
})

async function prepare(product: Product, client: pg.Client, session: Session): Promise<Prepared> {
  const { organizationId, userId, cookie } = session
  await allowSending(client, organizationId)
  const call = caller(product, cookie)
  const { routeId, pointId } = await routeOf(client, call, organizationId, userId)
  const text = (words: string): Inline => ({ kind: 'text', text: words, marks: [] })
  const template = toHtml([
    { kind: 'heading', level: 1, align: 'center', inlines: [text('Договор № '), gap('Номер', 'text')] },
    ...Array.from({ length: 20 }, (_, i) => ({
      kind: 'paragraph' as const,
      align: 'justify' as const,
      inlines: [
        text(`${i + 1}. Стороны договорились о поставке на сумму `),
        gap('Сумма', 'number'),
        text(' тенге.'),
      ],
    })),
  ])
  const made = await call(`DocumentTemplates/${organizationId}/new`, {
    name: 'Bench',
    template,
    language: 'ru',
  })
  const numbering = { prefix: 'B-', yearPlace: 'after', width: 4, firstNumber: 1 }
  const journal = await call(`Journals/${organizationId}`, {
    name: 'Bench',
    direction: 'outgoing',
    ...numbering,
  })
  const kind = await call(`DocumentKinds/${organizationId}`, {
    name: 'Bench',
    journalId: journal.id,
    registersAtSending: true,
  })
  return { templateId: made.id, routeId, pointId, kindId: kind.id }
}

async function start(product: Product, session: Session, prepared: Prepared, count: number): Promise<string> {
  const { organizationId, cookie } = session
  const call = caller(product, cookie)
  const table = ['Номер;Сумма', ...Array.from({ length: count }, (_, i) => `${i + 1};${i + 1}000,50`)].join(
    '\n',
  )
  const { id } = await call(`BulkSendings/${organizationId}?name=bench.csv`, Buffer.from(table))
  const { templateId, routeId, kindId } = prepared
  const plan = { templateId, way: 'route', groupId: null, routeId, kindId, name: 'Договор {Номер}' }
  const columns = {
    recipient: { bin: '', emails: '', organizationName: '' },
    variables: { Номер: 'Номер', Сумма: 'Сумма' },
  }
  const response = await fetch(`${product.url}/api/BulkSendings/${organizationId}/${id}/plan`, {
    method: 'PUT',
    body: JSON.stringify({ ...plan, ...columns }),
    headers: { cookie, origin: product.url, 'content-type': 'application/json' },
  })
  if (!response.ok) throw new Error(await response.text())
  await call(`BulkSendings/${organizationId}/${id}/start`, {})
  return id
}

/** Waits until so many rows are sent; a row that failed ends the measure. */
async function sent(client: pg.Client, bulkId: string, count: number): Promise<void> {
  for (;;) {
    const { sent: done, failed } = await outcomeOf(client, bulkId)
    if (failed > 0) throw new Error(`${failed} rows were not sent`)
    if (done >= count) return
    await setTimeout(100)
  }
}

async function outcomeOf(client: pg.Client, bulkId: string) {
  const { rows: found } = await client.query<{ sent: number; failed: number; signed: number }>(
    `select (count(*) filter (where b.state = 'sent'))::int as sent,
       (count(*) filter (where b.state = 'failed'))::int as failed,
       (count(*) filter (where s.state = 'accepted'))::int as signed
     from bulk_rows b left join request_signatures s on s.request_id = b.request_id where b.bulk_id = $1`,
    [bulkId],
  )
  return found[0]!
}

/** Describes rows that are lost or doubled, and gaps between numbers; null: there are none. */
async function faultOf(client: pg.Client, bulkId: string, count: number): Promise<string | null> {
  const { rows: found } = await client.query<{ rows: number; requests: number; first: number; last: number }>(
    `select count(b.request_id)::int as rows,
       (select count(*)::int from signing_requests where kind_id = any (array_agg(r.kind_id))) as requests,
       min(g.counter)::int as first, max(g.counter)::int as last
     from bulk_rows b join signing_requests r on r.id = b.request_id
       join registrations g on g.request_id = r.id where b.bulk_id = $1`,
    [bulkId],
  )
  const { rows: kept, requests, first, last } = found[0]!
  const isWhole = kept === count && requests === count && first === 1 && last === count
  return isWhole ? null : `${kept} rows, ${requests} requests, numbers ${first} to ${last}`
}

async function requestsOf(client: pg.Client, bulkId: string): Promise<{ id: string }[]> {
  const { rows: found } = await client.query<{ id: string }>(
    'select request_id as id from bulk_rows where bulk_id = $1 order by number',
    [bulkId],
  )
  return found
}

async function signAll(
  product: Product,
  { cookie, organizationId }: Session,
  { key, pointId }: { key: CmsSigner; pointId: string },
  requests: readonly { id: string }[],
): Promise<void> {
  const call = caller(product, cookie)
  const left = [...requests]
  await Promise.all(
    Array.from({ length: signers }, async () => {
      for (let one = left.pop(); one !== undefined; one = left.pop()) {
        const file = await fetch(
          `${product.url}/api/SigningRequests/${organizationId}/${one.id}/files/original`,
          {
            headers: { cookie },
          },
        )
        if (!file.ok) throw new Error(await file.text())
        const cms = await signDetached(await file.bytes(), key, { signingTime: new Date() })
        const body = { signingRequestId: one.id, pointId, signature: Buffer.from(cms).toString('base64') }
        await call(`SigningRequests/${organizationId}/CompanyInternalSign/sign`, body)
      }
    }),
  )
}

async function archives(
  product: Product,
  { cookie, organizationId }: Session,
  requests: readonly { id: string }[],
): Promise<number> {
  let bytes = 0
  for (let at = 0; at < requests.length; at += mostInArchive) {
    const ids = requests.slice(at, at + mostInArchive).map(({ id }) => id)
    const response = await fetch(
      `${product.url}/api/SigningRequests/${organizationId}/archive?ids=${ids.join(',')}`,
      { headers: { cookie } },
    )
    if (!response.ok) throw new Error(await response.text())
    bytes += (await response.bytes()).length
  }
  return bytes
}
