/**
 * A page of any list of documents when its table has a million rows, against the same page when it has a thousand: all of
 * one organisation and one author, the worst there is. The value is the worst ratio of the 95th percentiles.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import { rounded, type Measure } from './measure.ts'
import { startProduct, temporaryData } from './product.ts'
import { someSession } from './session.ts'

const goal = 2
const calls = 150
const warmUpCalls = 60
const few = 1_000
const many = 1_000_000

/** The last page that can be leafed to lies as deep as there are rows, but no deeper than rows are counted. */
const pages: Record<string, (rows: number) => string> = {
  first: () => '0/10?path=my',
  last: (rows) => `${Math.min(rows, 10_000) - 10}/10?path=my`,
  hundred: () => '0/100?path=public',
  'by name': () => '0/10?path=organization&sort=name',
  'by name, from the end': () => '0/10?path=public&sort=-name',
  oldest: () => '0/10?path=organization&sort=created',
  'found often': () => `0/10?path=my&name=${encodeURIComponent('договор')}`,
  'found once': () => `0/10?path=my&name=${encodeURIComponent('№ 777 ')}`,
  'found never': () => `0/10?path=public&name=${encodeURIComponent('щшъ')}`,
}

export async function documentLists(): Promise<Measure> {
  const dataDir = temporaryData()
  const product = await startProduct(3267, dataDir)
  const database = await startEmbedded(join(dataDir, 'postgres')) // adopts the one the product started
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    const { cookie, organizationId, userId } = await someSession(database.connection)
    const measureAll = async (rows: number) => {
      const times: Record<string, number> = {}
      for (const [name, address] of Object.entries(pages)) {
        const url = `${product.url}/api/Documents/${organizationId}/${address(rows)}`
        times[name] = await percentile(url, cookie)
      }
      return times
    }
    await fill(client, organizationId, userId, few)
    const small = await measureAll(few)
    await fill(client, organizationId, userId, many)
    const large = await measureAll(many)
    const ratios = Object.keys(pages).map((name) => ({ name, ratio: large[name]! / small[name]! }))
    const worst = ratios.toSorted((a, b) => b.ratio - a.ratio)[0]!
    return {
      name: 'documentLists',
      value: rounded(large[worst.name]!),
      anchor: rounded(small[worst.name]!),
      ratio: rounded(worst.ratio),
      goal: `ratio <= ${goal}`,
      ok: worst.ratio <= goal,
      note: `ms at the 95th percentile; ${ratios.map(({ name, ratio }) => `${name} ${rounded(ratio)}`).join(', ')}`,
    }
  } finally {
    await client.end()
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** As many documents as wanted, no two of one name, half of them public; half are called agreements. */
async function fill(client: pg.Client, organizationId: string, userId: string, rows: number): Promise<void> {
  await client.query('set statement_timeout = 0')
  await client.query('delete from documents')
  await client.query(
    `insert into documents (id, organization_id, author_id, file_id, name, description, visibility, format, created_at)
     select gen_random_uuid(), $1, $2, (select id from files limit 1),
       (case n % 2 when 0 then 'Договор № ' else 'Приказ № ' end) || n || ' ' || md5(n::text) || '.pdf', '',
       case n % 4 when 0 then 'private' else 'public' end, 'pdf', now() - n * interval '1 second'
     from generate_series(1, $3::int) n`,
    [organizationId, userId, rows],
  )
  await client.query('vacuum analyze documents')
}

async function percentile(url: string, cookie: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < warmUpCalls + calls; i++) {
    const began = performance.now()
    const answer = await fetch(url, { headers: { cookie } })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
    if (i >= warmUpCalls) times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(calls * 0.95)]!
}
