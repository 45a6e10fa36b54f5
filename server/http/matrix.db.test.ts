/** Every endpoint called by every kind of caller. */
import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import { fillPath, pathParameters, type Access, type Endpoint } from '@kelisim/domain/endpoint.ts'
import type { ErrorBody } from '@kelisim/domain/errors.ts'
import { getCard } from '@kelisim/domain/portal/contract.ts'
import { allEndpoints } from '../testing-contracts.ts'
import { operatorFor } from '../operator/testing-operator.ts'
import { aliasIn } from '../testing-surface.ts'
import { publicUrl, startTestApp } from '../testing.ts'

const { database, connection } = await testDatabase()
const operators: string[] = []
const { app, call, make, tokenOf } = await startTestApp({
  about: { isDemo: true },
  database,
  operator: await operatorFor(connection, operators),
})

async function attempt(personId: string | null, e: Endpoint, given: Record<string, string>) {
  const values: Record<string, unknown> = { skip: 0, take: 10, token: 'x'.repeat(43), ...given }
  for (const name of pathParameters(e.path)) values[name] ??= newId()
  const response = await app.inject({
    method: e.method,
    url: fillPath(e.path, values).path,
    ...(e.method !== 'GET' && { payload: {} }),
    // An accepted stream would stay open, so it is requested for a signing request that nobody may see.
    ...(e.streams && { query: { signingRequestId: newId() } }),
    headers: { origin: publicUrl.origin, ...(personId && { cookie: `session=${await tokenOf(personId)}` }) },
  })
  const isFile = e.givesFile && response.statusCode === 200
  const body: Partial<ErrorBody> = isFile ? {} : response.json()
  return { status: response.statusCode, body, alias: aliasIn(body) }
}

/** The expected refusal for each kind of access; null: the caller is admitted, whatever the handler returns. */
const door: Record<string, Record<Exclude<Access, 'party'>, string | null>> = {
  nobody: {
    anyone: null,
    recipient: 'not-signed-in',
    user: 'not-signed-in',
    member: 'not-signed-in',
    owner: 'not-signed-in',
    operator: 'not-signed-in',
    program: 'token-not-accepted',
  },
  outsider: {
    anyone: null,
    recipient: null,
    user: 'account-needed',
    member: 'account-needed',
    owner: 'account-needed',
    operator: 'page-not-found',
    program: 'token-not-accepted',
  },
  stranger: {
    anyone: null,
    recipient: null,
    user: null,
    member: 'organization-not-yours',
    owner: 'organization-not-yours',
    operator: 'page-not-found',
    program: 'token-not-accepted',
  },
  'member of another organisation': {
    anyone: null,
    recipient: null,
    user: null,
    member: 'organization-not-yours',
    owner: 'organization-not-yours',
    operator: 'page-not-found',
    program: 'token-not-accepted',
  },
  employee: {
    anyone: null,
    recipient: null,
    user: null,
    member: null,
    owner: 'not-enough-permissions',
    operator: 'page-not-found',
    program: 'token-not-accepted',
  },
  owner: {
    anyone: null,
    recipient: null,
    user: null,
    member: null,
    owner: null,
    operator: 'page-not-found',
    program: 'token-not-accepted',
  },
  operator: {
    anyone: null,
    recipient: null,
    user: null,
    operator: null,
    program: 'token-not-accepted',
    member: 'organization-not-yours',
    owner: 'organization-not-yours',
  },
}
const doorAliases = [
  'not-signed-in',
  'account-needed',
  'organization-not-yours',
  'not-enough-permissions',
  'token-not-accepted',
  'unexpected-error',
]

async function cast() {
  const [owner, employee, stranger, other, operator] = [
    await make.person(),
    await make.person(),
    await make.person(),
    await make.person(),
    await make.person(),
  ] as const
  operators.push(`${operator}@example.kz`)
  const organizationId = await make.organization(owner)
  await make.member(organizationId, employee)
  await make.organization(other)
  // Knowing the organisation's number gives somebody without an account no access to it.
  const { bin } = (await call(owner, getCard, { organizationId })).result
  const outsider = await make.outsider('900101300123', bin)
  const people = {
    nobody: null,
    outsider,
    stranger,
    'member of another organisation': other,
    employee,
    owner,
    operator,
  }
  return { people, organizationId }
}

/**
 * The people of the test. Reading and refused calls change nothing, so the same people are used until one of them is
 * admitted to change something.
 */
let present: Awaited<ReturnType<typeof cast>> | null = null

describe.each(allEndpoints.map((e) => [`${e.method} ${e.path}`, e] as const))('%s', (_, e) => {
  test(`is for ${e.access} and lets nobody else in`, async () => {
    for (const [who, expected] of Object.entries(door)) {
      const { people, organizationId } = (present ??= await cast())
      const personId = people[who as keyof typeof people]
      // Anyone may leave an organisation: a member may remove only themselves.
      const { alias } = await attempt(personId, e, { organizationId, ...(personId && { userId: personId }) })
      // A party that names an organisation must be a member of it.
      const barred = expected[e.access === 'party' ? 'member' : e.access]
      if (barred === null && e.method !== 'GET') present = null
      if (barred === null) expect(doorAliases, who).not.toContain(alias)
      else expect(alias, who).toBe(barred)
    }
  })
})

const ofOrganizations = allEndpoints.filter((e) => e.path.includes(':organizationId'))

describe('a foreign organisation gets the same response as one that does not exist, or as a malformed id', async () => {
  const { people, organizationId } = await cast()

  test.each(ofOrganizations.map((e) => [`${e.method} ${e.path}`, e] as const))('%s', async (_, e) => {
    const unknown = newId()
    const foreign = await attempt(people.stranger, e, { organizationId })
    const missing = await attempt(people.stranger, e, { organizationId: unknown })
    const asText = (body: object, id: string) => JSON.stringify(body).replaceAll(id, 'ID')
    expect(foreign.status).toBe(403)
    expect(asText(foreign.body, organizationId)).toBe(asText(missing.body, unknown))
    for (const wrong of ['x', "' or 1=1 --", '\u0000']) {
      const answer = await attempt(people.stranger, e, { organizationId: wrong })
      expect(answer.alias, wrong).toBe('organization-not-yours')
    }
  })

  test.each([
    '0',
    'A'.repeat(36),
    '{01a1dd30-7646-7c69-beec-983c1b9df5c7}',
    '01a1dd3076467c69beec983c1b9df5c7',
    'ұ',
    '😀',
    '%',
  ])('%s', async (wrong) => {
    const answer = await attempt(people.owner, getCard, { organizationId: wrong })
    expect(answer.alias).toBe('organization-not-yours')
  })
})

type Documented = Record<string, Record<string, { responses: Record<string, { description: string }> }>>
const { paths: documented } = (await app.inject('/api/openapi.json')).json<{ paths: Documented }>()

test('the document of the API lists every endpoint of the contract, and no other', async () => {
  const listed = Object.entries(documented).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  expect(listed.toSorted()).toEqual(allEndpoints.map((e) => `${e.method} ${e.path}`).toSorted())
})

describe('a part of an address that is too long or cannot be decoded is refused as the document of the API says', () => {
  const withParts = allEndpoints.flatMap((e) => pathParameters(e.path).map((name) => [e, name] as const))

  test.each(withParts.map(([e, name]) => [`${e.method} ${e.path}`, name, e] as const))(
    '%s: %s',
    async (_, name, e) => {
      const { responses } = documented[e.path.replaceAll(/:(\w+)/g, '{$1}')]![e.method.toLowerCase()]!
      for (const part of ['x'.repeat(201), '%ff', '%zz', '%']) {
        const values = Object.fromEntries(pathParameters(e.path).map((one) => [one, newId()]))
        const url = fillPath(e.path, { ...values, [name]: 'PART' }).path.replace('PART', part)
        const response = await app.inject({
          method: e.method,
          url,
          ...(e.method !== 'GET' && { payload: {} }),
          headers: { origin: publicUrl.origin },
        })
        const alias = response.json<ErrorBody>().ExceptionData.Alias
        const aliases = responses[response.statusCode]?.description.split(', ') ?? []
        expect(aliases, `${url}: ${response.statusCode} ${alias}`).toContain(alias)
      }
    },
  )
})

test('outside the demo there is no mailbox', async () => {
  const real = await startTestApp({ about: { isDemo: false } })
  expect((await real.app.inject('/api/demo/mails/0/10')).statusCode).toBe(404)
  expect((await real.app.inject(`/api/demo/mails/${newId()}/html`)).statusCode).toBe(404)
})
