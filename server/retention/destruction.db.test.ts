/** Documents whose term has ended are destroyed once all their keepers have an act that the head has signed. */
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import { addGroup, removeGroup } from '@kelisim/domain/portal/contract.ts'
import { createRequest } from '@kelisim/domain/requests/contract.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import {
  addRetentionTerm,
  getRetainedDocuments,
  holdDocument,
  liftHold,
} from '@kelisim/domain/retention/contract.ts'
import {
  carryOutDestruction,
  getActDocuments,
  getDestructionActs,
  prepareDestruction,
} from '@kelisim/domain/retention/destruction-contract.ts'
import { keyOf } from '../documents/storage/storage.ts'
import { goodPdf } from '../documents/testing-corpus.ts'
import { findFilesOfHistories } from '../operator/audit/state-queries.ts'
import { actingIn, statusOf } from '../requests/core/testing-requests.ts'
import { startOutputsApp } from '../outputs/testing-outputs.ts'
import { destroyOrdered } from './destroy.ts'

const app = await startOutputsApp('rsa')
const { call, database, sender, receiver, time, archive } = app
const { act, signAt, signatureOf, look } = actingIn(app)
type Company = typeof sender

// These tests make more calls a minute than the rate limit of one person allows.
beforeEach(async () => void (await database.pool.query('delete from rate_limits')))

for (const { organizationId, owner } of [sender, receiver]) {
  const term = { kindId: null, years: 1, basis: 'Перечень, ст. 1', validFrom: '2000-01-01' }
  await call(owner, addRetentionTerm, { organizationId, ...term })
}

// The head of the receiver signs inside as well.
await database.pool.query(
  `insert into group_participants (organization_id, group_id, user_id) values ($1, $2, $3)`,
  [receiver.organizationId, receiver.groupId, receiver.owner],
)

const prepare = ({ owner, organizationId }: Company, ...signingRequestIds: string[]) =>
  call(owner, prepareDestruction, { organizationId, signingRequestIds })
const carryOut = ({ owner, organizationId }: Company, actId: string) =>
  call(owner, carryOutDestruction, { organizationId, actId })
const aliasOf = (answer: { error: { ExceptionData: { Alias: string } } }) => answer.error.ExceptionData.Alias

/** Moves the end of the request, and the acts that name it, ten years into the past. */
async function aged(id: string): Promise<void> {
  await database.pool.query(
    `update destruction_acts set carried_out_at = carried_out_at - interval '10 years'
     where id in (select act_id from destruction_items where request_id = $1)`,
    [id],
  )
  await database.pool.query(`alter table request_events disable trigger all`)
  await database.pool.query(`update request_events set at = at - interval '10 years' where request_id = $1`, [
    id,
  ])
  await database.pool.query(`alter table request_events enable trigger all`)
}

async function oldContract(): Promise<string> {
  const { id } = await app.contract({ name: 'Поставка' })
  await aged(id)
  return id
}

/** A contract that the receiver signed at a published point, by a group that it has removed since. */
async function oldContractAtPoint(): Promise<string> {
  const { owner, organizationId } = receiver
  const group = await call(owner, addGroup, { organizationId, name: 'Приём', participants: [owner] })
  const point = await receiver.point('CounterParty', { groupId: group.result.id })
  const route = await sender.route(await sender.point('CompanyInternalSign'), point)
  const { result: sent } = await sender.send(route)
  const ours = { id: sender.employee, organizationId: sender.organizationId }
  await signAt(ours, sent, 'CompanyInternalSign', sender.stamp)
  const theirs = { id: owner, organizationId }
  const { result: received } = await look(theirs, sent.id)
  const { result: done } = await signAt(theirs, received, 'CounterParty', receiver.stamp)
  expect(statusOf(done)).toBe('Completed')
  const removed = await call(owner, removeGroup, { organizationId, groupId: group.result.id })
  expect(removed.status).toBe(200)
  await aged(sent.id)
  return sent.id
}

/** Sends the act along a route of one point and signs it with this key. */
async function signAct(company: Company, documentId: string, key = company.stamp): Promise<void> {
  const route = await company.route(await company.point('CompanyInternalSign'))
  const { owner, employee, organizationId } = company
  const form = { documentId, routeId: route, name: 'Акт' }
  const { result: sent } = await call(owner, createRequest, { organizationId, ...form })
  const { rawPayload } = await app.get(
    { id: owner },
    `/api/SigningRequests/${organizationId}/${sent.id}/files/original`,
  )
  const signature = await signatureOf(key, rawPayload)
  // After signing with a key a person's account has the IIN of the key, so each key needs its own signer.
  const signer = company === sender ? employee : owner
  const done = await signAt({ id: signer, organizationId }, sent, 'CompanyInternalSign', key, { signature })
  expect(statusOf(done.result)).toBe('Completed')
}

async function actBy(company: Company, ...ids: string[]): Promise<string> {
  const { result: act } = await prepare(company, ...ids)
  await signAct(company, act.documentId!)
  return act.id
}

const stateOf = async ({ owner, organizationId, ...company }: Company, id: string, isReceived = false) => {
  const page = { organizationId, skip: 0, take: 100, ...(isReceived && { isReceived: 'true' as never }) }
  const { result } = await call(owner, getRetainedDocuments, page)
  return result.items.find(({ signingRequestId }) => signingRequestId === id)?.state ?? company.bin
}

const original = (company: Company, id: string) =>
  app.get({ id: company.owner }, `/api/SigningRequests/${company.organizationId}/${id}/files/original`)

describe('an act of destruction', () => {
  test('can name only documents that are due and not held', async () => {
    const fresh = await app.contract()
    expect(aliasOf(await prepare(sender, fresh.id))).toBe('document-not-due')
    const id = await oldContract()
    const { result: hold } = await call(sender.owner, holdDocument, {
      organizationId: sender.organizationId,
      signingRequestId: id,
      reason: 'Суд',
    })
    expect(aliasOf(await prepare(sender, id))).toBe('document-held')
    await call(sender.owner, liftHold, { organizationId: sender.organizationId, holdId: hold.id })
    expect((await prepare(sender, id)).result).toMatchObject({
      state: 'prepared',
      documentCount: 1,
      goneCount: 0,
    })
    const stranger = await app.company()
    expect(aliasOf(await prepare(stranger, id))).toBe('signing-request-not-found')
  })

  test('keeps its stored file if saving fails without proof that it was not saved', async () => {
    const stored = async () => {
      let count = 0
      for await (const file of archive.storage.list()) count += file.key === '' ? 0 : 1
      return count
    }
    const id = await oldContract()
    const before = await stored()
    await database.pool.query('alter table destruction_acts add constraint none check (false) not valid')
    expect((await prepare(sender, id)).status).toBe(409)
    await database.pool.query('alter table destruction_acts drop constraint none')
    expect(await stored()).toBe(before + 1)
  })

  test('is refused for a document with a side that has no organisation here', async () => {
    const external = await sender.point('ExternalSign', {
      bin: '250340012341',
      organizationName: 'Жаңа Жол',
      emails: ['b@example.kz'],
    })
    const { result: sent } = await sender.send(await sender.route(external))
    await database.pool.query(`update signing_requests set status = 16 where id = $1`, [sent.id])
    await aged(sent.id)
    await database.pool.query(
      `update signing_requests set status_changed_at = status_changed_at - interval '10 years' where id = $1`,
      [sent.id],
    )
    expect(aliasOf(await prepare(sender, sent.id))).toBe('document-shared-outside')
  })

  test('is carried out after the head of this organisation has signed these very bytes', async () => {
    const id = await oldContract()
    const { result: act } = await prepare(sender, id)
    expect(aliasOf(await carryOut(sender, act.id))).toBe('act-not-signed')
    const another = await prepare(sender, id)
    await signAct(sender, another.result.documentId!)
    expect(aliasOf(await carryOut(sender, act.id))).toBe('act-not-signed')
    expect(aliasOf(await carryOut(receiver, another.result.id))).toBe('act-not-found')
    const done = await carryOut(sender, another.result.id)
    expect(done.result).toMatchObject({ state: 'carriedOut', goneCount: 0 })
    expect(aliasOf(await carryOut(sender, another.result.id))).toBe('act-carried-out')
    expect(aliasOf(await prepare(sender, id))).toBe('document-in-act')
  })
})

describe('the file of a document to be destroyed', () => {
  test('is destroyed when both sides have ordered it; signatures and the history stay', async () => {
    const id = await oldContract()
    const ours = await actBy(sender, id)
    await carryOut(sender, ours)
    const { owner, organizationId } = sender
    const waiting = await call(owner, getActDocuments, { organizationId, actId: ours })
    expect(waiting.result.documents).toMatchObject([{ isGone: false, waitsFor: [expect.any(String)] }])
    expect((await original(receiver, id)).statusCode).toBe(200)
    expect(await stateOf(receiver, id, true)).toBe('due')

    const theirs = await actBy(receiver, id)
    const done = await carryOut(receiver, theirs)
    expect(done.result).toMatchObject({ state: 'carriedOut', goneCount: 1 })
    for (const side of [sender, receiver]) {
      const answer = await original(side, id)
      expect([answer.statusCode, answer.json().ExceptionData.Alias]).toEqual([404, 'file-not-found'])
    }
    expect(await stateOf(sender, id)).toBe('destroyed')
    const { result: seen } = await look({ id: sender.employee, organizationId }, id)
    expect(seen.document).toMatchObject({ id: null, destroyedAt: expect.any(String) as string })
    const { rows } = await database.pool.query(
      `select f.removed_at is not null as removed, (select count(*)::int from request_signatures s where s.request_id = r.id) as signatures,
        (select count(*)::int from search_texts t where t.file_id = f.id) as texts, f.id
       from signing_requests r join files f on f.id = r.file_id where r.id = $1`,
      [id],
    )
    expect(rows).toMatchObject([{ removed: true, signatures: 2, texts: 0 }])
    const audited = await findFilesOfHistories(database.db, null, 1000)
    expect(audited.map((file) => file.id)).not.toContain((rows[0] as { id: string }).id)
    expect(
      (await call(owner, getDestructionActs, { organizationId, skip: 0, take: 1 })).result.items,
    ).toMatchObject([{ id: ours, state: 'carriedOut', goneCount: 1 }])
  })

  test('waits for the end of a hold of either side, and then is destroyed by itself', async () => {
    const id = await oldContract()
    await carryOut(sender, await actBy(sender, id))
    const theirs = await actBy(receiver, id)
    const { owner, organizationId } = sender
    const { result: hold } = await call(owner, holdDocument, {
      organizationId,
      signingRequestId: id,
      reason: 'Спор',
    })
    expect((await carryOut(receiver, theirs)).result).toMatchObject({ goneCount: 0 })
    await call(owner, liftHold, { organizationId, holdId: hold.id })
    expect((await original(receiver, id)).statusCode).toBe(200)
    await destroyOrdered(database, archive.storage, time.now)
    expect((await original(receiver, id)).statusCode).toBe(404)
  })

  test('stays if the document was terminated after an order, which then is needed again', async () => {
    const id = await oldContract()
    await carryOut(sender, await actBy(sender, id))
    await app.terminate(id, 'sign')
    const ours = { id: sender.employee, organizationId: sender.organizationId }
    expect(statusOf((await look(ours, id)).result)).toBe('Terminated')
    expect(await stateOf(sender, id)).toBe('kept')
    await aged(id)
    expect((await carryOut(receiver, await actBy(receiver, id))).result).toMatchObject({ goneCount: 0 })
    expect((await original(receiver, id)).statusCode).toBe(200)
    expect((await carryOut(sender, await actBy(sender, id))).result).toMatchObject({ goneCount: 1 })
    expect((await original(receiver, id)).statusCode).toBe(404)
  })

  test('stays during a termination, even if all have ordered its destruction and a hold was lifted', async () => {
    const id = await oldContract()
    await carryOut(sender, await actBy(sender, id))
    const { owner, organizationId } = sender
    const { result: hold } = await call(owner, holdDocument, {
      organizationId,
      signingRequestId: id,
      reason: 'Спор',
    })
    await carryOut(receiver, await actBy(receiver, id))
    const { result: begun } = await call(receiver.owner, terminateRequest, {
      organizationId: receiver.organizationId,
      signingRequestId: id,
      comment: 'Стороны передумали',
    })
    await call(owner, liftHold, { organizationId, holdId: hold.id })
    await destroyOrdered(database, archive.storage, time.now)
    expect((await original(sender, id)).statusCode).toBe(200)

    // A refused termination leaves the end of the document as it was, so the orders stay valid, too.
    const refused = await act(
      { id: sender.employee, organizationId },
      { id, points: begun.termination!.points },
      'CompanyInternalSign',
      'reject',
      { comment: 'Рано' },
    )
    expect(statusOf(refused.result)).toBe('Completed')
    await destroyOrdered(database, archive.storage, time.now)
    expect((await original(sender, id)).statusCode).toBe(404)
  })

  test('waits for a side that received it at its own point, even if the group of the point was removed', async () => {
    const id = await oldContractAtPoint()
    expect(await stateOf(receiver, id, true)).toBe('due')
    await carryOut(sender, await actBy(sender, id))
    expect((await original(receiver, id)).statusCode).toBe(200)

    const { owner, organizationId } = receiver
    const held = await call(owner, holdDocument, { organizationId, signingRequestId: id, reason: 'Суд' })
    expect(held.status).toBe(200)
    await destroyOrdered(database, archive.storage, time.now)
    expect((await original(receiver, id)).statusCode).toBe(200)
    await call(owner, liftHold, { organizationId, holdId: held.result.id })
    expect((await carryOut(receiver, await actBy(receiver, id))).result).toMatchObject({ goneCount: 1 })
    expect((await original(receiver, id)).statusCode).toBe(404)
  })

  test('no longer counts towards the storage quota', async () => {
    const bytes = async () =>
      (
        await database.pool.query<{ bytes: number }>(
          'select bytes from file_bytes where organization_id = $1',
          [sender.organizationId],
        )
      ).rows[0]!.bytes
    const id = await oldContract()
    await carryOut(sender, await actBy(sender, id))
    const theirs = await actBy(receiver, id)
    const before = await bytes()
    await carryOut(receiver, theirs)
    expect(await bytes()).toBeLessThan(before)
    const held = await call(sender.owner, holdDocument, {
      organizationId: sender.organizationId,
      signingRequestId: id,
      reason: 'Поздно',
    })
    expect(aliasOf(held)).toBe('signing-request-not-found')
  })

  test('cannot be downloaded, even if its bytes are not removed yet, or were put back by a restore', async () => {
    const id = await oldContract()
    const document = (await original(sender, id)).rawPayload
    const terminating = await app.terminate(id, 'sign')
    await aged(id)
    await carryOut(sender, await actBy(sender, id))
    await carryOut(receiver, await actBy(receiver, id))
    for (const [table, key, bytes] of [
      ['signing_requests', 'id', document],
      ['request_terminations', 'request_id', terminating],
    ] as const) {
      const { rows } = await database.pool.query<{ id: string; organization_id: string }>(
        `select f.id, f.organization_id from files f join ${table} t on t.file_id = f.id where t.${key} = $1`,
        [id],
      )
      const received = await archive.storage.receive(Readable.from([bytes]), bytes.length)
      await archive.storage.keep(keyOf(rows[0]!.organization_id, rows[0]!.id), received)
    }
    const { employee, organizationId } = sender
    const base = `/api/SigningRequests/${organizationId}/${id}`
    for (const path of ['files/original', 'files/terminating', 'revisions/1']) {
      const answer = await app.get({ id: employee }, `${base}/${path}`)
      expect([path, answer.statusCode, answer.json().ExceptionData?.Alias]).toEqual([
        path,
        404,
        'file-not-found',
      ])
    }
  })

  test('stays while another request uses it', async () => {
    const id = await oldContract()
    const { rows } = await database.pool.query<{ document_id: string }>(
      'select document_id from signing_requests where id = $1',
      [id],
    )
    const { employee, organizationId } = sender
    const routeId = await sender.route(await sender.point('CompanyInternalSign'))
    const again = { documentId: rows[0]!.document_id, routeId, name: 'Ещё раз' }
    expect((await call(employee, createRequest, { organizationId, ...again })).status).toBe(200)
    await carryOut(sender, await actBy(sender, id))
    await carryOut(receiver, await actBy(receiver, id))
    expect((await original(sender, id)).statusCode).toBe(200)
  })
})

describe('the earlier documents of a corrected request', async () => {
  const internal = await sender.route(await sender.point('CompanyInternalSign'))
  const ours = { id: sender.employee, organizationId: sender.organizationId }

  /** A request sent with this document, then corrected and signed long ago. */
  async function oldCorrected(documentId: string): Promise<string> {
    const { result: sent } = await sender.send(internal, { documentId })
    // A signature over the earlier document, though refused, must not take that document along.
    const wrong = await signatureOf(sender.stamp, Buffer.from('other bytes'))
    await signAt(ours, sent, 'CompanyInternalSign', sender.stamp, { signature: wrong })
    const bytes = Buffer.concat([goodPdf, Buffer.from(`\n% corrected ${sent.id}\n`)])
    const { result: better } = await sender.upload(sender.employee, sender.organizationId, { bytes })
    await call(sender.employee, correctRequest, {
      organizationId: sender.organizationId,
      signingRequestId: sent.id,
      documentId: better.id,
      comment: 'Исправлено',
    })
    const signature = await signatureOf(sender.stamp, bytes)
    const done = await signAt(ours, sent, 'CompanyInternalSign', sender.stamp, { signature })
    expect(statusOf(done.result)).toBe('Completed')
    await aged(sent.id)
    return sent.id
  }

  const filesOf = async (id: string) =>
    (
      await database.pool.query(
        `select v.revision, f.destroyed_at is not null as destroyed, f.removed_at is not null as removed
         from request_revisions v join files f on f.id = v.file_id where v.request_id = $1 order by v.revision`,
        [id],
      )
    ).rows

  test('are destroyed with it, but not while another request uses them', async () => {
    const { result: shared } = await sender.upload(sender.employee, sender.organizationId)
    const [first, second] = [await oldCorrected(shared.id), await oldCorrected(shared.id)]
    await carryOut(sender, await actBy(sender, first))
    expect(await filesOf(first)).toEqual([
      { revision: 1, destroyed: false, removed: false },
      { revision: 2, destroyed: true, removed: true },
    ])
    const revision = `/api/SigningRequests/${sender.organizationId}/${second}/revisions/1`
    expect((await app.get({ id: sender.employee }, revision)).statusCode).toBe(200)
    await carryOut(sender, await actBy(sender, second))
    for (const id of [first, second]) {
      expect(await filesOf(id)).toEqual([
        { revision: 1, destroyed: true, removed: true },
        { revision: 2, destroyed: true, removed: true },
      ])
    }
    expect((await app.get({ id: sender.employee }, revision)).statusCode).toBe(404)
  })

  test('keep the same document of another request until they are destroyed, too', async () => {
    const { result: shared } = await sender.upload(sender.employee, sender.organizationId)
    const corrected = await oldCorrected(shared.id)
    const { result: other } = await sender.send(internal, { documentId: shared.id })
    await signAt(ours, other, 'CompanyInternalSign', sender.stamp)
    await aged(other.id)
    await carryOut(sender, await actBy(sender, other.id))
    expect((await original(sender, other.id)).statusCode).toBe(200)
    await carryOut(sender, await actBy(sender, corrected))
    await destroyOrdered(database, archive.storage, time.now)
    expect((await original(sender, other.id)).statusCode).toBe(404)
    expect(await filesOf(corrected)).toMatchObject([{ removed: true }, { removed: true }])
  })
})
