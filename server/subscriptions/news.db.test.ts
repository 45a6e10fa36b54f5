import { expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { publicUrl, startTestApp } from '../testing.ts'
import { mailNews } from './news.ts'

const { make, database, time, emails } = await startTestApp()

test('owners get one e-mail about the start and one about the end of a subscription, with several processes', async () => {
  const organizationId = await make.organization(await make.person(), 'ТОО «Алтын Дала»')
  await make.member(organizationId, await make.person())
  const term = { startDate: '2026-11-16', endDate: '2026-11-20', createdAt: time.now }
  await database.write((tx) =>
    tx
      .insertInto('subscriptions')
      .values({ id: newId(), organizationId, nameKey: 'standard', maxSigningRequests: 50, ...term })
      .execute(),
  )
  const queueMail = async (_: unknown, email: (typeof emails)[number]) => void emails.push(email)
  const tell = async (at: string) => {
    const dependencies = { database, queueMail, publicUrl, clock: () => new Date(at) }
    emails.length = 0
    await Promise.all([mailNews(dependencies), mailNews(dependencies)])
    return emails.map(({ subject }) => subject)
  }
  expect(await tell('2026-11-15T18:59:00Z')).toEqual([])
  expect((await tell('2026-11-15T19:01:00Z')).toSorted()).toEqual([
    'ТОО «Алтын Дала»: тариф начал действовать',
    'ТОО «Алтын Дала»: тариф скоро закончится',
  ])
  expect(await tell('2026-11-18T04:00:00Z')).toEqual([])
  expect(await tell('2026-11-21T04:00:00Z')).toEqual(['ТОО «Алтын Дала»: тариф закончился'])
  expect(emails[0]!.paragraphs[0]).toContain('«Стандарт»')
  expect(emails[0]!.paragraphs[0]).toContain('20.11.2026')
})
