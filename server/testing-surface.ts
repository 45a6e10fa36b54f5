/** For tests: any call of the API by anybody, with input made from the OpenAPI document. */
import type fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { schemas } from '@kelisim/domain/directory/contract.ts'
import { fillPath, pathParameters, refusalsOf, type Endpoint } from '@kelisim/domain/endpoint.ts'
import type { ErrorBody } from '@kelisim/domain/errors.ts'
import { fitting, type JsonSchema } from './testing-arbitraries.ts'
import { publicUrl, type startTestApp } from './testing.ts'
import type { World } from './testing-world.ts'

type TestApp = Pick<Awaited<ReturnType<typeof startTestApp>>, 'app' | 'tokenOf'>
type Operation = {
  parameters: { name: string; in: string; required: boolean; schema: JsonSchema }[]
  requestBody?: { content: Record<string, { schema?: JsonSchema }> }
}
export type Input = Record<string, unknown>
/** A person's session, a program's token, or neither. */
export type Identity = { person?: string; secret?: string }
export type SurfaceResponse = {
  status: number
  alias: string | undefined
  text: string
  json: unknown
}

export const nameOf = (e: Endpoint) => `${e.method} ${e.path}`

/** The id of the object of this world that the call expects under this name; undefined: the name means no object. */
export function idIn(world: Pick<World, 'ids'>, e: Endpoint, name: string): string | undefined {
  const { routeTemplateId, campaignId, ...ids } = world.ids
  if (e.path.includes('/Campaigns/') && name === 'signingRequestId') return campaignId
  const isOfRouteTemplates = e.path.includes('/SignaturePointsRouteTemplates/')
  if (isOfRouteTemplates && ['routeId', 'templateId', 'id'].includes(name)) return routeTemplateId
  if (name === 'id') return e.path.includes('/SignaturePointsRoutes/') ? ids.routeId : undefined
  if (name === 'requestId' || name === 'followsId') return ids.signingRequestId
  if (name === 'substituteId' || name === 'actsAs') return ids.userId
  if (name === 'quickSendGroupId') return ids.groupId
  return (ids as Record<string, string>)[name]
}

export async function surfaceOf({ app, tokenOf }: TestApp) {
  const { paths } = (await app.inject('/api/openapi.json')).json<{
    paths: Record<string, Record<string, Operation>>
  }>()

  /** Everything that the document says about the input of a call, as one object. */
  function schemaOf(e: Endpoint): Required<Pick<JsonSchema, 'properties' | 'required'>> {
    const { parameters, requestBody } = paths[e.path.replaceAll(/:(\w+)/g, '{$1}')]![e.method.toLowerCase()]!
    const inAddress = parameters.filter((one) => one.in !== 'header')
    const body = requestBody?.content['application/json']?.schema
    return {
      properties: {
        ...Object.fromEntries(inAddress.map(({ name, schema }) => [name, schema])),
        ...body?.properties,
      },
      required: [
        ...inAddress.filter((one) => one.required).map(({ name }) => name),
        ...(body?.required ?? []),
      ],
    }
  }

  const inputs = (e: Endpoint) => fitting({ type: 'object', ...schemaOf(e) }) as fc.Arbitrary<Input>

  async function send({ person, secret }: Identity, e: Endpoint, input: Input): Promise<SurfaceResponse> {
    // If a path parameter were empty, the address would be that of another call.
    const inPath = Object.fromEntries(
      pathParameters(e.path).map((name) => [name, asText(input[name]) || ' ']),
    )
    const { path, rest } = fillPath(e.path, { ...input, ...inPath })
    const isInQuery = e.method === 'GET' || e.takesFile
    const response = await app.inject({
      method: e.method,
      url: path,
      ...(isInQuery
        ? { query: asQuery(rest), ...(e.takesFile && { payload: Buffer.from('%PDF-1.4') }) }
        : { payload: JSON.stringify(rest) }),
      headers: {
        origin: publicUrl.origin,
        ...(e.takesFile && { 'content-type': 'application/octet-stream' }),
        ...(!isInQuery && { 'content-type': 'application/json' }),
        ...(person !== undefined && { cookie: `session=${await tokenOf(person)}` }),
        ...(secret !== undefined && { authorization: `Bearer ${secret}`, 'idempotency-key': randomUUID() }),
      },
    })
    const isJson = String(response.headers['content-type']).includes('json')
    const json: unknown = isJson ? response.json() : undefined
    const alias = response.statusCode >= 400 ? aliasIn(json) : undefined
    return { status: response.statusCode, alias, text: response.payload, json }
  }

  return { schemaOf, inputs, send }
}

type ScimError = Record<typeof schemas.refusal, { alias: string }>

/** The alias of an error, either in our own form or in that of SCIM. */
export function aliasIn(json: unknown): string | undefined {
  const body = json as Partial<ErrorBody & ScimError>
  return body.ExceptionData?.Alias ?? body[schemas.refusal]?.alias
}

function asQuery(values: Input): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(asText) : asText(value)]),
  )
}

/** An address can hold only text, and no unpaired surrogate. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value ?? null)
}

/** What is wrong with the response: an internal error, or something that the contract does not name. */
export function breachOf(e: Endpoint, { status, alias, json }: SurfaceResponse): string | undefined {
  if (status >= 400) {
    if (alias === undefined) return `${status} without an alias`
    if (!(refusalsOf(e) as string[]).includes(alias)) return `${alias} is not in the contract`
    return alias === 'unexpected-error' || alias === 'database-update-error' ? alias : undefined
  }
  if (e.givesFile || e.streams || status === 204) return undefined
  const parsed = e.result.safeParse(json)
  return parsed.success ? undefined : `the result does not fit: ${JSON.stringify(parsed.error.issues)}`
}

/** The input names of the call that identify an object of the world. */
export function objectNames(world: Pick<World, 'ids'>, e: Endpoint, names: readonly string[]): string[] {
  const inPath = pathParameters(e.path)
  return [...new Set([...inPath, ...names])].filter((name) => idIn(world, e, name) !== undefined)
}
