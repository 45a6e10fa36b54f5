/** One organisation moves between two installations, and everything is as it was: rows, files, proofs, and the next number. */
import { createHash, createPublicKey } from 'node:crypto'
import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { testDatabase } from '@kelisim/db/testing.ts'
import type { Connection } from '@kelisim/db/db.ts'
import { getOrganizations } from '@kelisim/domain/identity/contract.ts'
import { getConnection } from '@kelisim/domain/integration/calls/connection-contract.ts'
import { revokeToken } from '@kelisim/domain/integration/contract.ts'
import { getOptions } from '@kelisim/domain/options/contract.ts'
import { previewRemoval, removeMember } from '@kelisim/domain/portal/contract.ts'
import { addDocumentKind, addJournal } from '@kelisim/domain/registers/contract.ts'
import { createRequest, getRequest, revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { requestStatusOf } from '@kelisim/domain/requests/status.ts'
import { getRetainedDocuments } from '@kelisim/domain/retention/contract.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { filesAtHand } from '@kelisim/signature/bundle/bundle.ts'
import { checkBundle } from '@kelisim/signature/bundle/check-bundle.ts'
import { connect } from '../backup/backup.ts'
import { testWorkers } from '../testing-workers.ts'
import { folderStorage } from '../documents/storage/folder.ts'
import { uploader } from '../documents/testing-uploads.ts'
import { checksIn } from '../identity/testing-signers.ts'
import { programsOf } from '../integration/testing-programs.ts'
import { auditAll } from '../operator/audit/audit.ts'
import { makeBundle } from '../outputs/bundle/make-bundle.ts'
import { spkiOf, unpacked } from '../outputs/bundle/testing-bundle.ts'
import { startOutputsApp } from '../outputs/testing-outputs.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'
import { partyOf } from '../requests/core/party.ts'
import { findRequest } from '../requests/core/state.ts'
import { openRevisions } from '../requests/signed-pdf/revisions.ts'
import { publicUrl } from '../testing.ts'
import { originAt } from '../transparency/checkpoints.ts'
import { exportOrganization, keepOrganization } from './export.ts'
import { importOrganization } from './import.ts'
import { movedTables, stayingTables } from './tables.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const address = 'https://two.example/'
const from = 'https://one.example/'
const [one, two] = [await testDatabase(), await testDatabase()]
const source = await startOutputsApp('rsa', { database: one.database })
const storage = await folderStorage(temporaryFolder())
const target = await startRequestsApp({
  database: two.database,
  archive: { storage, checks: testWorkers.checks },
  signatures: { check: checksIn(source.nation, source.centre) },
})
const { sender, receiver, ours, time } = source
const log = { key: source.logKey, origin: 'one.example/log' }
const clock = () => time.now
const revisions = openRevisions()
afterAll(() => revisions.close())

const leave = (to: string, change: object = {}) =>
  exportOrganization({
    connection: one.connection,
    database: one.database,
    storage: source.archive.storage,
    log,
    bin: sender.bin,
    to,
    address,
    from,
    version: '0.57.0',
    clock,
    ...change,
  })
const queuedThere: string[] = []
const arrive = (folder: string, change: object = {}) =>
  importOrganization({
    ...two,
    storage,
    from: folder,
    clock,
    queueStamping: async (_, signatureId) => void queuedThere.push(signatureId),
    ...change,
  })

const audit = async (app: Pick<typeof target, 'database' | 'archive' | 'logKey'>) => {
  const { faults } = await auditAll(app.database.db, {
    log: { key: app.logKey, origin: originAt(publicUrl) },
    witnesses: [],
    known: [],
    storage: app.archive.storage,
    now: time.now,
  })
  return faults
}

async function rowsOf(connection: Connection, query: string, values: unknown[] = []) {
  const client = await connect(connection)
  try {
    return (await client.query<Record<string, unknown>>(query, values)).rows
  } finally {
    await client.end()
  }
}

test('every table is either moved or stays', async () => {
  const tables = await rowsOf(one.connection, `select tablename from pg_tables where schemaname = 'public'`)
  const listed = [...movedTables.map(({ table }) => table), ...Object.values(stayingTables).flat()]
  expect(listed.toSorted()).toEqual(tables.map(({ tablename }) => String(tablename)).toSorted())
})

describe('moving an organisation that received documents', () => {
  const comment = 'Рано'
  let guest: Awaited<ReturnType<typeof source.company>>
  let route = ''
  let shared = ''

  beforeAll(async () => {
    guest = await source.company()
    const { bin } = guest
    const external = { bin, organizationName: 'ТОО «Гость»', emails: ['guest@example.kz'] }
    route = await sender.route(
      await sender.point('CompanyInternalSign'),
      await sender.point('ExternalSign', external),
    )
    shared = await contractWithGuest()
  })

  async function contractWithGuest(): Promise<string> {
    const { signAt, look } = actingIn(source)
    const { result: sent } = await sender.send(route)
    await signAt(ours, sent, 'CompanyInternalSign', sender.stamp)
    const theirs = { id: guest.owner, organizationId: guest.organizationId }
    const { result: received } = await look(theirs, sent.id)
    const { result } = await signAt(theirs, received, 'ExternalSign', guest.stamp)
    expect(requestStatusOf(result.status)).toBe('Completed')
    return sent.id
  }

  const terminate = (signingRequestId: string) =>
    source.call(ours.id, terminateRequest, {
      organizationId: ours.organizationId,
      signingRequestId,
      comment,
    })

  test('takes them along: they cannot be terminated in the old installation, but new ones are sent and signed', async () => {
    const folder = join(temporaryFolder(), 'package')
    await leave(folder, { bin: guest.bin })
    const refused = await terminate(shared)
    expect([refused.status, refused.error.ExceptionData.Alias]).toEqual([409, 'side-moved'])
    const event = `insert into request_events (request_id, number, at, type, attempt, comment, data, before, after)
      values ('${shared}', 1000, now(), 'sent', 0, '', '{}', 1, 1)`
    await expect(one.database.writers.query(event)).rejects.toThrow('lives elsewhere')
    const { result: sent } = await sender.send(route)
    const { signAt } = actingIn(source)
    expect((await signAt(ours, sent, 'CompanyInternalSign', sender.stamp)).status).toBe(200)
    const { look, act } = actingIn(source)
    const theirs = { id: guest.owner, organizationId: guest.organizationId }
    expect((await look(theirs, shared)).status).toBe(200)
    // Somebody dismissed in the new installation is still an owner in this one, so what is sent later must stay
    // hidden.
    expect((await look(theirs, sent.id)).status).toBe(404)
    const page = { organizationId: guest.organizationId, route: 'incomings' as const, skip: 0, take: 10 }
    const { result: list } = await source.call(guest.owner, getRequests, page)
    expect(list.items.map(({ id }) => id)).not.toContain(sent.id)
    const nobody = { id: guest.owner }
    expect((await act(nobody, sent, 'ExternalSign', 'reject', { comment })).status).toBe(403)
    // A package that is made again has the same requests as before, and none that were sent since.
    expect(await leave(join(temporaryFolder(), 'package'), { bin: guest.bin })).not.toHaveProperty('underWay')
    const withdrawn = { organizationId: ours.organizationId, signingRequestId: sent.id, comment }
    expect((await source.call(ours.id, revokeRequest, withdrawn)).status).toBe(200)
    const kept = { organizationId: guest.organizationId, skip: 0, take: 10, isReceived: true }
    const { result: retained } = await source.call(guest.owner, getRetainedDocuments, kept)
    expect(retained.items.map(({ signingRequestId }) => signingRequestId)).toEqual([shared])
    const owed: string[] = []
    await arrive(folder, {
      ...(await testDatabase()),
      storage: await folderStorage(temporaryFolder()),
      queueStamping: async (_: unknown, signatureId: string) => void owed.push(signatureId),
    })
    const signatures = await rowsOf(
      one.connection,
      'select id from request_signatures where request_id = $1',
      [shared],
    )
    expect(owed.toSorted()).toEqual(signatures.map(({ id }) => String(id)).toSorted())
  })

  test('leaves them as they were if the move is cancelled', async () => {
    expect(await keepOrganization(one.connection, guest.bin, clock())).toBe(true)
    expect((await terminate(shared)).status).toBe(200)
    const { look, act } = actingIn(source)
    const theirs = { id: guest.owner, organizationId: guest.organizationId }
    const { result: begun } = await look(theirs, shared)
    const points = { id: shared, points: begun.termination!.points }
    expect((await act(ours, points, 'CompanyInternalSign', 'reject', { comment })).status).toBe(200)
  })
})

/** The person with a password and a second step. */
let anna = ''

/** Gives a person a password and a second step, and makes them a member of the organisation. */
async function withTwoSteps(personId: string, organizationId: string): Promise<void> {
  await source.make.member(organizationId, personId, 'Employee')
  const set = `update users set issuer = 'embedded', subject = $1 where id = $1`
  await rowsOf(one.connection, set, [personId])
  const account = {
    id: personId,
    email: `${personId}@example.kz`,
    fullName: 'Анна',
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA',
    language: 'ru' as const,
    emailConfirmedAt: time.now,
    iin: null,
    iinLinkedAt: null,
    createdAt: time.now,
    sessionsValidFrom: null,
  }
  const factor = {
    accountId: personId,
    secret: Buffer.alloc(20, 7),
    confirmedAt: time.now,
    lastStep: 1,
    createdAt: time.now,
  }
  await source.database.write(async (tx) => {
    await tx.insertInto('signInAccounts').values(account).execute()
    await tx.insertInto('signInSecondFactors').values(factor).execute()
    await tx
      .insertInto('signInRecoveryCodes')
      .values({ accountId: personId, sha256: Buffer.alloc(32, 8) })
      .execute()
  })
}

describe('a moving organisation', () => {
  const folder = join(temporaryFolder(), 'package')
  let contract = ''
  let kindId = ''
  let inside = ''
  let expected = ''

  beforeAll(async () => {
    const journal = await source.call(sender.owner, addJournal, {
      organizationId: sender.organizationId,
      name: 'Исходящие',
      direction: 'outgoing',
      prefix: 'И-',
      yearPlace: 'after',
      width: 3,
      firstNumber: 1,
    })
    const kind = await source.call(sender.owner, addDocumentKind, {
      organizationId: sender.organizationId,
      name: 'Договор',
      journalId: journal.result.id,
      registersAtSending: true,
    })
    kindId = kind.result.id
    const absence = {
      id: newId(),
      organizationId: sender.organizationId,
      absentId: sender.employee,
      substituteId: sender.colleague,
      fromDate: '2026-12-01',
      toDate: '2026-12-10',
      createdAt: time.now,
      endedAt: null,
      endedBy: null,
    }
    await source.database.write((tx) => tx.insertInto('substitutions').values(absence).execute())
    anna = await source.make.person('Анна')
    await withTwoSteps(anna, sender.organizationId)
    inside = await sender.route(await sender.point('CompanyInternalSign'))
    contract = (await source.contract({ kindId })).id
    await source.contract({ kindId })
    await source.stampAll()
    await nameListWithTimestamp()
    await rowsOf(two.connection, 'insert into free_request_counts (holder, created) values ($1, 1)', [
      `number ${sender.bin}`,
    ])
  })

  /** Adds a CRL that only the evidence of a timestamp refers to, too long to be embedded in a signature. */
  async function nameListWithTimestamp(): Promise<void> {
    await rowsOf(one.connection, 'alter table signature_timestamps disable trigger user')
    await rowsOf(
      one.connection,
      `with list as (insert into revocation_lists (sha256, packed, size, kept_at)
         values (sha256('a list'), 'packed', 100000, now()) returning sha256)
       update signature_timestamps set evidence = jsonb_set(evidence::jsonb, '{crls}',
         jsonb_build_array(jsonb_build_object('sha256', encode((select sha256 from list), 'hex'))))
       where signature_id = (select t.signature_id from signature_timestamps t
         join request_signatures s on s.id = t.signature_id join signing_requests r on r.id = s.request_id
         where r.id <> $1 and r.organization_id = $2 limit 1)`,
      [contract, sender.organizationId],
    )
    await rowsOf(one.connection, 'alter table signature_timestamps enable trigger user')
  }

  test('does not leave while a request is under way, and can be used as before', async () => {
    const { id } = (await sender.send(inside)).result
    const { underWay } = await leave(join(temporaryFolder(), 'package'))
    expect(underWay).toEqual([{ what: 'request', id, name: 'Договор поставки' }])
    const { signAt } = actingIn(source)
    const view = await source.call(ours.id, getRequest, {
      organizationId: ours.organizationId,
      signingRequestId: id,
    })
    expect((await signAt(ours, view.result, 'CompanyInternalSign', sender.stamp)).status).toBe(200)
  })

  test('can be kept after it was to leave', async () => {
    await leave(join(temporaryFolder(), 'package'))
    expect(await keepOrganization(one.connection, sender.bin, clock())).toBe(true)
    expect(await keepOrganization(one.connection, sender.bin, clock())).toBe(false)
    expect((await sender.upload(ours.id, ours.organizationId)).status).toBe(200)
  })

  test('is read-only in the old installation, which shows its new address', async () => {
    const made = await leave(folder)
    expected = 'manifestSha256' in made ? made.manifestSha256 : ''
    const refused = await sender.upload(ours.id, ours.organizationId)
    expect(refused.error.ExceptionData.Alias).toBe('organization-moved')
    const { result } = await source.call(ours.id, getOrganizations, {})
    expect(result.Organizations).toMatchObject([{ Bin: sender.bin, LivesAt: address }])
    const seen = { organizationId: ours.organizationId, signingRequestId: contract }
    expect((await source.call(ours.id, getRequest, seen)).status).toBe(200)
    // The side that stays keeps the contract, but cannot ask an organisation that has left to terminate it.
    const other = { organizationId: receiver.organizationId, signingRequestId: contract }
    expect((await source.call(receiver.owner, getRequest, other)).status).toBe(200)
    expect((await source.call(receiver.owner, terminateRequest, { ...other, comment: 'Рано' })).status).toBe(
      409,
    )
    await expect(leave(folder)).rejects.toThrow('has a package already')
  })

  test('cannot be changed in the old installation, except by what the installation owes others', async () => {
    const values = [sender.organizationId]
    const trying = (statement: string) =>
      one.database.writers.query(statement.replaceAll('$1', `'${sender.organizationId}'`))
    for (const statement of [
      `update signing_requests set name = 'Other', version = version + 1 where organization_id = $1`,
      `insert into groups (id, organization_id, name, created_at) values (gen_random_uuid(), $1, 'Other', now())`,
      `update documents set description = 'Other' where organization_id = $1`,
      `insert into request_events (request_id, number, at, type, attempt, comment, data, before, after)
       select id, 1000, now(), 'sent', 0, '', '{}', 1, 1 from signing_requests where organization_id = $1`,
    ])
      await expect(trying(statement)).rejects.toThrow('lives elsewhere')
    const client = await connect(one.connection)
    await client.query('begin')
    const gone = await client.query('delete from documents where organization_id = $1', values)
    expect(gone.rowCount).toBeGreaterThan(0)
    const left = await client.query(
      'select from signing_requests where organization_id = $1 and document_id is null',
      values,
    )
    expect(left.rowCount).toBeGreaterThan(0)
    const ended = await client.query(
      'update substitutions set ended_at = now(), ended_by = absent_id where organization_id = $1',
      values,
    )
    expect(ended.rowCount).toBe(1)
    await client.query('rollback')
    await client.end()
  })

  test('is refused with a package that was changed, is of a newer version, or has another hash', async () => {
    const spoiled = () => {
      const copy = join(temporaryFolder(), 'package')
      cpSync(folder, copy, { recursive: true })
      return copy
    }
    const table = spoiled()
    appendFileSync(join(table, 'documents.copy.gz'), 'x')
    await expect(arrive(table)).rejects.toThrow('documents.copy.gz')
    const file = spoiled()
    const names = readdirSync(join(file, 'files'), { recursive: true, encoding: 'utf8' })
    appendFileSync(
      join(
        file,
        'files',
        names.find((name) => /\/[0-9a-f]{64}$/.test(name))!,
      ),
      'x',
    )
    await expect(arrive(file)).rejects.toThrow('is not what was exported')
    const rewritten = (change: (manifest: Record<string, unknown>) => object) => {
      const copy = spoiled()
      const path = join(copy, 'manifest.json')
      const text = JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>))
      writeFileSync(path, text)
      const hash = createHash('sha256').update(text).digest('hex')
      writeFileSync(`${path}.sha256`, `${hash}  manifest.json\n`)
      return copy
    }
    const later = { name: '9999_later.sql', sha256: '0'.repeat(64) }
    const newer = rewritten((manifest) => ({
      ...manifest,
      migrations: [...(manifest['migrations'] as object[]), later],
    }))
    await expect(arrive(newer)).rejects.toThrow('newer than this one')
    const demo = rewritten((manifest) => ({ ...manifest, mode: 'demo' }))
    await expect(arrive(demo)).rejects.toThrow('is a demo')
    await expect(arrive(folder, { expected: '0'.repeat(64) })).rejects.toThrow(
      'not the one that was expected',
    )
    expect(await rowsOf(two.connection, 'select id from organizations')).toEqual([])
    expect(await storage.isEmpty()).toBe(true)
  })

  test('arrives with every row and file, once, also after an import that was killed', async () => {
    // As if the process was killed while it stored files: there are files, but no rows.
    const broken = { ...storage, borrow: storage.borrow, keep: storage.keep }
    let kept = 0
    broken.keep = async (...given) => {
      if (++kept === 2) throw new Error('killed')
      await storage.keep(...given)
    }
    await expect(arrive(folder, { storage: broken })).rejects.toThrow('killed')
    expect(await arrive(folder, { expected })).toMatchObject({ isRepeated: false, merged: 0 })
    expect(await arrive(folder)).toMatchObject({ isRepeated: true })
    for (const { table, numbered, own = [] } of movedTables) {
      if (['organizations', 'users', 'earlier_logs', 'earlier_log_entries'].includes(table)) continue
      const shown = async (connection: Connection) => {
        const rows = await rowsOf(connection, `select * from ${table}`)
        const without = (row: Record<string, unknown>) =>
          JSON.stringify(Object.entries(row).filter(([name]) => name !== numbered && !own.includes(name)))
        return new Set(rows.map(without))
      }
      const [before, after] = [await shown(one.connection), await shown(two.connection)]
      expect([table, [...after].filter((row) => !before.has(row))]).toEqual([table, []])
    }
    const counted = `select (select count(*) from request_events) as events, (select count(*) from request_signatures) as signatures,
      (select count(*) from registrations) as numbers,
      (select count(*) from documents where organization_id = $1) as documents,
      (select bytes from file_bytes where organization_id = $1) > 0 as bytes,
      (select sum(count)::int from document_counts where organization_id = $1) as counted`
    const values = [sender.organizationId]
    expect(await rowsOf(two.connection, counted, values)).toEqual(
      await rowsOf(one.connection, counted, values),
    )
    const twoSteps = `select account_id, secret, confirmed_at is not null as asked, (select count(*)::int from sign_in_recovery_codes) as codes
      from sign_in_second_factors`
    const asked = await rowsOf(two.connection, twoSteps)
    expect(asked).toMatchObject([{ asked: true, codes: 1 }])
    expect(asked).toEqual(await rowsOf(one.connection, twoSteps))
    const people = `select full_name, email, issuer from users where id = $1`
    expect(await rowsOf(two.connection, people, [ours.id])).toEqual(
      await rowsOf(one.connection, people, [ours.id]),
    )
  })

  test('keeps its count of used free requests, also where fewer were counted before', async () => {
    const used = 'select created from free_request_counts where holder = $1'
    const before = await rowsOf(one.connection, used, [`number ${sender.bin}`])
    expect(before).toHaveLength(1)
    expect(await rowsOf(two.connection, used, [`number ${sender.bin}`])).toEqual(before)
  })

  test('keeps every revocation list that its evidence names, also those of its timestamps', async () => {
    const list = `select size from revocation_lists where sha256 = sha256('a list')`
    expect(await rowsOf(two.connection, list)).toEqual([{ size: 100_000 }])
  })

  test('gets in the new installation the timestamps that its signatures still waited for', async () => {
    expect(source.toStamp.length).toBeGreaterThan(0)
    expect([...new Set(queuedThere)].toSorted()).toEqual(source.toStamp.toSorted())
  })

  test('passes the audit in both installations, which finds changes of the earlier log', async () => {
    expect(await audit(source)).toEqual([])
    expect(await audit(target)).toEqual([])
    const proofs = await rowsOf(two.connection, 'select count(*) as count from earlier_log_entries')
    const events = await rowsOf(two.connection, 'select count(*) as count from request_events')
    expect(proofs).toEqual(events)
    await rowsOf(two.connection, 'alter table earlier_logs disable trigger user')
    const change = (sign: string) => rowsOf(two.connection, `update earlier_logs set size = size ${sign} 1`)
    await change('+')
    const faults = new Set((await audit(target)).map(({ fault }) => fault))
    expect(faults).toContain('earlier-head-not-signed')
    await change('-')
    await rowsOf(two.connection, 'alter table earlier_logs enable trigger user')
  })

  test('has evidence bundles in the new installation that are valid without us', async () => {
    const { viewer } = await partyOf(
      two.database.db,
      { userId: ours.id, member: { organizationId: ours.organizationId, roles: 0 } },
      time.now,
    )
    const path = join(temporaryFolder(), 'bundle.zip')
    await makeBundle(
      {
        database: two.database,
        storage,
        revisions,
        logKey: target.logKey,
        publicUrl,
        viewer,
        witnessing: undefined,
        now: time.now,
        loaded: (await findRequest(two.database.db, contract))!,
        report: Buffer.from('%PDF report'),
      },
      path,
    )
    const found = await checkBundle(filesAtHand(await unpacked(path)), {
      trust: { roots: [source.nation.root], others: [] },
      at: new Date('2036-01-01T00:00:00Z'),
      logKeys: [spkiOf(target.logKey)],
    })
    expect(found.faults).toEqual([])
    expect(found.history).toMatchObject({ isProved: true, leftOut: 0 })
    expect(found.signatures.map(({ findings }) => findings)).toEqual([[], []])
  })

  test('continues in the new installation: the next document gets the next number, and is signed', async () => {
    target.time.now = time.now
    const { organizationId, employee } = sender
    const document = (await uploader(target)(employee, organizationId)).result
    const sent = await target.call(employee, createRequest, {
      organizationId,
      documentId: document.id,
      routeId: inside,
      name: 'Дальше',
      kindId,
    })
    expect(sent.result.registration?.number).toBe('И-003/2026')
    const { signAt } = actingIn(target)
    expect((await signAt(ours, sent.result, 'CompanyInternalSign', sender.stamp)).status).toBe(200)
    expect(await audit(target)).toEqual([])
  })

  test('is followed by the other side, which finds their common contract', async () => {
    const second = join(temporaryFolder(), 'package')
    await leave(second, { bin: receiver.bin })
    expect(await arrive(second)).toMatchObject({ isRepeated: false })
    const seen = { organizationId: receiver.organizationId, signingRequestId: contract }
    const { result } = await target.call(receiver.owner, getRequest, seen)
    expect(result).toMatchObject({ id: contract })
    // In a third installation the sender is known by name only, with the address where it lives now.
    const third = await testDatabase()
    await arrive(second, { ...third, storage: await folderStorage(temporaryFolder()) })
    const [guest] = await rowsOf(third.connection, 'select * from organizations where id = $1', [
      sender.organizationId,
    ])
    expect(guest).toMatchObject({ lives_at: address, confirmed_at: null, email: '' })
    const [author] = await rowsOf(third.connection, 'select * from users where id = $1', [ours.id])
    expect(author).toMatchObject({ issuer: 'elsewhere', email: '', login: '', iin: null })
    const begun = await target.call(receiver.owner, terminateRequest, { ...seen, comment: 'Передумали' })
    expect(begun.status).toBe(200)
    expect(await audit(target)).toEqual([])
    expect(await audit(source)).toEqual([])
  })
})

test('people with an account in the new installation keep using it', async () => {
  const other = await source.company()
  await source.database.write((tx) =>
    tx.updateTable('users').set({ iin: '880101300001' }).where('id', '=', other.employee).execute(),
  )
  const known = await target.make.person()
  await target.database.write((tx) =>
    tx.updateTable('users').set({ iin: '880101300001' }).where('id', '=', known).execute(),
  )
  const escalation = { kind: 'person', id: other.employee, mayAct: true } as const
  await source.call(other.owner, routeCalls.add, {
    organizationId: other.organizationId,
    name: 'Со сроком',
    description: '',
    visibilityScope: 2,
    points: [{ pointId: await other.point('InternalApprove'), order: 1, termDays: 1, escalation }],
  })
  const folder = join(temporaryFolder(), 'package')
  await leave(folder, { bin: other.bin })
  expect(await arrive(folder)).toMatchObject({ merged: 1 })
  const { result } = await target.call(known, getOrganizations, {})
  expect(result.Organizations).toMatchObject([{ Bin: other.bin, LivesAt: null }])
  const named = 'select escalation_user_id from route_points where organization_id = $1'
  expect(await rowsOf(two.connection, named, [other.organizationId])).toEqual([{ escalation_user_id: known }])
  expect(await audit(target)).toEqual([])
})

describe('a person with an account in the new installation', () => {
  const factors = `select f.account_id, count(c.sha256)::int as codes from sign_in_second_factors f
    left join sign_in_recovery_codes c using (account_id) where f.account_id = $1 group by 1`
  const moveOne = async (bin: string) => {
    const folder = join(temporaryFolder(), 'package')
    await leave(folder, { bin })
    return arrive(folder)
  }

  test('keeps their own second factor, or none, when merged with a moved person', async () => {
    const other = await source.company()
    const boris = await source.make.person('Борис')
    await withTwoSteps(boris, other.organizationId)
    const known = await target.make.person('Борис')
    const proved = `update users set issuer = 'embedded', email = 'boris@example.kz', is_email_confirmed = true where id = $1`
    await rowsOf(one.connection, proved, [boris])
    await rowsOf(two.connection, proved, [known])
    expect(await moveOne(other.bin)).toMatchObject({ merged: 1 })
    expect(await rowsOf(two.connection, factors, [boris])).toEqual([])
  })

  test('does not get back a second factor they removed there when their next organisation moves', async () => {
    const next = await source.company()
    await source.make.member(next.organizationId, anna, 'Employee')
    expect(await rowsOf(two.connection, factors, [anna])).toEqual([{ account_id: anna, codes: 1 }])
    await rowsOf(two.connection, 'delete from sign_in_recovery_codes where account_id = $1', [anna])
    await moveOne(next.bin)
    expect(await rowsOf(two.connection, factors, [anna])).toEqual([{ account_id: anna, codes: 0 }])
    await rowsOf(two.connection, 'delete from sign_in_second_factors where account_id = $1', [anna])
    const last = await source.company()
    await source.make.member(last.organizationId, anna, 'Employee')
    await moveOne(last.bin)
    expect(await rowsOf(two.connection, factors, [anna])).toEqual([])
  })
})

test('two people with one e-mail and different IINs are not merged', async () => {
  const other = await source.company()
  const known = await target.make.person()
  const proved = { email: 'office@example.kz', isEmailConfirmed: true }
  await source.database.write((tx) =>
    tx
      .updateTable('users')
      .set({ ...proved, iin: '880101300002' })
      .where('id', '=', other.employee)
      .execute(),
  )
  await target.database.write((tx) =>
    tx
      .updateTable('users')
      .set({ ...proved, iin: '880101300003' })
      .where('id', '=', known)
      .execute(),
  )
  const folder = join(temporaryFolder(), 'package')
  await leave(folder, { bin: other.bin })
  expect(await arrive(folder)).toMatchObject({ merged: 0 })
  const { result } = await target.call(known, getOrganizations, {})
  expect(result.Organizations).toEqual([])
})

test('an organisation whose number others have confirmed in the new installation is refused', async () => {
  const other = await source.company()
  const folder = join(temporaryFolder(), 'package')
  const taken = { bin: other.bin, confirmedAt: time.now }
  const id = await target.make.organization()
  await target.database.write((tx) =>
    tx.updateTable('organizations').set(taken).where('id', '=', id).execute(),
  )
  await leave(folder, { bin: other.bin })
  await expect(arrive(folder)).rejects.toThrow('is confirmed here already')
  await expect(leave(temporaryFolder(), { bin: '000000000000' })).rejects.toThrow('No confirmed organisation')
})

test('whoever is removed from an organisation that has moved loses access in the old installation, too', async () => {
  const { organizationId, owner, employee, bin } = await source.company()
  const { makeToken, ask } = programsOf(source)
  const { token, secret } = await makeToken(owner, organizationId)
  await leave(join(temporaryFolder(), 'package'), { bin })
  const mayRead = async () => (await source.call(employee, getOptions, { organizationId })).status
  expect(await mayRead()).toBe(200)
  const leaving = { organizationId, userId: employee }
  expect((await source.call(owner, previewRemoval, { ...leaving, skip: 0, take: 10 })).status).toBe(200)
  expect((await source.call(owner, removeMember, leaving)).status).toBe(200)
  expect(await mayRead()).toBe(403)
  expect((await ask(secret, getConnection, {})).status).toBe(200)
  expect((await source.call(owner, revokeToken, { organizationId, tokenId: token.id })).status).toBe(200)
  expect((await ask(secret, getConnection, {})).status).toBe(401)
})

test('the public key of the earlier log moves along', async () => {
  const rows = await rowsOf(two.connection, 'select distinct public_key from earlier_logs')
  const key = createPublicKey(source.logKey).export({ type: 'spki', format: 'der' })
  expect(rows).toEqual([{ public_key: key }])
})
