/** What a process caches of a token never outlives a change, even one that another process made (decision 036). */
import { beforeEach, expect, test, vi } from 'vitest'
import { getConnection } from '@kelisim/domain/integration/calls/connection-contract.ts'
import { revokeToken } from '@kelisim/domain/integration/contract.ts'
import { removeMember } from '@kelisim/domain/portal/contract.ts'
import { castIn, startTestApp } from '../testing.ts'
import { programsOf } from './testing-programs.ts'

const one = await startTestApp()
const other = await startTestApp({ database: one.database })
const { call, database } = one
const { makeToken } = programsOf(one)
const { ask } = programsOf(other)

/** A token of a member that the other process has already admitted. */
async function knownToken() {
  const { people, organizationId } = await castIn(one)
  const { token, secret } = await makeToken(people.owner, organizationId, {
    actsAs: people.author,
    scopes: ['requests.read'],
  })
  for (let i = 0; i < 3; i++) expect((await ask(secret, getConnection, {})).status).toBe(200)
  return { people, organizationId, secret, tokenId: token.id }
}

beforeEach(() => void vi.restoreAllMocks())

test('a call with a known token queries only its version', async () => {
  const { secret } = await knownToken()
  const statements = vi.spyOn(database.pool, 'query')
  expect((await ask(secret, getConnection, {})).status).toBe(200)
  expect(statements.mock.calls.map(([statement]) => (statement as { name?: string }).name)).toEqual([
    'token-versions',
  ])
})

test('a token that was revoked elsewhere is refused at once', async () => {
  const { people, organizationId, secret, tokenId } = await knownToken()
  await call(people.owner, revokeToken, { organizationId, tokenId })
  expect((await ask(secret, getConnection, {})).parameters).toEqual({ reason: 'revoked' })
})

test('a token whose member left, or has to accept another agreement, is refused at once', async () => {
  const left = await knownToken()
  await call(left.people.owner, removeMember, {
    organizationId: left.organizationId,
    userId: left.people.author,
  })
  expect((await ask(left.secret, getConnection, {})).parameters).toEqual({ reason: 'member-left' })
  const late = await knownToken()
  await database.pool.query(`update users set agreement_version = 'older' where id = $1`, [
    late.people.author,
  ])
  expect((await ask(late.secret, getConnection, {})).alias).toBe('agreement-needed')
})

test('a changed name of the organisation or member, and a shorter term, take effect with the next call', async () => {
  const { people, organizationId, secret, tokenId } = await knownToken()
  await database.pool.query(`update organizations set short_name = 'Новое имя' where id = $1`, [
    organizationId,
  ])
  expect((await ask(secret, getConnection, {})).result.organization.name).toBe('Новое имя')
  await database.pool.query(`update users set full_name = 'Новая фамилия' where id = $1`, [people.author])
  expect((await ask(secret, getConnection, {})).result.actsAs.fullName).toBe('Новая фамилия')
  await database.pool.query(`update program_tokens set expires_at = made_at where id = $1`, [tokenId])
  expect((await ask(secret, getConnection, {})).parameters).toEqual({ reason: 'expired' })
})
