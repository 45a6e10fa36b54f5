/** The OpenAPI 3.1 document, generated from the same schemas that validate calls. */
import * as z from 'zod/mini'
import { pathParameters, refusalsOf, type Endpoint } from '@kelisim/domain/endpoint.ts'
import { statusOf, type Alias } from '@kelisim/domain/errors.ts'

/** An example of a call: its input and its result; the result of a call that gives a file is null. */
export type ApiExample = { call: Endpoint; input: Readonly<Record<string, unknown>>; result: unknown }

export function openApi(
  endpoints: readonly Endpoint[],
  version: string,
  publicUrl: URL,
  examples: readonly ApiExample[] = [],
): object {
  const byCall = new Map(examples.map((one) => [one.call, one]))
  const paths: Record<string, Record<string, object>> = {}
  for (const e of endpoints) {
    const path = e.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [e.method.toLowerCase()]: operation(e, byCall.get(e)) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Kelisim', version },
    servers: [{ url: publicUrl.origin }],
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        token: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

type JsonSchema = { properties?: Record<string, object>; required?: string[] } & Record<string, unknown>

function operation(e: Endpoint, example?: ApiExample): object {
  const { properties = {}, required = [] } = jsonSchema(e.input, 'input')
  const inPath = pathParameters(e.path)
  const rest = Object.keys(properties).filter((name) => !inPath.includes(name))
  const isInQuery = e.method === 'GET' || e.takesFile
  const inQuery = isInQuery ? rest : []
  const inBody = isInQuery ? [] : rest
  return {
    summary: e.summary,
    operationId: operationId(e),
    description: descriptionOf(e),
    security: securityOf(e),
    parameters: [
      ...inPath.map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: properties[name] ?? { type: 'string' },
        ...exampleOf(example, name),
      })),
      ...inQuery.map((name) => ({
        name,
        in: 'query',
        required: required.includes(name),
        schema: properties[name],
        ...exampleOf(example, name),
      })),
      ...(e.access === 'program' && e.method !== 'GET' && !e.protocol ? [keyParameter] : []),
    ],
    ...(e.takesFile && { requestBody: { required: true, content: fileContent } }),
    ...(inBody.length > 0 && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: Object.fromEntries(inBody.map((name) => [name, properties[name]])),
              required: inBody.filter((name) => required.includes(name)),
            },
            ...(example && {
              example: Object.fromEntries(
                inBody.filter((name) => name in example.input).map((name) => [name, example.input[name]]),
              ),
            }),
          },
        },
      },
    }),
    responses: {
      200: {
        description: 'Done',
        content: e.givesFile
          ? fileContent
          : {
              [e.streams ? 'text/event-stream' : 'application/json']: {
                schema: jsonSchema(e.result, 'output'),
                ...(example && { example: example.result }),
              },
            },
      },
      ...refusalsByStatus(refusalsOf(e)),
    },
  }
}

/** A call repeated with the same key acts once. */
const keyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: 200 },
  example: '7c1d2f5e-0b57-4d0c-9d0c-1f2a3b4c5d6e',
}

function exampleOf(example: ApiExample | undefined, name: string): object {
  return example && name in example.input ? { example: example.input[name] } : {}
}

function descriptionOf({ access, scope }: Endpoint): string {
  if (access !== 'program') return `May be called by: ${access}.`
  return `May be called with a token${scope === undefined ? '' : ` that has the scope ${scope}`}.`
}

/** A unique id: the method and the words of the address. */
function operationId({ method, path }: Endpoint): string {
  const words = path.split(/[/:\-.]+/).filter((word) => word !== '' && word !== 'api')
  return [method.toLowerCase(), ...words].join('_')
}

function securityOf({ access }: Endpoint): object[] {
  if (access === 'anyone') return []
  return [access === 'program' ? { token: [] } : { session: [] }]
}

/** Binary content needs no schema in OpenAPI 3.1. */
const fileContent = { 'application/octet-stream': {} }

function refusalsByStatus(aliases: readonly Alias[]): Record<number, object> {
  const statuses = [...new Set(aliases.map(statusOf))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: aliases.filter((alias) => statusOf(alias) === status).join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest as JsonSchema
}

const errorSchema = {
  type: 'object',
  required: ['ClassName', 'Type', 'ExceptionData', 'Message'],
  properties: {
    ClassName: { type: 'string' },
    Type: { type: 'string' },
    ExceptionData: {
      type: 'object',
      required: ['Alias', 'Parameters'],
      properties: { Alias: { type: 'string' }, Parameters: { type: 'object' } },
    },
    Message: { type: 'string' },
  },
}
