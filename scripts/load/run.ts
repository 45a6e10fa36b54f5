/**
 * `npm run -s load`: a working day of more and more people who never pause, against a demo with its own data; each
 * keeps a page open (server-sent events), and a program gets the webhooks. Prints throughput and latency of each act,
 * the number of people beyond which more only wait longer, and which resource runs out.
 *
 *   --people 1,2,4,8    how many at once, one step after the other
 *   --seconds 30        of each step
 *   --requests 0        how many requests the organisation has before, 1000000 takes minutes
 *   --processes 1       of the product, on one database; people are spread over them
 */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { arch, availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { addDays, dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { fill } from '@kelisim/bench/growth/search.ts'
import { prepareSigningDay } from '@kelisim/bench/parts/signing-day.ts'
import { residentMegabytes } from '@kelisim/bench/parts/product.ts'
import { caller } from '@kelisim/bench/parts/work.ts'
import { buildSite } from '../build/build.ts'
import { actNames, workRound, type ActName, type Timed, type Workplace } from './acts.ts'
import { kneeOf, percentile, saturatedOf, tenthsOf, type Step } from './knee.ts'
import { openPages } from './pages.ts'
import { parentOf, processorSeconds } from './processors.ts'
import { withProducts } from './products.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1,2,4,8' },
    seconds: { type: 'string', default: '30' },
    requests: { type: 'string', default: '0' },
    processes: { type: 'string', default: '1' },
  },
})
const steps = values.people.split(',').map(Number)
const seconds = Number(values.seconds)
const requests = Number(values.requests)
const processes = Number(values.processes)
if (![...steps, seconds, processes].every((one) => one > 0) || !(requests >= 0)) {
  throw new Error('--people, --seconds and --processes take numbers above 0, --requests a number')
}
const port = Number(process.env['LOAD_PORT'] ?? 3420)
const metricsToken = 'only-for-this-measure'
const say = (words: string) => process.stdout.write(`${words}\n`)

buildSite()
let rounds = 0
let webhooks = 0
const receiver = createServer((_, response) => {
  webhooks += 1
  response.end()
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const receiverHost = `127.0.0.1:${(receiver.address() as AddressInfo).port}`

await withProducts(
  port,
  processes,
  { METRICS_TOKEN: metricsToken, WEBHOOK_PRIVATE_HOSTS: receiverHost },
  async ({ products, client, dataDir }) => {
    const [first] = products
    const shared = await prepare(client, first!.url, dataDir)
    const places = products.map(({ url }) => ({ ...shared, url }))
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const pids = { products: products.map(({ pid }) => pid), database: parentOf(rows[0]!.pid) }
    say(
      `${cpus()[0]?.model ?? arch()}, ${availableParallelism()} cores; processes of the product: ${processes}; ${requests} requests before`,
    )
    const step = (people: number, forSeconds: number, isWarmUp: boolean) =>
      stepWith(places, client, pids, { people, seconds: forSeconds, isWarmUp })
    await step(processes, 5, true)
    const results: Step[] = []
    for (const people of steps) results.push(await step(people, seconds, false))
    const knee = kneeOf(results)
    say(knee === undefined ? '\nNo knee up to here.' : `\nThe knee: ${knee} at once.`)
  },
).finally(() => receiver.close())

async function prepare(client: pg.Client, url: string, dataDir: string): Promise<Workplace> {
  const { rows } = await client.query<{ organization_id: string; user_id: string }>(
    'select organization_id, user_id from memberships order by joined_at limit 1',
  )
  const { organization_id: organizationId, user_id: userId } = rows[0]!
  if (requests > 0) {
    const began = Date.now()
    await fill(client, organizationId, userId, { requests, documents: Math.ceil(requests / 10) })
    say(`${requests} requests were made in ${Math.round((Date.now() - began) / 1000)} s`)
  }
  const day = await prepareSigningDay(client, { url, dataDir })
  const call = caller({ url }, day.cookies.author)
  const actsAs = day.userId
  const { secret } = await call<{ secret: string }>(`Integration/${day.organizationId}/tokens`, {
    name: 'Load',
    actsAs,
    scopes: ['requests.read'],
    validUntil: addDays(dateInAlmaty(new Date()), 5),
  })
  await call(`Integration/${day.organizationId}/webhooks`, { url: `http://${receiverHost}/`, actsAs })
  return { url, origin: url, day, token: secret }
}

type Pids = { products: readonly number[]; database: number }

async function stepWith(
  places: readonly Workplace[],
  client: pg.Client,
  pids: Pids,
  { people, seconds, isWarmUp }: { people: number; seconds: number; isWarmUp: boolean },
): Promise<Step> {
  const times = new Map<ActName, number[]>(actNames.map((name) => [name, []]))
  const refused = new Map<string, number>()
  const timed: Timed = async (name, act) => {
    const began = performance.now()
    const result = await act()
    times.get(name)!.push(performance.now() - began)
    return result
  }
  const pages = await openPages(places, people)
  const [used, webhooksBefore] = [usedBy(pids), webhooks]
  const began = performance.now()
  const end = began + seconds * 1000
  let waitedFor = 0
  const memory: number[] = []
  const watching = setInterval(() => {
    for (const { url } of places)
      void waitedForConnections(url).then((count) => (waitedFor = Math.max(waitedFor, count)))
    memory.push(Math.max(...pids.products.map((pid) => residentMegabytes(pid))))
    // One person stands for many here, so the rate limits of one person must not apply.
    void client.query('delete from rate_limits')
  }, 1000)
  await Promise.all(
    Array.from({ length: people }, async (_, person) => {
      while (performance.now() < end) {
        await workRound(places[person % places.length]!, timed, (rounds += 1)).catch((error: unknown) => {
          const why = error instanceof Error ? error.message : String(error)
          refused.set(why, (refused.get(why) ?? 0) + 1)
        })
      }
    }),
  )
  clearInterval(watching)
  const passed = (performance.now() - began) / 1000
  const told = await pages.close()
  const all = [...times.values()].flat()
  const step = { people, actsASecond: all.length / passed, p95: percentile(all, 0.95) }
  if (isWarmUp) return step
  const after = usedBy(pids)
  say(`\n${people} at once: ${step.actsASecond.toFixed(1)} acts a second, p95 ${step.p95.toFixed(0)} ms`)
  for (const [name, of] of times) {
    const at = (share: number) => percentile(of, share).toFixed(0).padStart(6)
    say(
      `  ${name.padEnd(20)} ${String(of.length).padStart(6)}  p50 ${at(0.5)}  p95 ${at(0.95)}  p99 ${at(0.99)} ms`,
    )
  }
  say(`  ${pages.open} open pages were told ${told} things, ${webhooks - webhooksBefore} webhooks came`)
  for (const [why, count] of refused) say(`  refused ${count} times: ${why}`)
  // If acts were refused, people could not work, so the numbers are worthless.
  if (refused.size > 0) process.exitCode = 1
  const product = after.product - used.product
  const database = after.database - used.database
  const each = (of: number) => ((of * 1000) / all.length).toFixed(1)
  say(`  processor time of an act: product ${each(product)} ms, database ${each(database)} ms`)
  say(`  memory of the largest process, in tenths of the time: ${tenthsOf(memory).join(', ')} MB`)
  const saturated = saturatedOf({
    product: product / passed,
    database: database / passed,
    load: (after.load - used.load) / passed,
    cores: availableParallelism(),
    connectionsWaitedFor: waitedFor,
  })
  say(`  saturated: ${saturated}`)
  return step
}

function usedBy({ products, database }: Pids) {
  const { user, system } = process.cpuUsage()
  // The embedded database is a child of the first process.
  const ofDatabase = processorSeconds(database)
  return {
    product: products.reduce((sum, pid) => sum + processorSeconds(pid), 0) - ofDatabase,
    database: ofDatabase,
    load: (user + system) / 1e6,
  }
}

/**
 * How many calls waited for a connection, of readers and writers together; waiting for a turn to write is not
 * counted, because it is waiting for the processors.
 */
async function waitedForConnections(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  const waited = (await response.text()).matchAll(
    /^kelisim_database_connections\{pool="(?:readers|writers)",state="waited-for"\} (\d+)/gm,
  )
  return [...waited].reduce((sum, [, count]) => sum + Number(count), 0)
}
