import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { pathParameters } from '@kelisim/domain/endpoint.ts'
import { allEndpoints } from '../testing-contracts.ts'
import { openApi } from './openapi.ts'

type Operation = {
  summary: string
  security: object[]
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: { 'application/json': { schema: { type: string; required: string[] } } } }
  responses: Record<string, { description: string; content: object }>
}
const document = JSON.parse(
  JSON.stringify(openApi(allEndpoints, '0.57.0', new URL('https://kelisim.kz'))),
) as {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

test('the document of the API is OpenAPI 3.1, with the version and address of this installation', () => {
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Kelisim', version: '0.57.0' },
    servers: [{ url: 'https://kelisim.kz' }],
  })
})

describe.each(allEndpoints.map((e) => [`${e.method} ${e.path}`, e] as const))('%s', (_, e) => {
  const operation = document.paths[e.path.replaceAll(/:(\w+)/g, '{$1}')]![e.method.toLowerCase()]!

  test('is described with its parameters, its response and its refusals', () => {
    const inPath = operation.parameters.filter((p) => p.in === 'path')
    expect(inPath.map((p) => p.name)).toEqual(pathParameters(e.path))
    expect(inPath.every((p) => p.required)).toBe(true)
    expect(operation.parameters.every((p) => Object.keys(p.schema).length > 0)).toBe(true)
    expect(operation.summary).not.toBe('')
    const kind = e.givesFile
      ? 'application/octet-stream'
      : e.streams
        ? 'text/event-stream'
        : 'application/json'
    expect(operation.responses['200']!.content).toHaveProperty([kind])
    for (const alias of e.refusals) {
      expect(Object.values(operation.responses).some((r) => r.description.split(', ').includes(alias))).toBe(
        true,
      )
    }
    const scheme = e.access === 'program' ? 'token' : 'session'
    expect(operation.security).toEqual(e.access === 'anyone' ? [] : [{ [scheme]: [] }])
    if (e.method === 'GET') expect(operation.requestBody).toBeUndefined()
  })
})

test('every reference leads to a schema', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
  expect(references.length).toBeGreaterThan(0)
  for (const [, name] of references) expect(document.components.schemas).toHaveProperty(name!)
})

test('no endpoint accepts an integer that the database cannot store', () => {
  const tooLarge = 2 ** 31
  const accepting = allEndpoints.flatMap(({ method, path, input }) =>
    Object.entries('shape' in input ? (input.shape as Record<string, z.ZodMiniType>) : {})
      .filter(([, schema]) => schema.safeParse(tooLarge).data === tooLarge)
      .map(([field]) => `${method} ${path}: ${field}`),
  )
  // Positions in the log have 64 bits.
  expect(accepting.filter((one) => !one.includes('/api/Log/'))).toEqual([])
})
