/**
 * Makes every call of the OpenAPI document with generated input, valid and hostile, as an owner, a stranger, a
 * program and an anonymous caller: there must be no internal error and no response that the contract does not name.
 * The seed is fixed, so that a failure can be repeated; `FUZZ_RUNS` and `FUZZ_SEED` search further.
 */
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '@kelisim/db/testing.ts'
import { signOut } from '@kelisim/domain/identity/contract.ts'
import { operatorFor } from './operator/testing-operator.ts'
import { startRequestsApp } from './requests/core/testing-requests.ts'
import { hostile } from './testing-arbitraries.ts'
import { allEndpoints } from './testing-contracts.ts'
import { breachOf, idIn, nameOf, surfaceOf, type Identity, type Input } from './testing-surface.ts'
import { worldOf } from './testing-world.ts'

const numRuns = Number(process.env['FUZZ_RUNS'] ?? 10)
const seed = Number(process.env['FUZZ_SEED'] ?? 19)

const { database, connection } = await testDatabase()
const operators: string[] = []
const app = await startRequestsApp({
  about: { isDemo: true },
  database,
  operator: await operatorFor(connection, operators),
})
const world = await worldOf(app)
const { schemaOf, inputs, send } = await surfaceOf(app)
const stranger = await app.make.person()
const operator = await app.make.person()
operators.push(`${operator}@example.kz`)
const owner: Identity = { person: world.company.owner, secret: world.secret }
const identities = fc.oneof(
  { weight: 6, arbitrary: fc.constant(owner) },
  { weight: 2, arbitrary: fc.constant<Identity>({ person: operator }) },
  { weight: 1, arbitrary: fc.constant<Identity>({ person: stranger }) },
  { weight: 1, arbitrary: fc.constant<Identity>({}) },
)

/** Reads come first, then changes, deletions and at last signing out: each leaves less for the calls after it. */
const places = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE']
// Streams are left out, because an admitted one stays open; they have tests of their own.
const ordered = allEndpoints
  .filter((e) => !e.streams)
  .toSorted(
    (one, other) =>
      Number(one === signOut) - Number(other === signOut) ||
      places.indexOf(one.method) - places.indexOf(other.method),
  )

// These tests make more calls a minute than the rate limit of one caller allows.
beforeEach(async () => void (await database.pool.query('delete from rate_limits')))

describe.each(ordered.map((e, place) => [nameOf(e), e, place] as const))('%s', (_, e, place) => {
  test('responds as its contract says to any input', async () => {
    const names = Object.keys(schemaOf(e).properties)
    // With an id that exists a call gets further than with an invented one.
    const known = Object.fromEntries(
      names.flatMap((name) => {
        if (name === 'organizationId') return [[name, world.company.organizationId] as const]
        const id = idIn(world, e, name)
        return id === undefined ? [] : [[name, id] as const]
      }),
    )
    const changes = fc.array(fc.tuple(fc.constantFrom('', ...names), hostile), { maxLength: 2 })
    const input = fc
      .tuple(inputs(e), fc.subarray(Object.keys(known)), changes, fc.boolean())
      .map(([fits, used, changed, isHostile]): Input => {
        const given = { ...fits, ...Object.fromEntries(used.map((name) => [name, known[name]])) }
        if ('organizationId' in known) given['organizationId'] = known['organizationId']
        return isHostile
          ? { ...given, ...Object.fromEntries(changed.filter(([name]) => name !== '')) }
          : given
      })
    await fc.assert(
      fc.asyncProperty(identities, input, async (who, given) => {
        const response = await send(who, e, given)
        expect(breachOf(e, response), JSON.stringify(given).slice(0, 2000)).toBeUndefined()
      }),
      // Each call has its own seed: with a shared one every call would get the same odd values.
      { numRuns, seed: seed + place, endOnFailure: true },
    )
  })
})
