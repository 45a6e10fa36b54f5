/**
 * Terms decide until when a document is kept, a hold keeps it longer, and a package for an archive can be checked
 * without us.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { filesAtHand } from '@kelisim/signature/bundle/bundle.ts'
import { checkBundle } from '@kelisim/signature/bundle/check-bundle.ts'
import {
  addRetentionTerm,
  getRetainedDocuments,
  getRetentionTerms,
  holdDocument,
  liftHold,
} from '@kelisim/domain/retention/contract.ts'
import { addDocumentKind } from '@kelisim/domain/registers/contract.ts'
import { getOrganizationEvents } from '@kelisim/domain/portal/contract.ts'
import { unpacked } from '../outputs/bundle/testing-bundle.ts'
import { startOutputsApp } from '../outputs/testing-outputs.ts'

const app = await startOutputsApp('rsa')
const { call, database, sender } = app
const { organizationId } = sender
const owner = sender.owner
const folder = mkdtempSync(join(tmpdir(), 'kelisim-retention-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { result: kind } = await call(owner, addDocumentKind, {
  organizationId,
  name: 'Договор',
  journalId: null,
  registersAtSending: false,
})
const contract = await app.contract({ name: 'Поставка', kindId: kind.id })
const other = await app.contract({ name: 'Письмо' })
const documents = async (name = '') =>
  (await call(owner, getRetainedDocuments, { organizationId, skip: 0, take: 10, name })).result
const stateOf = async (id: string) =>
  (await documents()).items.find(({ signingRequestId }) => signingRequestId === id)!
const add = (kindId: string | null, years: number | null, validFrom = '2020-01-01') =>
  call(owner, addRetentionTerm, { organizationId, kindId, years, basis: 'Перечень, ст. 1', validFrom })

test('without a retention term the end is unknown; with one it counts from the end of the year', async () => {
  expect((await stateOf(contract.id)).state).toBe('unknown')
  await add(null, 5)
  await add(kind.id, 10)
  expect(await stateOf(contract.id)).toMatchObject({
    state: 'kept',
    until: '2036-12-31',
    kind: 'Договор',
    isSigned: true,
  })
  expect(await stateOf(other.id)).toMatchObject({ state: 'kept', until: '2031-12-31', kind: null })
  await add(kind.id, 1, '2026-12-01')
  expect((await stateOf(contract.id)).until).toBe('2036-12-31')
  const { result } = await call(owner, getRetentionTerms, { organizationId })
  expect(result.terms.map(({ kind: of, years }) => [of?.name ?? null, years])).toEqual([
    ['Договор', 1],
    ['Договор', 10],
    [null, 5],
  ])
  await database.pool.query(
    `insert into retention_terms (id, organization_id, years, basis, valid_from, added_by, added_at)
     select gen_random_uuid(), $1, 5, 'Ещё', '2020-01-01', $2, now() from generate_series(1, 497)`,
    [organizationId, owner],
  )
  expect((await add(null, 5)).error.ExceptionData.Alias).toBe('too-many-terms')
  const strange = await add(contract.id, 3)
  expect(strange.error.ExceptionData.Alias).toBe('kind-not-found')
})

test('a document whose term is over is due, unless it is held', async () => {
  const now = app.time.now
  await app.travel(new Date('2032-01-01T06:00:00Z'))
  try {
    const session = await documents('Письмо')
    expect(session.items).toMatchObject([{ state: 'due', until: '2031-12-31' }])
    const hold = () =>
      call(owner, holdDocument, { organizationId, signingRequestId: other.id, reason: 'Суд, дело 5' })
    const { result: held } = await hold()
    expect(await stateOf(other.id)).toMatchObject({ state: 'held', hold: { reason: 'Суд, дело 5' } })
    expect((await hold()).error.ExceptionData.Alias).toBe('already-held')
    expect((await call(owner, liftHold, { organizationId, holdId: held.id })).status).toBe(200)
    expect((await stateOf(other.id)).state).toBe('due')
    const again = await call(owner, liftHold, { organizationId, holdId: held.id })
    expect(again.error.ExceptionData.Alias).toBe('hold-not-found')
    const { result } = await call(owner, getOrganizationEvents, { organizationId, skip: 0, take: 10 })
    const types = result.items.map(({ type }) => type)
    expect(types.slice(0, 2)).toEqual(['hold-lifted', 'hold-set'])
  } finally {
    await app.travel(now)
  }
})

test('another organisation can neither see nor hold documents', async () => {
  const stranger = await app.company()
  const theirs = { organizationId: stranger.organizationId }
  const { result } = await call(stranger.owner, getRetainedDocuments, { ...theirs, skip: 0, take: 10 })
  expect(result.items).toEqual([])
  const held = await call(stranger.owner, holdDocument, {
    ...theirs,
    signingRequestId: other.id,
    reason: 'Чужой',
  })
  expect(held.error.ExceptionData.Alias).toBe('signing-request-not-found')
})

test('a package for an archive contains all that is needed to check the document without us', async () => {
  const url = `/api/Retention/${organizationId}/transfer/${contract.id}`
  const answer = await app.get({ id: owner }, url)
  expect(answer.statusCode).toBe(200)
  const path = join(folder, 'package.zip')
  writeFileSync(path, answer.rawPayload)
  const files = await unpacked(path)
  const text = (name: string) => Buffer.from(files.get(name)!).toString()
  const sums = text('SHA256SUMS')
  for (const [name, bytes] of files) {
    if (name.startsWith('SHA256SUMS')) continue
    expect(sums).toContain(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
  }
  expect(verify(null, Buffer.from(sums), createPublicKey(app.logKey), files.get('SHA256SUMS.sig')!)).toBe(
    true,
  )
  expect(JSON.parse(text('description.json'))).toMatchObject({
    format: 'kelisim-transfer',
    document: { id: contract.id, name: 'Поставка', kind: 'Договор', keptUntil: '2036-12-31' },
  })
  expect(text('README.kk.txt')).toContain('Поставка')
  const bundle = join(folder, 'evidence.zip')
  writeFileSync(bundle, files.get('evidence.zip')!)
  const { faults, signatures } = await checkBundle(filesAtHand(await unpacked(bundle)), {
    trust: { roots: [app.nation.root], others: [] },
    at: app.time.now,
  })
  expect(faults).toEqual([])
  expect(signatures).toHaveLength(2)
  const { result } = await call(owner, getOrganizationEvents, { organizationId, skip: 0, take: 1 })
  expect(result.items[0]).toMatchObject({ type: 'transfer-made', subject: 'Поставка' })
  // A package whose making could not be recorded is not given, and may be requested again.
  await database.pool.query(
    `alter table organization_events add constraint none check (type <> 'transfer-made') not valid`,
  )
  expect((await app.get({ id: owner }, url)).statusCode).toBe(409)
  await database.pool.query('alter table organization_events drop constraint none')
  expect((await app.get({ id: owner }, url)).statusCode).toBe(200)
  // An employee does not get the package.
  expect((await app.get({ id: sender.employee }, url)).statusCode).toBe(403)
})
