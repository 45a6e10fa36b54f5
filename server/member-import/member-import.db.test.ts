/**
 * Import of members: the problems reported beforehand, that everybody is invited once, and that the rest of a day
 * follows the next day.
 */
import { describe, expect, test } from 'vitest'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import { acceptInvitation } from '@kelisim/domain/identity/contract.ts'
import {
  addMemberImport,
  downloadBadRows,
  downloadImportTemplate,
  getImportRows,
  getMemberImport,
  removeMemberImport,
  startMemberImport,
} from '@kelisim/domain/member-import/contract.ts'
import { addGroup, getGroups, getInvitations, invite, setRoles } from '@kelisim/domain/portal/contract.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import { day } from '@kelisim/domain/durations.ts'
import { openSignedLinks } from '../mail/signed-links.ts'
import { aliasOf } from '../routes/testing-routes.ts'
import { readTable } from '../tables/read-table.ts'
import { publicUrl, startTestApp } from '../testing.ts'
import { goOnWithImports, inviteQueued } from './inviting.ts'
import { sweepImports } from './queries.ts'
import { writeFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const queued: string[] = []
const testApp = await startTestApp({ queues: { queueImport: async (_, id) => void queued.push(id) } })
const { app, call, make, emails, time, travel, database, tokenOf } = testApp
const clock = () => time.now
const dependencies = {
  database,
  clock,
  publicUrl,
  queueMail: async (_: unknown, email: (typeof emails)[number]) => void emails.push(email),
  signedLinks: openSignedLinks(database, clock),
}
const all = { skip: 0, take: 100 }

async function organization() {
  const owner = await make.person('Бас')
  const organizationId = await make.organization(owner, 'ТОО Ромашка')
  await database.pool.query('update organizations set confirmed_at = now() where id = $1', [organizationId])
  const added = await call(owner, addGroup, { organizationId, name: 'Бухгалтерия', participants: [] })
  return { owner, organizationId, groupId: added.result.id, of: { organizationId } }
}

const headers = async (person: string) => ({
  origin: publicUrl.origin,
  cookie: `session=${await tokenOf(person)}`,
})

async function uploaded(person: string, organizationId: string, table: string) {
  const { path } = fillPath(addMemberImport.path, { organizationId })
  const response = await app.inject({
    method: 'POST',
    url: `${path}?name=${encodeURIComponent('Люди.csv')}`,
    headers: { ...(await headers(person)), 'content-type': 'application/octet-stream' },
    payload: Buffer.from(table),
  })
  return { status: response.statusCode, result: response.json(), error: response.json() }
}

async function downloaded(person: string, path: string) {
  const response = await app.inject({ method: 'GET', url: path, headers: await headers(person) })
  const file = join(await mkdtemp(join(tmpdir(), 'kelisim-rows-')), 'rows.xlsx')
  await writeFile(file, response.rawPayload)
  return { status: response.statusCode, table: await readTable(file) }
}

const head = 'Почта;ФИО;ИИН;Группы'

describe('a table of people', () => {
  test('says what is wrong with each row, invites the people of the other rows once, and keeps the bad rows', async () => {
    const { owner, organizationId, groupId, of } = await organization()
    const guest = await make.person('Қонақ')
    const table = [
      head,
      `${guest}@example.kz;Қонақ;;бухгалтерия`,
      'b@example.kz;Б;123;',
      'c@example.kz;В;;Склад',
      `${guest}@example.kz;Ещё раз;;`,
      'wrong;Г;;',
    ]
    const { result } = await uploaded(owner, organizationId, table.join('\n'))
    expect(result.counts).toEqual({ total: 5, good: 1, bad: 4, queued: 0, invited: 0 })
    const bad = await call(owner, getImportRows, { ...of, ...all, only: 'bad' })
    expect(bad.result.items.map(({ number, problems }) => [number, problems[0]])).toEqual([
      [3, { field: 'iin', problem: 'twelve-digits' }],
      [4, { field: 'groups', problem: 'group-unknown', names: 'Склад' }],
      [5, { field: 'email', problem: 'duplicate', row: 2 }],
      [6, { field: 'email', problem: 'email-incorrect' }],
    ])

    const start = { ...of, importId: result.id, language: 'kk' } as const
    await call(owner, startMemberImport, start)
    const again = await call(owner, startMemberImport, start)
    expect(again.result).toMatchObject({ isRunning: true, counts: { queued: 1, good: 0 } })
    expect(aliasOf(await call(owner, removeMemberImport, of))).toBe('member-import-running')
    expect(aliasOf((await uploaded(owner, organizationId, table.join('\n'))) as never)).toBe(
      'member-import-running',
    )
    const before = emails.length
    await Promise.all([inviteQueued(dependencies, result.id), inviteQueued(dependencies, result.id)])
    await inviteQueued(dependencies, result.id)
    expect(emails.slice(before).map(({ to, language }) => [to, language])).toEqual([
      [`${guest}@example.kz`, 'kk'],
    ])

    const token = emails.at(-1)!.button!.url.split('/').at(-1)!
    await call(guest, acceptInvitation, { token })
    const { items } = (await call(owner, getGroups, { ...of, ...all })).result
    expect(items.find(({ id }) => id === groupId)).toMatchObject({
      currentVersion: 2,
      participants: [{ userId: guest }],
    })

    await call(owner, addGroup, { ...of, name: 'Склад', participants: [] })
    const { memberImport } = (await call(owner, getMemberImport, of)).result
    expect(memberImport!.counts).toEqual({ total: 5, good: 1, bad: 3, queued: 0, invited: 1 })
    const { table: rows } = await downloaded(owner, `/api/MemberImport/${organizationId}/bad`)
    expect(rows).toMatchObject({
      table: { columns: ['Почта', 'ФИО', 'ИИН', 'Группы', 'Что исправить'], rows: { length: 3 } },
    })
  })

  test('invites nobody twice when uploaded again', async () => {
    const { owner, organizationId, of } = await organization()
    const table = `${head}\na@example.kz;;;\nb@example.kz;;;`
    const first = (await uploaded(owner, organizationId, table)).result
    await call(owner, startMemberImport, { ...of, importId: first.id, language: 'ru' })
    await inviteQueued(dependencies, first.id)
    const second = (await uploaded(owner, organizationId, table)).result
    expect(second.counts).toMatchObject({ good: 0, bad: 2 })
    const late = await call(owner, startMemberImport, { ...of, importId: first.id, language: 'ru' })
    expect(aliasOf(late)).toBe('member-import-not-found')
    const { totalCount } = (await call(owner, getInvitations, { ...of, ...all })).result
    expect(totalCount).toBe(2)
  })

  test('is refused without a column of e-mail addresses, or if it cannot be read', async () => {
    const { owner, organizationId } = await organization()
    const refused = await uploaded(owner, organizationId, 'ФИО;ИИН\nА;1')
    expect([refused.status, refused.error.ExceptionData]).toEqual([
      400,
      { Alias: 'table-unreadable', Parameters: { fault: 'no-email', names: '' } },
    ])
    expect((await uploaded(owner, organizationId, 'Почта')).error.ExceptionData.Parameters.fault).toBe(
      'no-rows',
    )
  })

  test('is for owners only, and is not found before an upload', async () => {
    const { owner, organizationId, of } = await organization()
    const stranger = await organization()
    expect((await call(stranger.owner, getMemberImport, of)).status).toBe(403)
    expect((await call(owner, getMemberImport, of)).result).toEqual({ memberImport: null })
    expect(aliasOf(await call(owner, getImportRows, { ...of, ...all }))).toBe('member-import-not-found')
    const gone = await downloaded(owner, fillPath(downloadBadRows.path, { organizationId }).path)
    expect(gone.status).toBe(404)
  })

  test('is deleted by an owner, or after thirty days', async () => {
    const { owner, organizationId, of } = await organization()
    await uploaded(owner, organizationId, `${head}\na@example.kz;;;`)
    await call(owner, removeMemberImport, of)
    expect((await call(owner, getMemberImport, of)).result.memberImport).toBeNull()
    await uploaded(owner, organizationId, `${head}\na@example.kz;;;`)
    await database.write((tx) => sweepImports(tx, new Date(time.now.getTime() + 29 * day)))
    expect((await call(owner, getMemberImport, of)).result.memberImport).not.toBeNull()
    await database.write((tx) => sweepImports(tx, new Date(time.now.getTime() + 31 * day)))
    expect((await call(owner, getMemberImport, of)).result.memberImport).toBeNull()
  })

  test('has a template that can be uploaded as it is', async () => {
    const { owner, organizationId } = await organization()
    const { path } = fillPath(downloadImportTemplate.path, { organizationId })
    const { table } = await downloaded(owner, path)
    expect(table).toMatchObject({
      table: { columns: ['Почта', 'ФИО', 'ИИН', 'Группы'], rows: [{ cells: { 3: 'Бухгалтерия' } }] },
    })
  })
})

describe('while people are invited', () => {
  test('the daily limit of e-mails pauses the import until midnight', async () => {
    const { owner, organizationId, of } = await organization()
    const people = Array.from({ length: 120 }, (_, i) => `p${i}@big-company.kz;;;`)
    const { id } = (await uploaded(owner, organizationId, [head, ...people].join('\n'))).result
    await call(owner, startMemberImport, { ...of, importId: id, language: 'ru' })
    await inviteQueued(dependencies, id)
    const paused = (await call(owner, getMemberImport, of)).result.memberImport!
    expect(paused).toMatchObject({
      isRunning: false,
      pausedUntil: '2026-11-15T19:00:00.000Z',
      counts: { invited: 100, queued: 20 },
    })
    await inviteQueued(dependencies, id)
    const goOn = (now: Date) =>
      database.write((tx) => goOnWithImports(tx, async (importId) => void queued.push(importId), now))
    queued.length = 0
    await goOn(time.now)
    expect(queued).toEqual([])
    const noon = time.now
    await travel(new Date('2026-11-15T19:04:00Z'))
    await goOn(time.now)
    expect(queued).toEqual([id])
    await inviteQueued(dependencies, id)
    const done = (await call(owner, getMemberImport, of)).result.memberImport!
    expect(done.counts).toMatchObject({ invited: 120, queued: 0 })
    await travel(noon)
  })

  test('a row whose person was invited meanwhile says so, and rows started by a former owner fail', async () => {
    const { owner, organizationId, of } = await organization()
    const other = await make.person('Второй')
    await make.member(organizationId, other, 'Owner')
    const { id } = (await uploaded(other, organizationId, `${head}\na@example.kz;;;\nb@example.kz;;;`)).result
    await call(other, startMemberImport, { ...of, importId: id, language: 'ru' })
    await call(owner, invite, { ...of, email: 'a@example.kz', roles: roles.of('Employee'), language: 'ru' })
    await call(owner, setRoles, { ...of, userId: other, roles: roles.of('Employee') })
    await inviteQueued(dependencies, id)
    const { items } = (await call(owner, getImportRows, { ...of, ...all })).result
    expect(items).toMatchObject([
      { state: 'new', problems: [{ problem: 'already-invited' }] },
      { state: 'failed', failure: { alias: 'not-enough-permissions' } },
    ])
    await call(owner, startMemberImport, { ...of, importId: id, language: 'ru' })
    await inviteQueued(dependencies, id)
    const after = (await call(owner, getMemberImport, of)).result.memberImport!
    expect(after.counts).toMatchObject({ invited: 1, bad: 1 })
  })
})
