/** For an hour, whoever deleted something, and nobody else, can put it back as it was. */
import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { newId } from '@kelisim/db/id.ts'
import { restoreDeleted } from '@kelisim/domain/deletions/contract.ts'
import { hour } from '@kelisim/domain/durations.ts'
import { deleteDocument, getDocument, getDocuments } from '@kelisim/domain/documents/contract.ts'
import { deletePoint, getPoint } from '@kelisim/domain/points/contract.ts'
import { addTemplate, deleteTemplate, getTemplate } from '@kelisim/domain/rich-text/contract.ts'
import { getUses } from '@kelisim/domain/uses/contract.ts'
import { revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { callsByKind, type RouteKind } from '@kelisim/domain/routes/contract.ts'
import { search } from '@kelisim/domain/search/contract.ts'
import { startRequestsApp } from '../requests/core/testing-requests.ts'
import { aliasOf, routeForm } from '../routes/testing-routes.ts'
import { findReleasedFiles } from '../documents/queries.ts'
import { placesOf, sweepDeletions } from './queries.ts'

const app = await startRequestsApp()
const { call, database, time } = app
const company = await app.company()
const { organizationId, owner, employee, colleague } = company

const restore = (personId: string, deletionId: string) =>
  call(personId, restoreDeleted, { organizationId, deletionId })

describe('a restored object is as it was before', () => {
  test('a point with its e-mails', async () => {
    const pointId = await company.point('ExternalSign', {
      bin: '880315300123',
      emails: ['b@example.kz', 'a@example.kz'],
    })
    const of = { organizationId, pointId }
    const before = (await call(owner, getPoint, of)).result
    const { result } = await call(owner, deletePoint, of)
    expect(aliasOf(await call(owner, getPoint, of))).toBe('point-not-found')
    expect((await restore(owner, result.deletionId)).result).toEqual({ kind: 'point', id: pointId })
    expect((await call(owner, getPoint, of)).result).toEqual(before)
  })

  test.each<RouteKind>(['route', 'template'])('a %s with its steps and versions', async (kind) => {
    const calls = callsByKind[kind]
    const point = await company.point('InternalApprove')
    const { id: routeId } = (await call(employee, calls.add, { organizationId, ...routeForm([point]) }))
      .result
    const of = { organizationId, routeId }
    const before = (await call(employee, calls.get, of)).result
    const { result } = await call(employee, calls.remove, of)
    await restore(employee, result.deletionId)
    expect((await call(employee, calls.get, of)).result).toEqual(before)
    expect((await call(employee, calls.version, { ...of, version: 1 })).status).toBe(200)
  })

  test('a document: in its list, in the search, with its bytes and its requests', async () => {
    const routeId = await company.route(await company.point('InternalApprove'))
    const { result: uploaded } = await company.upload(employee, organizationId, { visibilityScope: 2 })
    const documentId = uploaded.id
    const { result: sent } = await company.send(routeId, { documentId })
    await call(employee, revokeRequest, { organizationId, signingRequestId: sent.id, comment: 'Не надо' })
    const of = { organizationId, documentId }
    const before = (await call(employee, getDocument, of)).result
    const listed = async () =>
      (await call(employee, getDocuments, { organizationId, path: 'my', skip: 0, take: 10 })).result
        .totalCount
    const found = async () =>
      (
        await call(employee, search, {
          organizationId,
          q: uploaded.name,
          skip: 0,
          take: 10,
          kind: 'document',
        })
      ).result.groups.length
    const [count, hits] = [await listed(), await found()]
    const { result } = await call(employee, deleteDocument, of)
    expect(await listed()).toBe(count - 1)
    await restore(employee, result.deletionId)
    expect([await listed(), await found()]).toEqual([count, hits])
    expect((await call(employee, getDocument, of)).result).toEqual(before)
    const { result: uses } = await call(employee, getUses, {
      organizationId,
      kind: 'document',
      id: documentId,
    })
    expect(uses.uses.map(({ id }) => id)).toEqual([sent.id])
    // the sweep of released bytes leaves it alone
    const released = await findReleasedFiles(database.db, new Date(time.now.getTime() + hour), 100)
    expect(released).toEqual([])
  })

  test('a document template', async () => {
    const { result: template } = await call(employee, addTemplate, {
      organizationId,
      name: 'Приказ',
      description: '',
      language: 'ru',
      template: '<p>Приказываю</p>',
      param: 'new',
      visibilityScope: 2,
    })
    const of = { organizationId, templateId: template.id }
    const { result } = await call(employee, deleteTemplate, of)
    await restore(employee, result.deletionId)
    expect((await call(employee, getTemplate, of)).result).toEqual(template)
  })
})

describe('a deleted object is not restored', () => {
  const deletedPoint = async () => {
    const pointId = await company.point('InternalApprove')
    return (await call(owner, deletePoint, { organizationId, pointId })).result.deletionId
  }

  test('by somebody else, from another organisation, or twice', async () => {
    const deletionId = await deletedPoint()
    expect(aliasOf(await restore(colleague, deletionId))).toBe('deletion-not-found')
    expect(aliasOf(await restore(employee, deletionId))).toBe('deletion-not-found')
    expect(aliasOf(await restore(owner, newId()))).toBe('deletion-not-found')
    const other = await app.company()
    const from = { organizationId: other.organizationId, deletionId }
    expect(aliasOf(await call(other.owner, restoreDeleted, from))).toBe('deletion-not-found')
    const answers = await Promise.all([1, 2, 3].map(() => restore(owner, deletionId)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('after an hour; then its rows are forgotten', async () => {
    const deletionId = await deletedPoint()
    time.now = new Date(time.now.getTime() + hour + 1)
    expect(aliasOf(await restore(owner, deletionId))).toBe('deletion-not-found')
    await database.write((tx) => sweepDeletions(tx, time.now))
    expect(await database.db.selectFrom('deletions').select('id').execute()).toEqual([])
  })

  test('when an object that it uses was deleted as well', async () => {
    const pointId = await company.point('InternalApprove')
    const calls = callsByKind['route']
    const { id: routeId } = (await call(owner, calls.add, { organizationId, ...routeForm([pointId]) })).result
    const { result } = await call(owner, calls.remove, { organizationId, routeId })
    await call(owner, deletePoint, { organizationId, pointId })
    expect(aliasOf(await restore(owner, result.deletionId))).toBe('restore-error')
  })
})

test('every table from which a deletion removes rows is kept for restoring, and every column that it empties', async () => {
  const { rows } = await sql<{ used: string; table: string; column: string; action: string }>`
    select k.confrelid::regclass::text as used, k.conrelid::regclass::text as table, k.confdeltype as action,
      (select string_agg(a.attname, ',') from pg_attribute a
        where a.attrelid = k.conrelid and a.attnum = any(k.conkey) and a.attname <> 'organization_id') as column
    from pg_constraint k
    where k.contype = 'f' and k.confdeltype in ('c', 'n')
      and k.confrelid in ('documents'::regclass, 'points'::regclass, 'routes'::regclass,
        'document_templates'::regclass)`.execute(database.db)
  const kept = Object.values(placesOf).flatMap(({ rows: own, references }) => {
    const used = own[0]!.table
    return [
      ...own.slice(1).map(({ table, column }) => ({ used, table, column, action: 'c' })),
      ...references.map(({ table, column }) => ({ used, table, column, action: 'n' })),
    ]
  })
  const named = (all: typeof kept) =>
    [...new Set(all.map(({ used, table, column, action }) => `${used} ${table}.${column} ${action}`))].sort()
  expect(named(rows)).toEqual(named(kept))
})
