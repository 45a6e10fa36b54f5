/** Both storages behave the same; the S3 storage is tested against a real server of its protocol. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderStorage } from './folder.ts'
import { receive, TooLarge } from './receive.ts'
import { s3Storage } from './s3.ts'
import { keyOf, readKey, StorageError, type Storage, type StoredFile } from './storage.ts'
import { borrowVerified, reached } from './verified.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'kelisim-storage-'))
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: newFolder(),
  configureBuckets: ['documents', 'empty', 'listed'].map((name) => ({ name, configs: [] })),
})
let running: Server
const storages: Record<string, Storage> = {}

beforeAll(async () => {
  await server.configureBuckets()
  running = await new Promise<Server>((resolve) => {
    const http = server.listen(0, '127.0.0.1', () => resolve(http))
  })
  storages['a folder'] = await folderStorage(newFolder())
  storages['S3'] = await s3Storage(configOf((running.address() as AddressInfo).port), newFolder())
})
afterAll(() => new Promise((resolve) => running.close(resolve)))

function configOf(port: number) {
  const url = new URL(`http://127.0.0.1:${port}/documents/`)
  return { url, region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
}

function inEmptyBucket(bucket = 'empty') {
  const { url, ...config } = configOf((running.address() as AddressInfo).port)
  return s3Storage({ ...config, url: new URL(`../${bucket}/`, url) }, newFolder())
}

const listOf = async (storage: Storage) => (await Readable.from(storage.list()).toArray()) as StoredFile[]
const someKey = () => keyOf(randomUUID(), randomUUID())
const received = (storage: Storage, bytes: Buffer) =>
  receive(Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)]), storage.incoming, bytes.length)

describe.each(['a folder', 'S3'])('%s', (name) => {
  test('stores the received bytes unchanged and leaves no temporary files', async () => {
    const storage = storages[name]!
    const bytes = randomBytes(3_000_000)
    const file = await received(storage, bytes)
    expect(file).toMatchObject({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest() })
    const key = someKey()
    expect(await storage.exists(key)).toBe(false)
    expect(await storage.borrow(key)).toBeNull()
    await storage.keep(key, file)
    expect(await storage.exists(key)).toBe(true)
    const borrowed = (await storage.borrow(key))!
    expect(readFileSync(borrowed.path).equals(bytes)).toBe(true)
    await borrowed.release()
    expect(readdirSync(storage.incoming)).toEqual([])
  })

  test('knows whether it is empty', async () => {
    const storage = name === 'S3' ? await inEmptyBucket() : await folderStorage(newFolder())
    const key = someKey()
    expect(await storage.isEmpty()).toBe(true)
    await storage.keep(key, await received(storage, randomBytes(2000)))
    expect(await storage.isEmpty()).toBe(false)
    await storage.remove(key)
    expect(await storage.isEmpty()).toBe(true)
    const free = await storage.freeBytes()
    if (name === 'S3') expect(free).toBeNull()
    else expect(free).toBeGreaterThan(0)
  })

  test('lists every file with its size and age', async () => {
    const storage = name === 'S3' ? await inEmptyBucket('listed') : await folderStorage(newFolder())
    const sizes = new Map<string, number>()
    for (const size of [2000, 3000, 4000, 5000, 6000]) {
      const key = someKey()
      sizes.set(key, size)
      await storage.keep(key, await received(storage, randomBytes(size)))
    }
    const listed = await listOf(storage)
    expect(new Map(listed.map(({ key, bytes }) => [key, bytes]))).toEqual(sizes)
    expect(listed).toHaveLength(sizes.size)
    for (const { key, storedAt } of listed) {
      expect(readKey(key)).not.toBeNull()
      expect(Math.abs(Date.now() - storedAt.getTime())).toBeLessThan(600_000)
    }
  })

  test('removes a file, and removing a missing one is not an error', async () => {
    const storage = storages[name]!
    const key = someKey()
    await storage.keep(key, await received(storage, randomBytes(2000)))
    await storage.remove(key)
    expect(await storage.exists(key)).toBe(false)
    await storage.remove(key)
  })

  test('checks the hash of a file before it is used', async () => {
    const storage = storages[name]!
    const [organizationId, id] = [randomUUID(), randomUUID()]
    const file = await received(storage, randomBytes(2000))
    await storage.keep(keyOf(organizationId, id), file)
    const right = { id, organizationId, sha256: file.sha256, size: file.size }
    await (await borrowVerified(storage, right)).release()
    const wrong = { ...right, sha256: randomBytes(32) }
    await expect(borrowVerified(storage, wrong)).rejects.toMatchObject({ alias: 'outdated-document' })
    await expect(borrowVerified(storage, { ...right, id: randomUUID() })).rejects.toMatchObject({
      alias: 'file-not-found',
    })
    expect(readdirSync(storage.incoming)).toEqual([])
  })
})

test('a folder never overwrites a file', async () => {
  const storage = storages['a folder']!
  const key = someKey()
  const first = randomBytes(2000)
  await storage.keep(key, await received(storage, first))
  await expect(storage.keep(key, await received(storage, randomBytes(2000)))).rejects.toThrow(StorageError)
  expect(readFileSync((await storage.borrow(key))!.path).equals(first)).toBe(true)
})

/** The server of the tests cannot divide a list into pages, so this server answers as the real service does. */
test('a list of S3 that comes in pages is read to its end', async () => {
  const keys = [someKey(), someKey(), someKey()]
  const token = '1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM=+&'
  const contents = (key: string) =>
    `<Contents><Key>${key}</Key><LastModified>2026-11-15T06:00:00.000Z</LastModified>` +
    `<ETag>&quot;0&quot;</ETag><Size>7</Size></Contents>`
  const pages = createServer(({ url }, response) => {
    const given = new URL(url!, 'http://localhost').searchParams.get('continuation-token')
    response.end(
      given === token
        ? `<ListBucketResult>${contents(keys[2]!)}<IsTruncated>false</IsTruncated></ListBucketResult>`
        : `<ListBucketResult>${contents(keys[0]!)}${contents(keys[1]!)}<IsTruncated>true</IsTruncated>` +
            `<NextContinuationToken>${token.replace('&', '&amp;')}</NextContinuationToken></ListBucketResult>`,
    )
  }).listen(0, '127.0.0.1')
  await once(pages, 'listening')
  const storage = await s3Storage(configOf((pages.address() as AddressInfo).port), newFolder())
  const storedAt = new Date('2026-11-15T06:00:00Z')
  expect(await listOf(storage)).toEqual(keys.map((key) => ({ key, bytes: 7, storedAt })))
  pages.closeAllConnections()
  pages.close()
})

test('an S3 service that is unreachable or refuses our key is a storage error, and the received file stays', async () => {
  const away = await s3Storage(configOf(1), newFolder())
  const file = await received(away, randomBytes(2000))
  await expect(away.keep(someKey(), file)).rejects.toThrow(StorageError)
  expect(readdirSync(away.incoming)).toHaveLength(1)
  expect(away.failures()).toEqual({ count: 1, isFailing: true })
  await expect(away.borrow(someKey())).rejects.toThrow(StorageError)
  const port = (running.address() as AddressInfo).port
  const unknown = await s3Storage({ ...configOf(port), accessKeyId: 'nobody' }, newFolder())
  await expect(unknown.borrow(someKey())).rejects.toThrow('403')
  await expect(reached(unknown.borrow(someKey()))).rejects.toMatchObject({ alias: 'sas-token-error' })
  await expect(reached(away.borrow(someKey()))).rejects.toMatchObject({ alias: 'file-storage-error' })
})

describe('receiving', () => {
  test('stops at the size limit and leaves no file', async () => {
    const folder = newFolder()
    await expect(
      receive(Readable.from([Buffer.alloc(600), Buffer.alloc(401)]), folder, 1000),
    ).rejects.toThrow(TooLarge)
    expect(readdirSync(folder)).toEqual([])
  })

  test('leaves no file if the stream breaks off', async () => {
    const folder = newFolder()
    const breaking = Readable.from(
      (function* () {
        yield Buffer.alloc(300_000)
        throw new Error('the line is cut')
      })(),
    )
    await expect(receive(breaking, folder, 1_000_000)).rejects.toThrow('the line is cut')
    expect(readdirSync(folder)).toEqual([])
  })
})

test('S3 without conditional puts, such as Swift: existence is checked first, and nothing is overwritten', async () => {
  const objects = new Map<string, string>()
  const conditional: string[] = []
  const plain = createServer((request, response) => {
    const key = request.url!
    if (request.method === 'HEAD') return void response.writeHead(objects.has(key) ? 200 : 404).end()
    const isConditional = request.headers['if-none-match'] !== undefined
    if (isConditional) conditional.push(key)
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.once('end', () => {
      if (!isConditional) objects.set(key, text)
      response.writeHead(isConditional ? 501 : 200).end()
    })
  })
  await once(plain.listen(0, '127.0.0.1'), 'listening')
  const storage = await s3Storage(configOf((plain.address() as AddressInfo).port), newFolder())
  const [first, second] = [someKey(), someKey()]
  await storage.keep(first, await received(storage, Buffer.from('one')))
  await storage.keep(second, await received(storage, Buffer.from('two')))
  expect([...objects.values()]).toEqual(['one', 'two'])
  expect(new Set(conditional)).toEqual(new Set([`/documents/${first}`]))
  await expect(storage.keep(first, await received(storage, Buffer.from('other')))).rejects.toThrow(
    StorageError,
  )
  expect([...objects.values()]).toEqual(['one', 'two'])
  plain.closeAllConnections()
  await new Promise((resolve) => plain.close(resolve))
})
