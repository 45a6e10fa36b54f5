/** A day after a signature was accepted the centre is asked again; the decision stays. */
import { beforeEach, expect, test } from 'vitest'
import type { Email } from '@kelisim/domain/mail/email.ts'
import { checksIn } from '../../identity/testing-signers.ts'
import { publicUrl } from '../../testing.ts'
import { recheckSignatures } from './rechecks.ts'
import { actingIn, startRequestsApp } from '../core/testing-requests.ts'

const app = await startRequestsApp()
const { centre, nation, database, time, travel } = app
const { signAt } = actingIn(app)
const company = await app.company()
const employee = { id: company.employee, organizationId: company.organizationId }
const route = await company.route(await company.point('CompanyInternalSign'))
const hour = 60 * 60 * 1000
const later = (hours: number) => travel(new Date(time.now.getTime() + hours * hour))

const emails: Email[] = []
const recheck = () =>
  recheckSignatures({
    database,
    publicUrl,
    check: checksIn(nation, centre),
    clock: () => time.now,
    queueMail: async (_, email) => void emails.push(email),
  })

beforeEach(() => {
  centre.answer = 'good'
  emails.length = 0
})

async function accepted() {
  const { result } = await company.send(route, { name: 'Договор поставки' })
  await signAt(employee, result, 'CompanyInternalSign', company.stamp)
  const signature = await database.db
    .selectFrom('requestSignatures')
    .select(['id', 'state', 'verdict'])
    .where('requestId', '=', result.id)
    .executeTakeFirstOrThrow()
  expect(signature.state).toBe('accepted')
  return signature
}

const noted = (signatureId: string) =>
  database.db
    .selectFrom('signatureRechecks')
    .selectAll()
    .where('signatureId', '=', signatureId)
    .executeTakeFirst()

test('a valid certificate is re-checked once, after a day', async () => {
  const { id } = await accepted()
  await later(23)
  await recheck()
  expect(await noted(id)).toBeUndefined()
  await later(2)
  await Promise.all([recheck(), recheck()])
  expect(await noted(id)).toMatchObject({ outcome: 'good', revokedAt: null })
  expect(emails).toEqual([])
})

test('if the certificate was revoked before signing, the author is notified once and the verdict stays', async () => {
  const { id, verdict } = await accepted()
  const revokedAt = new Date(time.now.getTime() - hour)
  await later(25)
  centre.answer = { revokedAt }
  await Promise.all([recheck(), recheck()])
  await recheck()
  expect(await noted(id)).toMatchObject({ outcome: 'revoked-before', revokedAt })
  expect(emails).toHaveLength(1)
  expect(emails[0]!.subject).toBe('Договор поставки: сертификат подписавшего был отозван')
  const after = await database.db
    .selectFrom('requestSignatures')
    .select(['state', 'verdict'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(after).toEqual({ state: 'accepted', verdict })
})

test('a certificate revoked after signing causes no notification', async () => {
  const { id } = await accepted()
  await later(25)
  centre.answer = { revokedAt: new Date(time.now.getTime() - hour) }
  await recheck()
  expect(await noted(id)).toMatchObject({ outcome: 'revoked-later' })
  expect(emails).toEqual([])
})

test('a re-check is retried while the centre is unavailable, and given up after eight tries', async () => {
  const { id } = await accepted()
  await later(25)
  centre.answer = undefined
  await recheck()
  expect(await noted(id)).toMatchObject({ outcome: null, tries: 1 })
  await recheck()
  expect(await noted(id)).toMatchObject({ tries: 1 })
  for (let i = 0; i < 9; i++) {
    await later(25)
    await recheck()
  }
  expect(await noted(id)).toMatchObject({ outcome: 'unknown', tries: 8, nextTryAt: null })
})
