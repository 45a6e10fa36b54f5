/** What measures of the whole product prepare: a caller, an organisation that may send, a route. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import { newId } from '@kelisim/db/id.ts'
import { pointTypes, type PointType } from '@kelisim/domain/points/point-types.ts'
import { startProduct, temporaryData, type Product, type ProductOptions } from './product.ts'

export type Started = { product: Product; client: pg.Client; connection: pg.ClientConfig; dataDir: string }

/** Starts the product with data of its own and a connection to its database; leaves nothing behind. */
export async function withProduct<R>(
  port: number,
  measure: (started: Started) => Promise<R>,
  options: ProductOptions = {},
): Promise<R> {
  const dataDir = temporaryData()
  const product = await startProduct(port, dataDir, options)
  const { connection } = await startEmbedded(join(dataDir, 'postgres')) // adopts the server that the product started
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await measure({ product, client, connection, dataDir })
  } finally {
    await client.end()
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Posts JSON or a file; `origin`: the address that people know, if it differs from `url`. */
export function post(
  { url, cookie, origin = url }: { url: string; cookie: string; origin?: string | undefined },
  path: string,
  body: object | Buffer,
  signal: AbortSignal | null = null,
): Promise<Response> {
  const isFile = Buffer.isBuffer(body)
  return fetch(`${url}/api/${path}`, {
    method: 'POST',
    body: isFile ? new Uint8Array(body) : JSON.stringify(body),
    headers: {
      cookie,
      origin,
      'content-type': isFile ? 'application/octet-stream' : 'application/json',
    },
    signal,
  })
}

export type Call = ReturnType<typeof caller>

/** Makes calls that must succeed; a response that is not JSON is read and dropped. */
export function caller({ url }: Pick<Product, 'url'>, cookie: string) {
  return async <R = { id: string }>(path: string, body: object | Buffer): Promise<R> => {
    const response = await post({ url, cookie }, path, body)
    if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`)
    const isJson = response.headers.get('content-type')?.includes('json')
    return (isJson ? await response.json() : (await response.bytes(), { id: '' })) as R
  }
}

export const uploadPath = (organizationId: string) =>
  `Documents/${organizationId}?name=bench.pdf&visibilityScope=1`

export async function allowSending(client: pg.Client, organizationId: string): Promise<void> {
  await client.query(
    `insert into subscriptions (id, organization_id, name_key, start_date, end_date, max_signing_requests, created_at)
     values ($1, $2, 'premium', current_date, '2099-01-01', null, now())`,
    [newId(), organizationId],
  )
}

/** A route with one point, where this person signs. */
export async function routeOf(
  client: pg.Client,
  call: Call,
  organizationId: string,
  userId: string,
): Promise<{ routeId: string; pointId: string }> {
  const pointId = await pointOf(client, call, organizationId, {
    people: [userId],
    type: 'CompanyInternalSign',
  })
  return { routeId: await routeThrough(call, organizationId, [pointId]), pointId }
}

/** A point whose group has these people, any one of whom may act. */
export async function pointOf(
  client: pg.Client,
  call: Call,
  organizationId: string,
  { people, type }: { people: readonly string[]; type: PointType },
): Promise<string> {
  const groupId = newId()
  await client.query(`insert into groups values ($1, $2, $3, now())`, [
    groupId,
    organizationId,
    `Bench ${type}`,
  ])
  await client.query('insert into group_participants select $1, $2, unnest($3::uuid[])', [
    organizationId,
    groupId,
    people,
  ])
  const { id } = await call(`Points/${organizationId}`, {
    name: `Bench ${type}`,
    description: '',
    type: pointTypes.of(type),
    visibilityScope: 2,
    groupId,
    responsiblePersons: [],
    agreementCondition: 'any',
    isEdsPresentationRequired: false,
    bin: null,
    organizationName: '',
    emails: [],
  })
  return id
}

/** A route on which these points follow each other. */
export async function routeThrough(
  call: Call,
  organizationId: string,
  pointIds: readonly string[],
): Promise<string> {
  const { id } = await call(`SignaturePointsRoutes/${organizationId}`, {
    name: 'Bench',
    description: '',
    visibilityScope: 2,
    points: pointIds.map((pointId, i) => ({ pointId, order: i + 1 })),
  })
  return id
}
