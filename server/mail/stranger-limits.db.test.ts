import { describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import { landingIssuer } from '@kelisim/domain/identity/own-issuers.ts'
import { strangerLimit } from '@kelisim/domain/mail/stranger-limits.ts'
import { countStrangerEmails, type StrangerEmail } from './stranger-limits.ts'
import { sweepCounts } from './stranger-queries.ts'

const { database } = await testDatabase()
const now = new Date('2026-11-15T06:00:00Z')
const firm = { domain: 'firm.kz', isConfirmed: true }

const from = (to: string, change: Partial<StrangerEmail> = {}): StrangerEmail => ({
  to,
  userId: newId(),
  organizationId: newId(),
  isConfirmed: true,
  ...change,
})
const count = (emails: readonly StrangerEmail[], at = now) =>
  database.write((tx) => countStrangerEmails(tx, emails, at))

describe('the daily limit of e-mails to strangers', () => {
  test('for one address is exact when many send at once, in whatever order they name their recipients', async () => {
    const limit = strangerLimit('address', firm)
    const both = ['busy@firm.kz', 'other@gmail.com']
    const results = await Promise.all(
      Array.from({ length: limit + 12 }, (_, i) =>
        count((i % 2 ? both : both.toReversed()).map((to) => from(to))),
      ),
    )
    const reached = results.map((pair, i) => pair[i % 2 ? 0 : 1]!)
    expect(reached.filter((kind) => kind === null)).toHaveLength(limit)
    expect(new Set(reached)).toEqual(new Set([null, 'address']))
    // A plus tag leads to the same mailbox.
    expect(await count([from('busy+1@firm.kz')])).toEqual(['address'])
  })

  test.each([
    ['one person with many organisations', () => ({ userId: newId() }), 'person-to-address'],
    ['an organisation with many people', () => ({ organizationId: newId() }), 'organization-to-address'],
  ] as const)('for one address leaves a half to others: %s', async (_, make, kind) => {
    const [to, sender] = [`target-${newId()}@gmail.com`, make()]
    const emails = Array.from({ length: strangerLimit('address', firm) }, () => from(to, sender))
    const share = strangerLimit(kind, firm)
    expect((await count(emails)).map((reached) => reached ?? 'sent')).toEqual(
      emails.map((_one, i) => (i < share ? 'sent' : kind)),
    )
    expect(await count([from(to)])).toEqual([null])
  })

  test('for one address counts as one person who sends without an account with keys of many BINs', async () => {
    const to = `target-${newId()}@gmail.com`
    const users = Array.from({ length: strangerLimit('person-to-address', firm) + 1 }, (_, i) => ({
      id: newId(),
      issuer: landingIssuer,
      subject: `900101300017 2601400200${String(i).padStart(2, '0')}`,
      login: '',
      fullName: 'Серікова Айгерім',
      email: '',
      language: 'ru' as const,
      isEmailConfirmed: false,
      iin: null,
      agreementVersion: null,
      agreementAcceptedAt: null,
      createdAt: now,
    }))
    await database.write((tx) => tx.insertInto('users').values(users).execute())
    const reached = await count(users.map(({ id }) => from(to, { userId: id })))
    expect(reached.at(-1)).toBe('person-to-address')
    expect(reached.slice(0, -1)).toEqual(reached.slice(0, -1).map(() => null))
  })

  test('for a person and an organisation without a proved number is small', async () => {
    const sender = { userId: newId(), isConfirmed: false }
    const limit = strangerLimit('person', { ...firm, isConfirmed: false })
    const emails = Array.from({ length: limit + 3 }, (_, i) => from(`p${i}@gmail.com`, sender))
    expect((await count(emails)).filter((kind) => kind === null)).toHaveLength(limit)
    expect(await count([from('more@gmail.com', sender)])).toEqual(['person'])

    const organization = { organizationId: newId(), isConfirmed: false }
    const ofMany = Array.from({ length: limit + 3 }, (_, i) => from(`o${i}@gmail.com`, organization))
    expect((await count(ofMany)).filter((kind) => kind === null)).toHaveLength(limit)
    expect(await count([from('more@gmail.com', organization)])).toEqual(['organization'])
  })

  test('for the domain of a company is reached, for a shared mail service it is not', async () => {
    const limit = strangerLimit('domain', { ...firm, domain: 'target.kz' })
    for (const domain of ['target.kz', 'gmail.com']) {
      const emails = Array.from({ length: limit + 1 }, (_, i) => from(`d${i}@${domain}`))
      expect((await count(emails)).at(-1)).toBe(domain === 'gmail.com' ? null : 'domain')
    }
  })

  test('starts anew at midnight in Kazakhstan, and does not count refused e-mails', async () => {
    const limit = strangerLimit('address', firm)
    const late = new Date('2026-11-15T18:59:00Z')
    const emails = Array.from({ length: limit + 1 }, () => from('night@gmail.com'))
    expect((await count(emails, late)).at(-1)).toBe('address')
    const next = new Date('2026-11-15T19:00:00Z')
    expect(await count([from('night@gmail.com')], next)).toEqual([null])
    await database.write((tx) => sweepCounts(tx, '2026-11-16'))
    const days = await database.db.selectFrom('strangerMailCounts').select('day').distinct().execute()
    expect(days).toEqual([{ day: '2026-11-16' }])
  })
})
