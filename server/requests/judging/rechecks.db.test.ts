/** A day after a signature was accepted the centre is asked once more; what was decided stays. */
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

const letters: Email[] = []
const recheck = () =>
  recheckSignatures({
    database,
    publicUrl,
    check: checksIn(nation, centre),
    clock: () => time.now,
    queueMail: async (_, letter) => void letters.push(letter),
  })

beforeEach(() => {
  centre.answer = 'good'
  letters.length = 0
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

test('one that is still good is asked about once, not before its time', async () => {
  const { id } = await accepted()
  await later(23)
  await recheck()
  expect(await noted(id)).toBeUndefined()
  await later(2)
  await Promise.all([recheck(), recheck()])
  expect(await noted(id)).toMatchObject({ outcome: 'good', revokedAt: null })
  expect(letters).toEqual([])
})

test('revoked before it signed: the author is told once, the verdict is not touched', async () => {
  const { id, verdict } = await accepted()
  const revokedAt = new Date(time.now.getTime() - hour)
  await later(25)
  centre.answer = { revokedAt }
  await Promise.all([recheck(), recheck()])
  await recheck()
  expect(await noted(id)).toMatchObject({ outcome: 'revoked-before', revokedAt })
  expect(letters).toHaveLength(1)
  expect(letters[0]!.subject).toBe('Договор поставки: сертификат подписавшего был отозван')
  const after = await database.db
    .selectFrom('requestSignatures')
    .select(['state', 'verdict'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(after).toEqual({ state: 'accepted', verdict })
})

test('revoked after it signed is no news', async () => {
  const { id } = await accepted()
  await later(25)
  centre.answer = { revokedAt: new Date(time.now.getTime() - hour) }
  await recheck()
  expect(await noted(id)).toMatchObject({ outcome: 'revoked-later' })
  expect(letters).toEqual([])
})

test('while the centre is away it is asked again, with growing pauses, and then no more', async () => {
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
