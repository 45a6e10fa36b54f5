/**
 * The process is killed after each of the commits of a call: the repeated call makes nothing twice and loses nothing.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testDatabase } from '@kelisim/db/testing.ts'
import { newId } from '@kelisim/db/id.ts'
import { sendFromTemplate } from '@kelisim/domain/integration/calls/requests-contract.ts'
import { addTemplate } from '@kelisim/domain/rich-text/contract.ts'
import { testWorkers } from '../testing-workers.ts'
import { folderStorage } from '../documents/storage/folder.ts'
import { startRequestsApp } from '../requests/core/testing-requests.ts'
import { programsOf } from './testing-programs.ts'

const { database, connection } = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'kelisim-files-'))
const app = await startRequestsApp({
  database,
  archive: { storage: await folderStorage(folder), checks: testWorkers.checks },
})
const { makeToken, ask } = programsOf(app)
const sender = await app.company()
const route = await sender.route(await sender.point('CompanyInternalSign'))
const { secret } = await makeToken(sender.owner, sender.organizationId)
const { result: template } = await app.call(sender.owner, addTemplate, {
  organizationId: sender.organizationId,
  param: 'new',
  name: 'Поставка',
  template: '<p>На <span data-variable="Сумма" data-kind="number">Сумма</span> тенге</p>',
  language: 'ru',
})
const input = {
  templateId: template.id,
  fileName: 'Договор',
  values: { Сумма: '5' },
  name: 'Договор',
  routeId: route,
}

async function killedAfter(commits: number, key: string): Promise<boolean> {
  const call = {
    url: sendFromTemplate.path,
    payload: input,
    headers: { authorization: `Bearer ${secret}`, 'idempotency-key': key },
  }
  const settings = { connection, folder, now: app.time.now.toISOString(), commits, call }
  const child = fork(new URL('./testing-killed-program.ts', import.meta.url), [JSON.stringify(settings)], {
    execArgv: [],
  })
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return signal === 'SIGKILL'
}

async function made(): Promise<{ requests: number; documents: number }> {
  const { rows } = await database.pool.query<{ requests: number; documents: number }>(
    `select (select count(*)::integer from signing_requests) as requests, (select count(*)::integer from documents) as documents`,
  )
  return rows[0]!
}

test('a call repeated after its process was killed at any commit makes one request', async () => {
  // The last use of the token is saved once a minute; saving it now makes the commits of each call the same.
  await ask(secret, sendFromTemplate, input)
  let commits = 0
  for (let isKilled = true; isKilled;) {
    const before = await made()
    const key = newId()
    isKilled = await killedAfter(++commits, key)
    const { status, result } = await ask(secret, sendFromTemplate, input, { key })
    expect([status, result.status], `${commits}`).toEqual([200, 'InProgress'])
    expect(await made(), `${commits}`).toEqual({
      requests: before.requests + 1,
      documents: before.documents + 1,
    })
  }
  // The commits are: call begun, document, request, response.
  expect(commits - 1).toBeGreaterThanOrEqual(4)
}, 240_000)
