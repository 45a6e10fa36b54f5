/** Tokens: who makes them, what is stored of them, and whom they admit (docs/product/integration.md#w-02). */
import { describe, expect, test } from 'vitest'
import { day, minute } from '@kelisim/domain/durations.ts'
import { getConnection } from '@kelisim/domain/integration/calls/connection-contract.ts'
import { addToken, getTokens, revokeToken } from '@kelisim/domain/integration/contract.ts'
import { longestTokenLife, mostTokens } from '@kelisim/domain/integration/token.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import {
  getOrganizationEvents,
  previewRemoval,
  removeMember,
  setRoles,
} from '@kelisim/domain/portal/contract.ts'
import { callsPerMinuteOfToken, openAllowances, reservedAtOnce } from '../http/programs/allowances.ts'
import { castIn, startTestApp } from '../testing.ts'
import { programsOf } from './testing-programs.ts'

const lines: string[] = []
const main = await startTestApp({
  http: { logLevel: 'info', logTo: { write: (line) => void lines.push(line) } },
})
const { call, database, time } = main
const { makeToken, ask } = programsOf(main)

describe('a token', () => {
  test('is shown once, stored as a hash, and not logged', async () => {
    const { people, organizationId } = await castIn(main)
    const { token, secret } = await makeToken(people.owner, organizationId, { addresses: ['127.0.0.0/8'] })
    expect(secret).toMatch(/^kls_[A-Za-z0-9_-]{43}$/)
    expect(token).toMatchObject({
      ending: secret.slice(-4),
      state: 'valid',
      validUntil: '2027-05-31',
      lastUsedAt: null,
    })
    expect((await ask(secret, getConnection, {})).status).toBe(200)
    expect(
      (await ask(`${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`, getConnection, {})).alias,
    ).toBe('token-not-accepted')
    const list = await call(people.owner, getTokens, { organizationId, skip: 0, take: 10 })
    expect(JSON.stringify(list.result)).not.toContain(secret)
    const { rows } = await database.pool.query<{ all: string }>('select t::text as all from program_tokens t')
    expect(rows.map((row) => row.all).join()).not.toContain(secret)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('')).not.toContain(secret.slice(0, 20))
  })

  test('shows for whom it acts and what it may do', async () => {
    const { people, organizationId } = await castIn(main)
    const { secret } = await makeToken(people.owner, organizationId, {
      actsAs: people.author,
      scopes: ['requests.read', 'requests.read'],
      name: '1С',
    })
    const { result } = await ask(secret, getConnection, {})
    expect(result).toMatchObject({
      organization: { id: organizationId, isConfirmed: false },
      actsAs: { id: people.author, fullName: 'Автор' },
      token: { name: '1С', scopes: ['requests.read'], expiresAt: '2027-05-31T19:00:00.000Z' },
    })
  })

  test('remembers when and from where it was used last', async () => {
    const { people, organizationId } = await castIn(main)
    const { secret } = await makeToken(people.owner, organizationId)
    await ask(secret, getConnection, {}, { address: '203.0.113.7' })
    const seen = async () =>
      (await call(people.owner, getTokens, { organizationId, skip: 0, take: 10 })).result.items[0]
    expect(await seen()).toMatchObject({ lastUsedAt: time.now.toISOString(), lastUsedAddress: '203.0.113.7' })
    const before = time.now
    await main.travel(new Date(before.getTime() + 2 * minute))
    await ask(secret, getConnection, {}, { address: '203.0.113.8' })
    expect(await seen()).toMatchObject({ lastUsedAt: time.now.toISOString(), lastUsedAddress: '203.0.113.8' })
    await main.travel(before)
  })

  test('is made and revoked by owners only, and the history of the organisation says who did', async () => {
    const { people, organizationId } = await castIn(main)
    const given = {
      organizationId,
      name: 'x',
      actsAs: people.author,
      scopes: ['requests.read' as const],
      validUntil: '2027-01-01',
    }
    expect((await call(people.author, addToken, given)).status).toBe(403)
    const { token } = await makeToken(people.owner, organizationId, { name: 'Архив' })
    expect((await call(people.author, revokeToken, { organizationId, tokenId: token.id })).status).toBe(403)
    await call(people.owner, revokeToken, { organizationId, tokenId: token.id })
    await call(people.owner, revokeToken, { organizationId, tokenId: token.id })
    const { result } = await call(people.owner, getOrganizationEvents, { organizationId, skip: 0, take: 10 })
    expect(result.items.map(({ type, subject, by }) => [type, subject, by])).toEqual([
      ['token-revoked', 'Архив', 'Владелец'],
      ['token-made', 'Архив', 'Владелец'],
    ])
  })

  test('in the name of a colleague is announced to them by e-mail; one in the own name is not announced', async () => {
    const { people, organizationId } = await castIn(main)
    const confirmed = (at: Date | null) =>
      database.pool.query('update organizations set confirmed_at = $2 where id = $1', [organizationId, at])
    await confirmed(time.now)
    const before = main.emails.length
    await makeToken(people.owner, organizationId, { name: 'Своя' })
    expect(main.emails).toHaveLength(before)
    await makeToken(people.owner, organizationId, {
      name: '<b>1С</b>',
      actsAs: people.author,
      scopes: ['requests.read'],
    })
    const [mail, ...others] = main.emails.slice(before)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      to: `${people.author}@example.kz`,
      subject: 'Программа действует от вашего имени',
      quotes: [{ label: 'Программа', text: '<b>1С</b>' }],
    })
    expect(mail!.paragraphs.join(' ')).toContain('Владелец')
    // An organisation that has proved nothing cannot send its own words by these e-mails.
    await confirmed(null)
    await makeToken(people.owner, organizationId, {
      name: 'Выплата: напишите нам',
      actsAs: people.author,
      scopes: ['requests.read'],
    })
    expect(JSON.stringify(main.emails.at(-1))).not.toContain('Выплата')
  })

  test('of another organisation is not found', async () => {
    const { people, organizationId, elsewhere } = await castIn(main)
    const { token } = await makeToken(people.stranger, elsewhere)
    const refused = await call(people.owner, revokeToken, { organizationId, tokenId: token.id })
    expect(refused.error.ExceptionData.Alias).toBe('token-not-found')
  })

  test('acts for members only, for a year at most, and submits signatures only in the name of its maker', async () => {
    const { people, organizationId } = await castIn(main)
    const made = async (given: object) => {
      const valid = {
        organizationId,
        name: 'x',
        actsAs: people.author,
        scopes: ['requests.read' as const],
        validUntil: '2027-01-01',
      }
      const { status, error } = await call(people.owner, addToken, { ...valid, ...given })
      return status === 200 ? 'made' : error.ExceptionData.Alias
    }
    expect(await made({})).toBe('made')
    expect(await made({ actsAs: people.stranger })).toBe('user-not-found')
    expect(
      await made({ validUntil: dateInAlmaty(new Date(time.now.getTime() + longestTokenLife + day)) }),
    ).toBe('token-term-not-allowed')
    expect(await made({ validUntil: '2026-11-14' })).toBe('token-term-not-allowed')
    expect(await made({ scopes: ['requests.sign'] })).toBe('token-signs-for-another')
    expect(await made({ scopes: [] })).toBe('validation-failure')
    expect(await made({ scopes: ['everything'] })).toBe('validation-failure')
    expect(await made({ addresses: ['10.0.0.1/8'] })).toBe('validation-failure')
  })

  test('cannot be made over the limit of an organisation', async () => {
    const { people, organizationId } = await castIn(main)
    const { token } = await makeToken(people.owner, organizationId)
    await database.pool.query(
      `insert into program_tokens (id, organization_id, name, token_hash, ending, acts_as, scopes, addresses, expires_at, made_by, made_at)
       select gen_random_uuid(), organization_id, name, sha256(n::text::bytea), ending, acts_as, scopes, addresses, expires_at, made_by, made_at
       from program_tokens, generate_series(1, $2::integer) n where id = $1`,
      [token.id, mostTokens - 1],
    )
    await expect(makeToken(people.owner, organizationId)).rejects.toThrow('too-many-tokens')
    await call(people.owner, revokeToken, { organizationId, tokenId: token.id })
    expect((await makeToken(people.owner, organizationId)).token.state).toBe('valid')
  })
})

describe('a call is refused with', () => {
  test('no token, a session instead of a token, or a malformed one', async () => {
    const { people } = await castIn(main)
    const cookie = `session=${await main.tokenOf(people.owner)}`
    for (const headers of [
      {},
      { cookie },
      { authorization: 'Bearer x' },
      { authorization: `Basic ${'x'.repeat(43)}` },
    ]) {
      const refused = await ask(null, getConnection, {}, { headers })
      expect([refused.status, refused.alias]).toEqual([401, 'token-not-accepted'])
    }
  })

  test('a revoked and an expired token', async () => {
    const { people, organizationId } = await castIn(main)
    const { token, secret } = await makeToken(people.owner, organizationId, { validUntil: '2026-11-20' })
    const before = time.now
    await main.travel(new Date('2026-11-20T18:59:59.999Z'))
    expect((await ask(secret, getConnection, {})).status).toBe(200)
    await main.travel(new Date('2026-11-20T19:00:00Z'))
    const late = await ask(secret, getConnection, {})
    expect([late.status, late.parameters]).toEqual([401, { reason: 'expired' }])
    await main.travel(before)
    await call(people.owner, revokeToken, { organizationId, tokenId: token.id })
    const revoked = await ask(secret, getConnection, {})
    expect([revoked.status, revoked.parameters]).toEqual([401, { reason: 'revoked' }])
  })

  test('a token made by a former owner, who has seen its secret', async () => {
    const { people, organizationId } = await castIn(main)
    const { owner, author } = people
    const change = { organizationId, userId: author }
    const makeOwner = (roles: 1 | 3) => call(owner, setRoles, { ...change, roles })
    for (const end of [() => makeOwner(1), () => call(owner, removeMember, change)]) {
      await makeOwner(3)
      const { secret } = await makeToken(author, organizationId, {
        actsAs: owner,
        scopes: ['requests.read'],
        name: 'Склад',
      })
      const { secret: ours } = await makeToken(owner, organizationId)
      const preview = await call(owner, previewRemoval, { ...change, skip: 0, take: 10 })
      expect(preview.result.programs).toEqual(['Склад'])
      expect((await ask(secret, getConnection, {})).status).toBe(200)
      await end()
      const ended = await ask(secret, getConnection, {})
      expect([ended.status, ended.parameters]).toEqual([401, { reason: 'revoked' }])
      expect((await ask(ours, getConnection, {})).status).toBe(200)
      const events = await call(owner, getOrganizationEvents, { organizationId, skip: 0, take: 10 })
      expect(events.result.items.map(({ type, subject }) => [type, subject])).toContainEqual([
        'token-revoked',
        'Склад',
      ])
    }
  })

  test('a token whose member has left the organisation', async () => {
    const { people, organizationId } = await castIn(main)
    const { secret } = await makeToken(people.owner, organizationId, {
      actsAs: people.author,
      scopes: ['requests.read'],
    })
    await call(people.author, removeMember, { organizationId, userId: people.author })
    const left = await ask(secret, getConnection, {})
    expect([left.status, left.parameters]).toEqual([401, { reason: 'member-left' }])
    const { items } = (await call(people.owner, getTokens, { organizationId, skip: 0, take: 10 })).result
    expect(items[0]?.state).toBe('member-left')
  })

  test('a token whose member has not accepted the agreement', async () => {
    const { people, organizationId } = await castIn(main)
    const { secret } = await makeToken(people.owner, organizationId, {
      actsAs: people.author,
      scopes: ['requests.read'],
    })
    await database.pool.query(
      'update users set agreement_version = null, agreement_accepted_at = null where id = $1',
      [people.author],
    )
    expect((await ask(secret, getConnection, {})).alias).toBe('agreement-needed')
  })

  test('an IP address that the token does not allow', async () => {
    const { people, organizationId } = await castIn(main)
    const { secret } = await makeToken(people.owner, organizationId, {
      addresses: ['203.0.113.0/28', '2a00:1450::/32'],
    })
    expect((await ask(secret, getConnection, {}, { address: '203.0.113.15' })).status).toBe(200)
    expect((await ask(secret, getConnection, {}, { address: '2a00:1450::7' })).status).toBe(200)
    const refused = await ask(secret, getConnection, {}, { address: '203.0.113.16' })
    expect([refused.status, refused.alias]).toEqual([403, 'token-address-not-allowed'])
  })
})

describe('IP addresses behind a proxy', () => {
  test('are those that our own proxies report, never those claimed by the caller', async () => {
    const { people, organizationId } = await castIn(main)
    const { secret } = await makeToken(people.owner, organizationId, { addresses: ['203.0.113.7'] })
    const forwarded = (chain: string) => ({ headers: { 'x-forwarded-for': chain }, address: '10.0.0.1' })
    expect((await ask(secret, getConnection, {}, forwarded('203.0.113.7'))).alias).toBe(
      'token-address-not-allowed',
    )
    const behindOne = await startTestApp({ database, http: { trustProxy: 1 } })
    const proxied = programsOf(behindOne).ask
    expect((await proxied(secret, getConnection, {}, forwarded('203.0.113.7'))).status).toBe(200)
    expect((await proxied(secret, getConnection, {}, forwarded('203.0.113.7, 198.51.100.9'))).alias).toBe(
      'token-address-not-allowed',
    )
    for (const header of ['x-real-ip', 'forwarded', 'x-client-ip', 'true-client-ip']) {
      const spoofed = { headers: { [header]: '203.0.113.7' }, address: '198.51.100.9' }
      expect((await proxied(secret, getConnection, {}, spoofed)).alias).toBe('token-address-not-allowed')
    }
  })
})

describe('too many calls', () => {
  test('are refused with the time to wait, by whichever process they reach', async () => {
    const { people, organizationId } = await castIn(main)
    const { secret } = await makeToken(people.owner, organizationId)
    const other = await makeToken(people.owner, organizationId)
    let refused = await ask(secret, getConnection, {})
    let accepted = 0
    for (; refused.status === 200; accepted++) refused = await ask(secret, getConnection, {})
    expect(accepted).toBe(callsPerMinuteOfToken)
    expect([refused.status, refused.alias]).toEqual([429, 'too-many-requests'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await ask(other.secret, getConnection, {})).status).toBe(200)
    const second = await startTestApp({ database })
    const again = await programsOf(second).ask(secret, getConnection, {})
    expect([again.status, again.alias]).toEqual([429, 'too-many-requests'])
  }, 60_000)

  test('are counted without an SQL statement for most calls, and a reservation ends with its minute', async () => {
    const reserved: number[] = []
    const clock = { now: 0 }
    const size = reservedAtOnce(1200)
    const spend = openAllowances(
      async (_, calls) => void reserved.push(calls),
      1200,
      () => new Date(clock.now),
    )
    await Promise.all(Array.from({ length: size }, () => spend('a')))
    expect(reserved).toEqual([size])
    await spend('a')
    expect(reserved).toHaveLength(2)
    clock.now += minute
    await spend('a')
    expect(reserved).toHaveLength(3)
  })

  test('are refused exactly at a small limit, with any number of processes', async () => {
    const limit = 10
    let left = limit
    const reserve = async (_: string, calls: number) => {
      if (calls > left) throw new Error('used up')
      left -= calls
    }
    const processes = Array.from({ length: 4 }, () => openAllowances(reserve, limit, () => new Date(0)))
    const spent = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => processes[i % 4]!('a')))
    expect(spent.filter(({ status }) => status === 'fulfilled')).toHaveLength(limit)
    expect(left).toBe(0)
  })
})
