/** The storage fails while a document is being received, over a real connection: the sender is told so. */
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import type { ErrorBody } from '@kelisim/domain/errors.ts'
import { previewDocument } from '@kelisim/domain/rich-text/contract.ts'
import { publicUrl, startTestApp } from '../testing.ts'
import { openFileChecks } from './check/check.ts'
import { folderStorage } from './storage/folder.ts'
import { receive, type ReceiveOptions } from './storage/receive.ts'
import type { Storage } from './storage/storage.ts'
import { watched } from './storage/watched.ts'
import { goodPdf } from './testing-corpus.ts'

const megabyte = 1024 * 1024
const metricsToken = 'a token of sixteen'
const checks = openFileChecks()
afterAll(() => checks.close())

const noSpace = () =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' as const })

/** A disk with this much space left. */
function diskOf(space: { left: number }): NonNullable<ReceiveOptions['openFile']> {
  return async (path) => {
    const file = await open(path, 'wx')
    const writev = async (pieces: readonly Buffer[]) => {
      const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
      if (size > space.left) throw noSpace()
      space.left -= size
      return file.writev(pieces)
    }
    return Object.assign(Object.create(file) as FileHandle, {
      writev,
      datasync: () => file.datasync(),
      close: () => file.close(),
    })
  }
}

async function startWith(storage: Storage) {
  const context = await startTestApp({ archive: { storage, checks }, metricsToken })
  const { app, make, call, tokenOf } = context
  const ownerId = await make.person()
  const organizationId = await make.organization(ownerId)
  await app.listen({ port: 0, host: '127.0.0.1' })
  afterAll(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const cookie = `session=${await tokenOf(ownerId)}`

  /** `isChunked`: the length is not declared beforehand. */
  function send(bytes: Buffer, isChunked = false): Promise<{ status: number; body: ErrorBody }> {
    return new Promise((resolve, reject) => {
      const path = `/api/Documents/${organizationId}?name=a.pdf&visibilityScope=1`
      const length = isChunked ? {} : { 'content-length': bytes.length }
      const headers = { origin: publicUrl.origin, cookie, 'content-type': 'application/pdf', ...length }
      const sending = request({ port, host: '127.0.0.1', method: 'POST', path, headers }, (response) => {
        void json(response).then(
          (body) => resolve({ status: response.statusCode!, body: body as ErrorBody }),
          reject,
        )
      })
      sending.on('error', reject)
      for (let at = 0; at < bytes.length; at += 64 * 1024) sending.write(bytes.subarray(at, at + 64 * 1024))
      sending.end()
    })
  }

  const ready = async () => {
    const response = await app.inject('/health/ready')
    return { status: response.statusCode, body: response.json<object>() }
  }
  const metrics = async () =>
    (await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${metricsToken}` } })).payload
  const preview = () =>
    call(ownerId, previewDocument, { organizationId, fileName: 'Письмо', htmlContent: '<p>Текст</p>' })
  return { send, ready, metrics, preview, storage }
}

const base = await folderStorage(temporaryFolder())
const disk = { left: 0 }
const failures: Error[] = []
const failing = await startWith(
  watched(
    {
      ...base,
      receive: (stream, limit, options) =>
        receive(stream, base.incoming, limit, { ...options, openFile: diskOf(disk) }),
    },
    (error) => void failures.push(error),
  ),
)

test.each([
  ['a small file', 200_000, 0],
  ['one that is written at its end', 700_000, 300_000],
  ['one of several megabytes', 3 * megabyte, megabyte],
  ['one that is still being sent long after', 9 * megabyte, 300_000],
])('%s on a full disk: 503, the cause in the log, nothing left behind', async (_, size, space) => {
  for (const isChunked of [false, true]) {
    failures.length = 0
    disk.left = space
    const { status, body } = await failing.send(Buffer.alloc(size, '%PDF-1.7'), isChunked)
    expect([status, body.ExceptionData.Alias]).toEqual([503, 'file-storage-error'])
    expect(failures).toMatchObject([{ cause: { code: 'ENOSPC' } }])
    expect(readdirSync(base.incoming)).toEqual([])
  }
})

test('the preview of a written document on a full disk is refused with the same error', async () => {
  disk.left = 0
  const { status, error } = await failing.preview()
  expect([status, error.ExceptionData.Alias]).toEqual([503, 'file-storage-error'])
})

test('a failing storage is shown in health and metrics until files can be stored again', async () => {
  disk.left = 0
  await failing.send(Buffer.alloc(200_000))
  expect(await failing.ready()).toEqual({ status: 200, body: { status: 'degraded', failing: ['storage'] } })
  expect(await failing.metrics()).toMatch(/kelisim_storage_failing 1\n/)
  expect(await failing.metrics()).toMatch(/kelisim_storage_failures [1-9]/)
  await expect(failing.storage.check()).rejects.toThrow('could not be written')

  disk.left = 100 * megabyte
  // The storage recovers without an upload: asking for its state is enough.
  await expect.poll(failing.ready).toEqual({ status: 200, body: { status: 'ready' } })
  expect(await failing.metrics()).toMatch(/kelisim_storage_failing 0\n/)
  expect((await failing.send(goodPdf)).status).toBe(200)
})

test('a file over the size limit is refused on the same connection, with and without Content-Length', async () => {
  disk.left = 100 * megabyte
  for (const isChunked of [false, true]) {
    const { status, body } = await failing.send(Buffer.alloc(21 * megabyte), isChunked)
    expect([status, body.ExceptionData.Alias]).toEqual([413, 'file-too-large'])
  }
})

const small = temporaryFolder()
const isMounted =
  process.getuid?.() === 0 && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'none', small]).status === 0
afterAll(() => {
  if (isMounted) spawnSync('umount', ['--lazy', small])
  rmSync(small, { recursive: true, force: true })
})

test.skipIf(!isMounted)(
  'a disk that is really full (needs root, to mount one): refused, and accepted after space was made',
  async () => {
    const { send, ready, storage } = await startWith(await folderStorage(small))
    const ballast = join(small, 'ballast')
    writeFileSync(ballast, Buffer.alloc(1.5 * megabyte))
    for (const size of [600_000, 3 * megabyte]) {
      const { status, body } = await send(Buffer.alloc(size, '%PDF-1.7'))
      expect([status, body.ExceptionData.Alias]).toEqual([503, 'file-storage-error'])
    }
    expect(readdirSync(storage.incoming)).toEqual([])
    expect(await ready()).toMatchObject({ body: { status: 'degraded' } })
    rmSync(ballast)
    expect((await send(goodPdf)).status).toBe(200)
    expect(await ready()).toMatchObject({ body: { status: 'ready' } })
  },
)
