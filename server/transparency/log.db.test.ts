/** The log holds every event in the order of acceptance, and any later change of the database is detected. */
import { createPublicKey } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Tx } from '@kelisim/db/db.ts'
import { getLogConsistency, getLogHead, getLogKeys } from '@kelisim/domain/transparency/contract.ts'
import { isConsistent, isIncluded } from '@kelisim/signature/transparency/merkle.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'
import { auditLog, type LogFault } from './audit.ts'
import { isHeadSigned, signHead } from './heads.ts'
import { leafOf } from './log.ts'
import { eventsToLog, sizeOfTree } from './queries.ts'
import { sequence } from './sequencing.ts'
import { appendLeaves, consistencyProof, inclusionProof } from './tree.ts'

const testApp = await startRequestsApp()
const { database, time, call } = testApp
const { act, signAt } = actingIn(testApp)
const privateKey = testApp.logKey
const publicKey = createPublicKey(privateKey)

/** A request that was approved and signed. */
async function signed() {
  const house = await testApp.company()
  const employee = { id: house.employee, organizationId: house.organizationId }
  const [approval, signing] = [await house.point('InternalApprove'), await house.point('CompanyInternalSign')]
  const { result: sent } = await house.send(await house.route(approval, signing))
  const { result: approved } = await act(employee, sent, 'InternalApprove', 'approve')
  return (await signAt(employee, approved, 'CompanyInternalSign', house.stamp)).result
}

const audit = async () => (await auditLog(database.db, publicKey)).faults

test('every event of a request is in the log, with a valid inclusion proof', async () => {
  const before = await signHead(database, privateKey, time.now)
  const request = await signed()
  const head = await signHead(database, privateKey, time.now)
  expect(isHeadSigned(head, publicKey)).toBe(true)
  expect(head.size).toBe(await sizeOfTree(database.db))
  const events = await eventsToLog(database.db)
    .where('e.requestId', '=', request.id)
    .orderBy('e.number')
    .execute()
  const entries = await database.db
    .selectFrom('logEntries')
    .selectAll()
    .where('requestId', '=', request.id)
    .orderBy('number')
    .execute()
  expect(entries.map(({ number }) => number)).toEqual(events.map(({ number }) => number))
  const accepted = events.find(({ type }) => type === 'signature-accepted')!
  expect(accepted.signatureHash).toHaveLength(32)
  for (const [i, { index }] of entries.entries()) {
    const proof = await inclusionProof(database.db, index, head.size)
    expect(isIncluded(leafOf(events[i]!), { ...head, leaf: index, proof })).toBe(true)
  }
  const proof = await consistencyProof(database.db, before.size, head.size)
  expect(isConsistent(before, head, proof)).toBe(true)
  expect(await audit()).toEqual([])
})

test('anybody can get the newest head and a proof of its consistency with an earlier one', async () => {
  const { result: first } = await call(null, getLogHead, {})
  await signed()
  await signHead(database, testApp.logKey, time.now)
  const { result: second } = await call(null, getLogHead, {})
  expect(second.size).toBeGreaterThan(first.size)
  const rootOf = ({ size, root }: typeof first) => ({ size, root: Buffer.from(root, 'hex') })
  const { result } = await call(null, getLogConsistency, { first: first.size, second: second.size })
  const proof = result.proof.map((hash) => Buffer.from(hash, 'hex'))
  expect(isConsistent(rootOf(first), rootOf(second), proof)).toBe(true)
  const key = createPublicKey({ key: Buffer.from(second.publicKey, 'base64'), type: 'spki', format: 'der' })
  expect((await call(null, getLogKeys, {})).result.keys).toEqual([second.publicKey])
  const head = { ...rootOf(second), at: new Date(second.at), keyId: Buffer.from(second.log, 'hex') }
  expect(isHeadSigned({ ...head, signature: Buffer.from(second.signature, 'base64') }, key)).toBe(true)
  const beyond = await call(null, getLogConsistency, { first: 0, second: second.size + 1000 })
  expect(beyond.error.ExceptionData.Alias).toBe('log-has-no-such-size')
})

test('simultaneous acts are logged without missing or doubled leaves', async () => {
  const house = await testApp.company()
  const routeId = await house.route(await house.point('InternalApprove'))
  const employee = { id: house.employee, organizationId: house.organizationId }
  const sent = await Promise.all(Array.from({ length: 8 }, () => house.send(routeId)))
  await Promise.all(sent.map(({ result }) => act(employee, result, 'InternalApprove', 'approve')))
  await sequence(database)
  expect(await audit()).toEqual([])
})

test('a refused act leaves nothing in the log', async () => {
  const request = await signed()
  await sequence(database)
  const size = await sizeOfTree(database.db)
  const house = await testApp.company()
  const stranger = { id: house.employee, organizationId: house.organizationId }
  expect((await act(stranger, request, 'InternalApprove', 'approve')).status).not.toBe(200)
  await sequence(database)
  expect(await sizeOfTree(database.db)).toBe(size)
})

describe('the auditor finds', () => {
  /** Changes rows as somebody with all rights to the database could; the change is undone afterwards. */
  async function tampered(tamper: (tx: Tx, request: { id: string }) => Promise<unknown>) {
    const request = await signed()
    await signHead(database, privateKey, time.now)
    let found: LogFault[] = []
    const undo = new Error('undo')
    await database
      .write(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await tamper(tx, request)
        found = (await auditLog(tx, publicKey)).faults
        throw undo
      })
      .catch((error: unknown) => expect(error).toBe(undo))
    expect(await audit()).toEqual([])
    return [...new Set(found.map(({ fault }) => fault))].toSorted()
  }

  test.each<[string, (request: { id: string }) => ReturnType<typeof sql>, LogFault['fault'][]]>([
    [
      'a comment that was changed',
      ({ id }) =>
        sql`update request_events set comment = 'иначе' where request_id = ${id} and type = 'approved'`,
      ['event-changed'],
    ],
    [
      'a time that was moved',
      ({ id }) =>
        sql`update request_events set at = at - interval '1 day' where request_id = ${id} and number = 2`,
      ['event-changed'],
    ],
    [
      'another signature in the place of one',
      ({ id }) => sql`update request_signatures set cms = cms || '\\x00'::bytea where request_id = ${id}`,
      ['event-changed'],
    ],
    [
      'another document in the place of one',
      ({ id }) =>
        sql`update files set sha256 = sha256('x'::bytea) where id = (select file_id from signing_requests where id = ${id})`,
      ['event-changed'],
    ],
    [
      'an event that was taken out',
      ({ id }) => sql`delete from request_events where request_id = ${id} and type = 'approved'`,
      ['event-missing'],
    ],
    [
      'an event that was put in',
      ({
        id,
      }) => sql`insert into request_events (request_id, number, at, type, attempt, comment, data, before, after)
        values (${id}, 999, now(), 'approved', 0, '', '{}', 2, 2)`,
      ['event-not-logged'],
    ],
    [
      'an event that was taken out together with its entry',
      ({ id }) => sql`with e as (delete from log_entries where request_id = ${id} and number = 2)
        delete from request_events where request_id = ${id} and number = 2`,
      ['entry-missing', 'size-wrong'],
    ],
    [
      'a node that was changed',
      () => sql`update log_nodes set hash = sha256('x'::bytea) where level = 1 and index = 0`,
      ['node-changed'],
    ],
    ['an edge that was changed', () => sql`update log_size set edge[1] = sha256('x'::bytea)`, ['edge-wrong']],
    [
      'a head that nobody signed',
      () => sql`update log_heads set at = at + interval '1 second'`,
      ['head-not-signed'],
    ],
  ])('%s', async (_, statement, faults) => {
    expect(await tampered((tx, request) => statement(request).execute(tx))).toEqual(faults)
  })

  test('a log rebuilt after a change, because earlier signed heads are of another tree', async () => {
    const found = await tampered(async (tx, { id }) => {
      await sql`update request_events set comment = 'иначе' where request_id = ${id} and number = 1`.execute(
        tx,
      )
      const all = await eventsToLog(tx)
        .innerJoin('logEntries as l', (join) =>
          join.onRef('l.requestId', '=', 'e.requestId').onRef('l.number', '=', 'e.number'),
        )
        .orderBy('l.index')
        .execute()
      await tx.deleteFrom('logNodes').execute()
      await tx.deleteFrom('logEntries').execute()
      await tx.updateTable('logSize').set({ size: 0, edge: [] }).execute()
      await appendLeaves(
        tx,
        all.map((event) => ({ requestId: event.requestId, number: event.number, hash: leafOf(event) })),
      )
    })
    expect(found).toEqual(['head-of-another-tree'])
  })
})
