/**
 * Makes every call that names an object in an organisation that does not own this object: an object of others must
 * look as if it did not exist, and must not change. The table of calls is generated from the contracts.
 */
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { newId } from '@kelisim/db/id.ts'
import { uploadDocument } from '@kelisim/domain/documents/contract.ts'
import { pathParameters, type Endpoint } from '@kelisim/domain/endpoint.ts'
import { createQuickRequest, createRequest } from '@kelisim/domain/requests/contract.ts'
import { downloadPrepared, getPreparation } from '@kelisim/domain/requests/files-contract.ts'
import { createPackage } from '@kelisim/domain/requests/packages/contract.ts'
import { writeDocument } from '@kelisim/domain/rich-text/contract.ts'
import { startRequestsApp } from './requests/core/testing-requests.ts'
import { allEndpoints } from './testing-contracts.ts'
import { idIn, nameOf, objectNames, surfaceOf, type Identity, type Input } from './testing-surface.ts'
import { worldOf } from './testing-world.ts'

const app = await startRequestsApp()
const ours = await worldOf(app)
const theirs = await worldOf(app)
const { schemaOf, inputs, send } = await surfaceOf(app)
const we: Identity = { person: ours.company.owner, secret: ours.secret }

const table = allEndpoints
  .filter((e) => ['member', 'owner', 'party', 'program'].includes(e.access) && !e.streams)
  .flatMap((e) =>
    objectNames(ours, e, Object.keys(schemaOf(e).properties)).map(
      (name) => [`${nameOf(e)}: ${name}`, e, name] as const,
    ),
  )

/** Here the caller chooses the id of the new object, so that a repeated call creates it only once. */
const chosenByCaller = new Set<string>([
  `${nameOf(uploadDocument)}: documentId`,
  `${nameOf(writeDocument)}: documentId`,
  `${nameOf(createRequest)}: signingRequestId`,
  `${nameOf(createQuickRequest)}: signingRequestId`,
  `${nameOf(createPackage)}: packageId`,
])

/** These find something only at a point that signs inside a PDF; signing-inside.db.test.ts covers them. */
const ofPointsInside: readonly Endpoint[] = [getPreparation, downloadPrepared]

/** An id of the same form that belongs to no object. */
const unknownLike = (id: string) =>
  z.uuid().safeParse(id).success ? newId() : id.split('').toReversed().join('')

/** Input that the contract accepts, with every object of our own. */
function ownInput(e: Endpoint): Input {
  const names = Object.keys(schemaOf(e).properties)
  const own = Object.fromEntries(
    names.flatMap((name) => {
      const id = name === 'organizationId' ? ours.company.organizationId : idIn(ours, e, name)
      return id === undefined ? [] : [[name, id] as const]
    }),
  )
  const fits = fc
    .sample(inputs(e), { numRuns: 300, seed: 19 })
    .map((input) => ({ ...input, ...own, ...firstVersion(names) }))
    .find((input) => e.input.safeParse(input).success)
  return fits ?? own
}

function firstVersion(names: readonly string[]): Input {
  return Object.fromEntries(
    ['version', 'since'].filter((name) => names.includes(name)).map((name) => [name, 1]),
  )
}

/** Everything that the organisation has, as one text for each table. */
async function belongings(organizationId: string): Promise<Record<string, string>> {
  const { rows } = await app.database.pool.query<{ table_name: string }>(
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'organization_id' order by 1`,
  )
  const found: Record<string, string> = {}
  for (const { table_name: name } of rows) {
    const { rows: lines } = await app.database.pool.query<{ all: string }>(
      `select coalesce(string_agg(t::text, '\n' order by t::text), '') as all from ${name} t
       where organization_id = $1`,
      [organizationId],
    )
    found[name] = lines[0]!.all
  }
  return found
}

// The table makes more calls a minute than the rate limit of one person allows.
beforeEach(async () => void (await app.database.pool.query('delete from rate_limits')))

test('the table has a line for every kind of object', () => {
  const names = new Set(table.map(([, e, name]) => idIn(ours, e, name)))
  expect(Object.entries(ours.ids).filter(([, id]) => !names.has(id))).toEqual([])
})

describe('an object of our own organisation is found', () => {
  const readable = table.filter(
    ([, e, name]) =>
      e.method === 'GET' && pathParameters(e.path).includes(name) && !ofPointsInside.includes(e),
  )

  test.each(readable)('%s', async (_, e, name) => {
    const own = await send(we, e, ownInput(e))
    const unknown = await send(we, e, { ...ownInput(e), [name]: unknownLike(idIn(ours, e, name)!) })
    expect(own.status === 200 || own.alias !== unknown.alias, `${own.status} ${own.alias}`).toBe(true)
  })
})

describe('an object of another organisation gets the same response as one that does not exist', async () => {
  // Reading the head appends all events so far to the log, which would otherwise change during the test.
  await app.app.inject('/api/Log/head')
  const before = await belongings(theirs.company.organizationId)

  test.each(table)('%s', async (line, e, name) => {
    const input = ownInput(e)
    const foreign = idIn(theirs, e, name)!
    const unknown = unknownLike(foreign)
    const toForeign = await send(we, e, { ...input, [name]: foreign })
    if (chosenByCaller.has(line)) return expect(toForeign.status).toBeGreaterThanOrEqual(400)
    const toUnknown = await send(we, e, { ...input, [name]: unknown })
    expect([toForeign.status, toForeign.text.replaceAll(foreign, 'ID')]).toEqual([
      toUnknown.status,
      toUnknown.text.replaceAll(unknown, 'ID'),
    ])
  })

  test('no object of the other organisation has changed', async () => {
    expect(await belongings(theirs.company.organizationId)).toEqual(before)
  })
})
