/** The API document of programs: complete, with an example of each call, and every example runs. */
import { describe, expect, test } from 'vitest'
import { addTemplate } from '@kelisim/domain/rich-text/contract.ts'
import { addDocumentKind, addJournal } from '@kelisim/domain/registers/contract.ts'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import {
  exampleBins,
  exampleCursor,
  exampleIds,
  examples,
  exampleSignature,
} from '@kelisim/domain/integration/calls/examples.ts'
import {
  getChanges,
  getProgramRequest,
  sendByRoute,
} from '@kelisim/domain/integration/calls/requests-contract.ts'
import { uploadProgramDocument } from '@kelisim/domain/integration/calls/documents-contract.ts'
import { goodPdf } from '../documents/testing-corpus.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'
import { allEndpoints } from '../testing-contracts.ts'
import { programsOf } from './testing-programs.ts'

// Directories use SCIM, which has a description of its own.
const ofPrograms = allEndpoints.filter(({ access, protocol }) => access === 'program' && !protocol)

test('every call of programs has an example that fits its contract, and a scope', () => {
  expect(examples.map(({ call }) => call.path + call.method).toSorted()).toEqual(
    ofPrograms.map(({ path, method }) => path + method).toSorted(),
  )
  for (const { call, input, result } of examples) {
    expect(call.input.safeParse(input).error?.issues, call.path).toBeUndefined()
    if (call.givesFile) expect(result).toBeNull()
    else expect(call.result.safeParse(result).error?.issues, call.path).toBeUndefined()
    expect(call.scope !== undefined || call.path === '/api/v1/connection', call.path).toBe(true)
  }
})

const app = await startRequestsApp()
const { makeToken, ask } = programsOf(app)
const { look, signAt, signatureOf } = actingIn(app)
const ours = await app.company()
const theirs = await app.company()

type Operation = {
  operationId: string
  security: object[]
  parameters: { name: string; in: string; example?: unknown }[]
  requestBody?: { content: Record<string, { example?: object }> }
  responses: Record<string, { content: Record<string, { example?: unknown }> }>
}

describe('the OpenAPI document of programs', async () => {
  const response = await app.app.inject('/api/v1/openapi.json')
  const document = response.json<{ openapi: string; paths: Record<string, Record<string, Operation>> }>()
  const operations = Object.values(document.paths).flatMap((methods) => Object.entries(methods))

  test('is public, has version 3.1, and lists the calls of programs and no others', () => {
    expect([response.statusCode, document.openapi]).toEqual([200, '3.1.0'])
    expect(operations).toHaveLength(ofPrograms.length)
    expect(Object.keys(document.paths).every((path) => path.startsWith('/api/v1/'))).toBe(true)
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length)
  })

  test('shows the request and the response of each call', () => {
    for (const [method, { security, parameters, requestBody, responses, operationId }] of operations) {
      expect(security).toEqual([{ token: [] }])
      const json = responses['200']!.content['application/json']
      if (json) expect(json.example, operationId).toBeDefined()
      const isKeyed = parameters.some(({ name }) => name === 'Idempotency-Key')
      expect(isKeyed, operationId).toBe(method !== 'get')
      for (const parameter of parameters.filter((one) => one.in === 'path')) {
        expect(parameter.example, operationId).toBeDefined()
      }
      const body = requestBody?.content['application/json']
      if (body) expect(Object.keys(body.example ?? {}).length, operationId).toBeGreaterThan(0)
    }
  })
})

/** A world in which everything named by the examples exists; their ids are replaced by its ids. */
async function world() {
  const { secret } = await makeToken(ours.owner, ours.organizationId)
  const group = await ours.group('Директор', ours.owner)
  const route = await ours.route(await ours.point('CompanyInternalSign', { groupId: group }))
  const both = await ours.route(
    await ours.point('CompanyInternalSign', { groupId: group }),
    await ours.point('ExternalSign', { bin: theirs.bin, emails: ['partner@example.kz'] }),
  )
  const { result: template } = await app.call(ours.owner, addTemplate, {
    organizationId: ours.organizationId,
    param: 'new',
    name: 'Договор поставки',
    template: '<p>На <span data-variable="Сумма" data-kind="number">Сумма</span> тенге</p>',
    language: 'ru',
  })
  const { organizationId } = ours
  const { result: journal } = await app.call(ours.owner, addJournal, {
    organizationId,
    name: 'Исходящие',
    direction: 'outgoing',
    prefix: 'ИСХ-',
    yearPlace: 'after',
    width: 4,
    firstNumber: 1,
  })
  const { result: kind } = await app.call(ours.owner, addDocumentKind, {
    organizationId,
    name: 'Договор',
    journalId: journal.id,
    registersAtSending: false,
  })
  const file = Buffer.from(goodPdf)
  const { result: document } = await ask(secret, uploadProgramDocument, { name: 'Договор.pdf' }, { file })
  const beginning = await ask(secret, getChanges, {})
  const { result: outgoing } = await ask(secret, sendByRoute, {
    documentId: document.id,
    routeId: route,
    name: 'Договор',
  })

  // Each side has one key, which belongs to its owner.
  const us = { id: ours.owner, organizationId: ours.organizationId }
  const them = { id: theirs.owner, organizationId: theirs.organizationId }
  const { result: contract } = await ours.send(both, {}, ours.owner)
  await signAt(us, contract, 'CompanyInternalSign', ours.stamp)
  await signAt(them, (await look(them, contract.id)).result, 'ExternalSign', theirs.stamp)
  const signed = await ask(secret, getProgramRequest, { requestId: contract.id })

  const theirRoute = await theirs.route(
    await theirs.point('CompanyInternalSign', { groupId: await theirs.group('Директор', theirs.owner) }),
    await theirs.point('ExternalSign', { bin: ours.bin, emails: ['us@example.kz'] }),
  )
  const { result: incoming } = await theirs.send(theirRoute)
  await signAt(them, incoming, 'CompanyInternalSign', theirs.stamp)
  const toSign = await ask(secret, getProgramRequest, { requestId: incoming.id })
  const ids: Record<string, string> = {
    [exampleIds.organization]: ours.organizationId,
    [exampleIds.group]: group,
    [exampleIds.route]: route,
    [exampleIds.template]: template.id,
    [exampleIds.journal]: journal.id,
    [exampleIds.kind]: kind.id,
    [exampleIds.document]: document.id,
    [exampleIds.outgoing]: outgoing.id,
    [exampleIds.signed]: contract.id,
    [exampleIds.signature]: signed.result.points.at(-1)!.signatures[0]!.id,
    [exampleIds.incoming]: incoming.id,
    [exampleIds.incomingPoint]: toSign.result.awaitsSignatureAt[0]!,
    [exampleBins.counterparty]: theirs.bin,
    [exampleCursor]: beginning.result.cursor,
    [exampleSignature]: await signatureOf(ours.stamp),
  }
  const inWorld = (input: object) =>
    JSON.parse(
      Object.entries(ids).reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(input)),
    ) as Record<string, never>
  return { secret, inWorld, file }
}

/**
 * The names of the fields, also those of the first items of lists, where `other` has items to compare them with. Fields
 * of items may be null in either.
 */
function shape(value: unknown, other: unknown, isItem = false): unknown {
  if (Array.isArray(value)) {
    const isComparable = Array.isArray(other) && value.length > 0 && other.length > 0
    return isComparable ? [shape(value[0], other[0], true)] : 'list'
  }
  if (typeof value !== 'object' || value === null) return 'value'
  const others = Object(other) as Record<string, unknown>
  const isValue = (name: string, inner: unknown) => inner === null || (isItem && others[name] === null)
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, inner]) => [name, isValue(name, inner) ? 'value' : shape(inner, others[name], isItem)]),
  )
}

test('every example works, and its response has the shape in the document', async () => {
  const { secret, inWorld, file } = await world()
  for (const { call, input, result } of examples) {
    const answer = await ask(
      secret,
      call as Endpoint<'program'>,
      inWorld(input),
      call.takesFile ? { file } : {},
    )
    expect(answer.status, `${call.method} ${call.path}: ${answer.text.slice(0, 300)}`).toBe(200)
    if (call.givesFile) expect(answer.bytes.length).toBeGreaterThan(0)
    else expect(shape(answer.result, result), call.path).toEqual(shape(result, answer.result))
  }
}, 120_000)
