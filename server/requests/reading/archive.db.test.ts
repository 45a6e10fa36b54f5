/** Several requests are downloaded as one archive. */
import { readdirSync, readlinkSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { publicUrl } from '../../testing.ts'
import { actingIn, startRequestsApp } from '../core/testing-requests.ts'
import { unpacked } from './testing-archive.ts'

const testApp = await startRequestsApp()
const { app, tokenOf } = testApp
const { signAt } = actingIn(testApp)

async function scene() {
  const sender = await testApp.company()
  const receiver = await testApp.company()
  const signing = await sender.point('CompanyInternalSign')
  const external = await sender.point('ExternalSign', { bin: receiver.bin, emails: ['a@example.kz'] })
  return { sender, receiver, route: await sender.route(signing, external) }
}

async function archive(id: string, organizationId: string, ids: string[]) {
  return app.inject({
    url: `/api/SigningRequests/${organizationId}/archive?ids=${ids.join(',')}`,
    headers: { cookie: `session=${await tokenOf(id)}`, origin: publicUrl.origin },
  })
}

/** The open files of this process; known only on Linux. */
function openFiles(): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return []
    }
  })
}

test('an archive has a folder for each request with the unchanged document and its accepted signatures', async () => {
  const { sender, route } = await scene()
  const { employee, organizationId } = sender
  const { result: one } = await sender.send(route, { name: 'Договор № 1/26' })
  const { result: two } = await sender.send(route, { name: 'договор № 1/26' })
  await signAt({ id: employee, organizationId }, one, 'CompanyInternalSign', sender.stamp)
  const response = await archive(employee, organizationId, [one.id, two.id, one.id])
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('application/zip')
  const files = await unpacked(response.rawPayload)
  const names = [...files.keys()]
  expect(names).toHaveLength(3)
  expect(names[0]).toBe(`Договор № 1_26/${one.document.fileName}`)
  expect(names[1]).toMatch(/^Договор № 1_26\/.+ - .+\.cms$/)
  expect(names[2]).toBe(`договор № 1_26 (2)/${two.document.fileName}`)
  expect(files.get(names[0]!)!.equals(goodPdf)).toBe(true)
  expect(files.get(names[1]!)![0]).toBe(0x30)
})

test('an archive is refused if the caller may not see one of the requests', async () => {
  const { sender, receiver, route } = await scene()
  const { result: sent } = await sender.send(route)
  const other = await scene()
  const { result: foreign } = await other.sender.send(other.route)
  const refused = await archive(sender.employee, sender.organizationId, [sent.id, foreign.id])
  expect(refused.json()).toMatchObject({ ExceptionData: { Alias: 'signing-request-not-found' } })
  // The other side can download it from its turn on.
  expect((await archive(receiver.owner, receiver.organizationId, [sent.id])).statusCode).toBe(404)
  await signAt(
    { id: sender.employee, organizationId: sender.organizationId },
    ...([sent, 'CompanyInternalSign', sender.stamp] as const),
  )
  expect((await archive(receiver.owner, receiver.organizationId, [sent.id])).statusCode).toBe(200)
  expect((await archive(sender.employee, sender.organizationId, ['x'])).statusCode).toBe(400)
})

test('an archive is refused if a document is missing in the storage', async () => {
  const { sender, route } = await scene()
  const { result: sent } = await sender.send(route)
  const { fileId } = await testApp.database.db
    .selectFrom('signingRequests')
    .select('fileId')
    .where('id', '=', sent.id)
    .executeTakeFirstOrThrow()
  await testApp.archive.storage.remove(`${sender.organizationId}/${fileId.slice(-2)}/${fileId}`)
  const response = await archive(sender.employee, sender.organizationId, [sent.id])
  expect(response.json()).toMatchObject({ ExceptionData: { Alias: 'file-not-found' } })
  expect(openFiles().filter((path) => path.includes('kelisim-archive-'))).toEqual([])
})

test('a person can download one archive at a time', async () => {
  const { sender, route } = await scene()
  const { result: sent } = await sender.send(route)
  const ask = (id: string) => archive(id, sender.organizationId, [sent.id])
  const { storage } = testApp.archive
  const { borrow } = storage
  const [begun, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  storage.borrow = async (key) => {
    begun.resolve()
    await mayGoOn.promise
    return borrow(key)
  }
  const first = ask(sender.employee)
  await begun.promise
  const second = await ask(sender.employee)
  storage.borrow = borrow
  mayGoOn.resolve()
  expect(second.statusCode).toBe(429)
  expect(second.json()).toMatchObject({ ExceptionData: { Alias: 'archive-under-way' } })
  expect((await first).statusCode).toBe(200)
  await expect.poll(async () => (await ask(sender.employee)).statusCode).toBe(200)
  expect((await ask(sender.owner)).statusCode).toBe(200)
})

test('an archive that would be too large is refused with its size', async () => {
  const { sender, route } = await scene()
  const requests = [await sender.send(route), await sender.send(route)].map(({ result }) => result)
  await testApp.database.write(async (tx) => {
    await sql`alter table files disable trigger user`.execute(tx)
    await sql`update files set size = ${260 * 1024 * 1024}
      where id in (select file_id from signing_requests where id = any(${requests.map(({ id }) => id)}))`.execute(
      tx,
    )
    await sql`alter table files enable trigger user`.execute(tx)
  })
  const response = await archive(
    sender.employee,
    sender.organizationId,
    requests.map(({ id }) => id),
  )
  expect(response.statusCode).toBe(413)
  expect(response.json()).toMatchObject({
    ExceptionData: { Alias: 'archive-too-large', Parameters: { megabytes: 520, most: 500 } },
  })
})
