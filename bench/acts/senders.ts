/** Organisations that send requests by a product whose database may be far away. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import { newId } from '@kelisim/db/id.ts'
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { agreementVersion } from '@kelisim/domain/identity/contract.ts'
import { asStaff, roles } from '@kelisim/domain/identity/roles.ts'
import { checkDigit } from '@kelisim/domain/numbers.ts'
import { startProduct, temporaryData, type Product } from '../parts/product.ts'
import { sessionOf } from '../parts/session.ts'
import { allowSending, caller, routeOf, uploadPath, type Call } from '../parts/work.ts'

export type Sender = { cookie: string; organizationId: string; call: Call; send: () => Promise<void> }
export type SenderPlace = { product: Product; client: pg.Client; senders: Sender[] }

/** `root`: the checkout whose product is measured; undefined: this one. */
export type Where = { port: number; delayMs: number; organizations: number; root?: string | undefined }

/** The product with a database that is so many milliseconds away, and organisations with a route and a document each. */
export async function withSenders<R>(
  { port, delayMs, organizations, root }: Where,
  measure: (place: SenderPlace) => Promise<R>,
): Promise<R> {
  const dataDir = temporaryData()
  const database = await startEmbedded(join(dataDir, 'postgres'))
  const { host, user, database: name } = database.connection
  const farPort = port + 9
  const far = new Worker(new URL('../parts/far-database.ts', import.meta.url), {
    workerData: { port: farPort, socket: join(host, '.s.PGSQL.5432'), delayMs },
  })
  await new Promise((resolve) => far.once('message', resolve))
  const env = { DATABASE_URL: `postgres://${user}@127.0.0.1:${farPort}/${name}` }
  const product = await startProduct(port, dataDir, { root, env })
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    const senders: Sender[] = []
    for (let i = 0; i < organizations; i++) senders.push(await addSender(product, client, i))
    return await measure({ product, client, senders })
  } finally {
    await client.end()
    await product.stop()
    await far.terminate()
    database.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function addSender(product: Product, client: pg.Client, number: number): Promise<Sender> {
  const organizationId = newId()
  await client.query(
    `insert into organizations (id, bin, is_individual, short_name, created_at, confirmed_at)
     values ($1, $2, false, $3, now(), now())`,
    [organizationId, binOf(number), `Bench ${number}`],
  )
  const userId = await addMember(client, organizationId, 'Owner')
  await allowSending(client, organizationId)
  const cookie = await sessionOf(client, userId)
  const call = caller(product, cookie)
  const { routeId } = await routeOf(client, call, organizationId, userId)
  const { id: documentId } = await call(uploadPath(organizationId), makePdf([`Contract ${number}`]))
  const send = async () => {
    await call(`SigningRequests/${organizationId}`, { documentId, routeId, name: 'Bench' })
  }
  await send()
  return { cookie, organizationId, call, send }
}

/** Adds a new person with this role to the organisation, and returns their id. */
export async function addMember(
  client: pg.Client,
  organizationId: string,
  role: 'Owner' | 'Employee',
): Promise<string> {
  const userId = newId()
  await client.query(
    `insert into users (id, issuer, subject, login, full_name, email, is_email_confirmed, agreement_version,
       agreement_accepted_at, created_at)
     values ($1, 'bench', $2, $2, 'Bench', $2, true, $3, now(), now())`,
    [userId, `${userId}@example.kz`, agreementVersion],
  )
  await client.query(
    'insert into memberships (organization_id, user_id, roles, joined_at) values ($1, $2, $3, now())',
    [organizationId, userId, asStaff(roles.of(role))],
  )
  return userId
}

function binOf(number: number): string {
  for (let serial = number * 7 + 50_000; ; serial++) {
    const eleven = `260540${serial}`
    const digit = checkDigit(eleven)
    if (digit !== null) return `${eleven}${digit}`
  }
}

/** How many requests a second are sent if each of these senders sends one after the other without a pause. */
export async function rateOf(senders: readonly Sender[], each: number): Promise<number> {
  const began = performance.now()
  await Promise.all(
    senders.map(async ({ send }) => {
      for (let i = 0; i < each; i++) await send()
    }),
  )
  return (senders.length * each * 1000) / (performance.now() - began)
}
