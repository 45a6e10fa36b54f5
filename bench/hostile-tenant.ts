/**
 * One organisation sends malicious files while another works: deflate bombs, PDFs that keep their reader busy, words and
 * tables that keep the printing of rich text busy, each by several employees at once. Measures how much longer the other's
 * uploads, sendings and previews take (95th percentile) than on a calm day, and whether the product's memory returns.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { minute } from '@kelisim/domain/durations.ts'
import { disguised, slowToRead, twiceDeflated } from '@kelisim/server/documents/testing-bombs.ts'
import { rounded, type Measure } from './parts/measure.ts'
import type { Product } from './parts/product.ts'
import { sessionOf } from './parts/session.ts'
import { allowSending, caller, routeOf, uploadPath, withProduct, type Call } from './parts/work.ts'

const goal = { ratio: 2, megabytes: 64 }
const port = 3286
const warmUpRounds = 10
const rounds = 60
/** How many employees of each organisation work; together they stay below the rate limits of single calls. */
const employees = 5

export async function hostileTenant(): Promise<Measure> {
  return withProduct(port, async ({ product, client }) => {
    const [victim, hostile] = await twoOrganizations(client)
    const work = await ordinaryWork(product, client, victim!)
    await repeated(warmUpRounds, work)
    const calm = await repeated(rounds, work)
    const before = megabytesOf(product.pid)
    const attack = await startAttack(product, client, hostile!)
    const attacked = await repeated(rounds, work)
    const sent = await attack.stop()
    await pause(minute)
    const grown = megabytesOf(product.pid) - before
    const compared = kinds.map((kind) => {
      const [value, anchor] = [p95(attacked[kind]), p95(calm[kind])]
      return { kind, value, anchor, ratio: value / anchor }
    })
    const worst = compared.toSorted((one, other) => other.ratio - one.ratio)[0]!
    return {
      name: 'hostileTenant',
      value: rounded(worst.value),
      anchor: rounded(worst.anchor),
      ratio: rounded(worst.ratio),
      goal: `95th percentile <= ${goal.ratio} x of a calm day, memory within ${goal.megabytes} MB a minute later`,
      ok: worst.ratio <= goal.ratio && grown <= goal.megabytes,
      note:
        `ms of ${worst.kind}; ` +
        compared.map(({ kind, ratio }) => `${kind} ${rounded(ratio)} x`).join(', ') +
        `; ${sent} malicious calls; memory ${grown < 0 ? 'shrank' : 'grew'} by ${rounded(Math.abs(grown))} MB`,
    }
  })
}

type Organization = { organizationId: string; userIds: string[] }

/** Two organisations that may send any number of requests, with different people. */
async function twoOrganizations(client: pg.Client): Promise<Organization[]> {
  const { rows: organizations } = await client.query<{ id: string }>(
    'select id from organizations where confirmed_at is not null order by id limit 2',
  )
  const { rows: people } = await client.query<{ id: string }>('select id from users order by id limit $1', [
    employees * 2,
  ])
  const all = organizations.map(({ id }, i) => ({
    organizationId: id,
    userIds: people.slice(i * employees, (i + 1) * employees).map((person) => person.id),
  }))
  for (const { organizationId, userIds } of all) {
    await client.query(
      `insert into memberships (organization_id, user_id, roles, joined_at) select $1, unnest($2::uuid[]), 15, now()
       on conflict (organization_id, user_id) do update set roles = 15`,
      [organizationId, userIds],
    )
    await allowSending(client, organizationId)
  }
  return all
}

const kinds = ['upload', 'send', 'preview'] as const
type Kind = (typeof kinds)[number]
type Times = Record<Kind, number[]>
type Round = (number: number, times: Times) => Promise<void>

let roundsSoFar = 0

async function repeated(count: number, round: Round): Promise<Times> {
  const times: Times = { upload: [], send: [], preview: [] }
  for (let i = 0; i < count; i++) await round(roundsSoFar++, times)
  return times
}

function p95(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)]!
}

/** Uploads a new file each time, because the findings about known bytes are cached. */
async function ordinaryWork(product: Product, client: pg.Client, { organizationId, userIds }: Organization) {
  const calls: Call[] = []
  for (const userId of userIds) calls.push(caller(product, await sessionOf(client, userId)))
  const { routeId } = await routeOf(client, calls[0]!, organizationId, userIds[0]!)
  const round: Round = async (number, times) => {
    const call = calls[number % calls.length]!
    const timed = async <R>(kind: Kind, work: () => Promise<R>): Promise<R> => {
      const began = performance.now()
      const result = await work()
      times[kind].push(performance.now() - began)
      return result
    }
    const pdf = makePdf([`Contract ${number}`], ['Its second page'])
    const document = await timed('upload', () => call(uploadPath(organizationId), pdf))
    await timed('send', () =>
      call(`SigningRequests/${organizationId}`, {
        documentId: document.id,
        routeId,
        name: `Bench ${number}`,
      }),
    )
    await timed('preview', () => call(...preview(organizationId, `<h1>Договор ${number}</h1><p>Текст</p>`)))
  }
  return round
}

const preview = (organizationId: string, htmlContent: string) =>
  [`Documents/${organizationId}/fromWYSIWYG/preview`, { htmlContent, fileName: 'bench.pdf' }] as const

/** Each employee sends all kinds of malicious input, one call after the other; refusals are expected. */
async function startAttack(product: Product, client: pg.Client, { organizationId, userIds }: Organization) {
  const over = new AbortController()
  let sent = 0
  const bombs = [twiceDeflated(), disguised(), slowToRead()]
  const table = `<table>${`<tr>${'<td>Пшеница 3 класса</td>'.repeat(5)}</tr>`.repeat(900)}</table>`
  const texts = [`<p>${'а'.repeat(39_000)}</p>`, table]
  const first = caller(product, await sessionOf(client, userIds[0]!))
  const { routeId } = await routeOf(client, first, organizationId, userIds[0]!)
  const attack = async (userId: string, cookie: string) => {
    const call = caller(product, cookie)
    const attempt = async (...of: Parameters<Call>) => {
      sent++
      return call(...of).catch(() => null)
    }
    for (let i = 0; !over.signal.aborted; i++) {
      const bomb = Buffer.concat([bombs[i % bombs.length]!, Buffer.from(`%${userId} ${i}\n`)])
      const several = await Promise.all([
        attempt(uploadPath(organizationId), bomb),
        attempt(uploadPath(organizationId), Buffer.concat([bomb, Buffer.from('%again\n')])),
        attempt(...preview(organizationId, texts[i % texts.length]!.replace('>', `>${i}`))),
      ])
      const document = several[0] ?? several[1]
      if (document) {
        await attempt(`SigningRequests/${organizationId}`, { documentId: document.id, routeId, name: 'x' })
      }
    }
  }
  const cookies: string[] = []
  for (const userId of userIds) cookies.push(await sessionOf(client, userId))
  const all = userIds.map((userId, i) => attack(userId, cookies[i]!))
  return {
    async stop() {
      over.abort()
      await Promise.all(all)
      return sent
    },
  }
}

/** The memory of the process and all that it started, without PostgreSQL, whose buffers are meant to fill. */
function megabytesOf(pid: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8')
        const field = (key: string) => new RegExp(`^${key}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? ''
        return [
          {
            pid: Number(name),
            parent: Number(field('PPid')),
            name: field('Name'),
            kilobytes: Number(field('VmRSS')),
          },
        ]
      } catch {
        return [] // The process has ended since the list was read.
      }
    })
  const below = (id: number): number =>
    processes
      .filter(({ parent, name }) => parent === id && name !== 'postgres')
      .reduce((sum, child) => sum + child.kilobytes + below(child.pid), 0)
  const own = processes.find((one) => one.pid === pid)
  return ((own?.kilobytes ?? 0) + below(pid)) / 1024
}
