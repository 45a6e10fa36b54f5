/** A stranger rebuilds the log from the published tiles, and finds the head that was signed. */
import { expect, test } from 'vitest'
import { examineCheckpoint, readCheckpoint } from '@kelisim/signature/transparency/checkpoint.ts'
import { readNote, readVerifierKey, writeVerifierKey } from '@kelisim/signature/transparency/note.ts'
import { rebuildFromTiles, tilePath } from '@kelisim/signature/transparency/tiles.ts'
import { startRequestsApp } from '../requests/core/testing-requests.ts'
import { noteKeyOf, originAt, signCheckpoint } from './checkpoints.ts'
import { publicUrl } from '../testing.ts'

const testApp = await startRequestsApp()
const { app, database, time } = testApp
const log = { key: testApp.logKey, origin: originAt(publicUrl) }
const get = (path: string) => app.inject({ method: 'GET', url: path })

test('the root rebuilt from tiles alone is the one that the log signed', async () => {
  const house = await testApp.company()
  const routeId = await house.route(await house.point('InternalApprove'))
  for (let i = 0; i < 3; i++) await house.send(routeId)
  await signCheckpoint(database, log, time.now)

  const answer = await get('/log/checkpoint')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('public, max-age=5')
  expect(answer.headers['access-control-allow-origin']).toBe('*')
  const vkey = writeVerifierKey(noteKeyOf(log))
  const { findings } = await examineCheckpoint(answer.rawPayload, {
    keys: [readVerifierKey(vkey)],
    at: time.now,
  })
  expect(findings).toEqual([])
  const { size, root } = readCheckpoint(readNote(answer.rawPayload)!.text)!
  expect(size).toBeGreaterThan(3n)
  const rebuilt = await rebuildFromTiles(Number(size), async (tile) => {
    const { rawPayload, headers } = await get(`/log/tile/${tilePath(tile)}`)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    return rawPayload
  })
  expect(rebuilt).toEqual({ root, faults: [] })
})

test('incomplete tiles, malformed tile paths and entry tiles are not found', async () => {
  for (const path of ['0/000', '0/000.p/250', '1/000.p/1', '0/0', 'entries/000', '0/000.p/0']) {
    expect([path, (await get(`/log/tile/${path}`)).statusCode]).toEqual([path, 404])
  }
})

test('a checkpoint of one size is signed once, and earlier ones cannot be changed', async () => {
  const one = await signCheckpoint(database, log, time.now)
  const again = await signCheckpoint(database, log, new Date(time.now.getTime() + 1000))
  expect(again).toEqual(one)
  await expect(
    database.write((tx) => tx.updateTable('logCheckpoints').set({ note: 'another' }).execute()),
  ).rejects.toThrow()
})
