/** Refusals that no other test meets: objects that no longer exist, names that are taken, limits that are reached. */
import { expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { startBulkSending, steerBulkSending } from '@kelisim/domain/bulk/contract.ts'
import { resendDelivery } from '@kelisim/domain/integration/webhook-contract.ts'
import { revokePower } from '@kelisim/domain/powers-of-attorney/contract.ts'
import { addDocumentKind, addJournal, mostJournals } from '@kelisim/domain/registers/contract.ts'
import { refuseFaulty } from './documents/check/check.ts'
import { startRequestsApp } from './requests/core/testing-requests.ts'
import { aliasOf } from './routes/testing-routes.ts'
import { worldOf } from './testing-world.ts'

const app = await startRequestsApp()
const { call, database, time } = app
const { company, ids } = await worldOf(app)
const { organizationId, owner } = company

test('an unknown power of attorney cannot be revoked', async () => {
  expect(aliasOf(await call(owner, revokePower, { organizationId, powerId: newId() }))).toBe(
    'power-not-found',
  )
})

test('an unknown delivery of a webhook cannot be sent again', async () => {
  const { webhookId } = ids
  const answer = await call(owner, resendDelivery, { organizationId, webhookId, deliveryId: newId() })
  expect(aliasOf(answer)).toBe('webhook-delivery-not-found')
})

test('a bulk sending cannot be started without a plan, nor paused before it was started', async () => {
  const { bulkId } = ids
  expect(aliasOf(await call(owner, startBulkSending, { organizationId, bulkId, skipsBad: false }))).toBe(
    'bulk-not-planned',
  )
  expect(aliasOf(await call(owner, steerBulkSending, { organizationId, bulkId, act: 'pause' }))).toBe(
    'bulk-not-started',
  )
})

test('a kind of document needs a unique name', async () => {
  const same = { organizationId, name: 'Договор', journalId: null, registersAtSending: false }
  expect(aliasOf(await call(owner, addDocumentKind, same))).toBe('kind-name-already-in-use')
})

test('an organisation has no more journals than the limit', async () => {
  const numbering = {
    direction: 'outgoing',
    prefix: '',
    yearPlace: 'after',
    width: 4,
    firstNumber: 1,
  } as const
  await database.write((tx) =>
    tx
      .insertInto('journals')
      .values(
        Array.from({ length: mostJournals - 1 }, (_, i) => ({
          ...numbering,
          id: newId(),
          organizationId,
          name: `Журнал ${i}`,
          firstYear: 2026,
          createdBy: owner,
          createdAt: time.now,
        })),
      )
      .execute(),
  )
  const oneMore = { organizationId, name: 'Ещё один', ...numbering }
  expect(aliasOf(await call(owner, addJournal, oneMore))).toBe('registers-limit')
})

test('a file whose check had to be stopped is refused', async () => {
  const checks = { faultOf: async () => 'too-much' as const, refuseIfBusy: () => {}, close: async () => {} }
  const file = { path: '', format: 'pdf' as const, size: 1, sha256: Buffer.alloc(32) }
  await expect(refuseFaulty(checks, file, null)).rejects.toMatchObject({
    alias: 'file-takes-too-much',
  })
})
