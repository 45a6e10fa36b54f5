/** The auditor as run by somebody without rights in the installation. */
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { startRequestsApp } from '@kelisim/server/requests/core/testing-requests.ts'
import { publicUrl } from '@kelisim/server/testing.ts'
import { noteKeyOf, originAt } from '@kelisim/server/transparency/checkpoints.ts'
import { submitTo, witnessHead } from '@kelisim/server/transparency/witnesses.ts'
import { ed25519KeyIn } from '@kelisim/signature/algorithms/ed25519.ts'
import { keyTypes, verifierKey, writeVerifierKey } from '@kelisim/signature/transparency/note.ts'
import { keptHeads } from '../witness/kept-heads.ts'
import { witnessServer } from '../witness/witness-server.ts'

// every audit starts a process, which takes long on busy machines
vi.setConfig({ testTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'kelisim-auditor-'))
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const raw = new Uint8Array(ed25519KeyIn(publicKey.export({ type: 'spki', format: 'der' })))
const key = verifierKey('w.example/one', keyTypes.cosignature, raw)
const clock = () => new Date()
const testApp = await startRequestsApp()
const { app, database } = testApp
const log = { key: testApp.logKey, origin: originAt(publicUrl) }
const server = witnessServer({ key, privateKey, logs: [noteKeyOf(log)], heads: keptHeads(folder), clock })
await new Promise<void>((done) => server.listen(0, 'localhost', done))
const witness = { key, url: new URL(`http://localhost:${(server.address() as AddressInfo).port}/`) }
const witnessing = { witnesses: [witness], quorum: 1, submit: submitTo }
await app.listen({ port: 0, host: 'localhost' })
const address = `http://localhost:${(app.server.address() as AddressInfo).port}`

afterAll(async () => {
  server.close()
  await app.close()
  rmSync(folder, { recursive: true })
})

async function grow(): Promise<void> {
  const house = await testApp.company()
  await house.send(await house.route(await house.point('InternalApprove')))
  await witnessHead(database, log, witnessing, clock())
}

async function audit(kept: string, at = address) {
  const args = ['--address', at, '--key', writeVerifierKey(noteKeyOf(log)), '--kept', join(folder, kept)]
  const witnessed = ['--witness', `${writeVerifierKey(key)} ${witness.url.href}`]
  const script = join(import.meta.dirname, '../auditor.ts')
  const bundles = join(folder, 'bundles')
  mkdirSync(bundles, { recursive: true })
  const program = spawn(process.execPath, [script, ...args, ...witnessed, '--bundles', bundles])
  let said = ''
  program.stdout.on('data', (piece: Buffer) => (said += piece.toString()))
  program.stderr.pipe(process.stderr)
  const [status] = (await once(program, 'close')) as [number]
  return { status, ...(JSON.parse(said) as { size: number; faults: { fault: string; by?: string }[] }) }
}

test('the auditor finds no fault in a published log that continues an earlier head', async () => {
  await grow()
  const first = await audit('kept')
  expect(first).toMatchObject({ status: 0, faults: [] })
  expect(existsSync(join(folder, 'kept'))).toBe(true)
  await grow()
  const second = await audit('kept')
  expect(second).toMatchObject({ status: 0, faults: [] })
  expect(second.size).toBeGreaterThan(first.size)
})

test('a damaged tile is reported, although earlier heads cannot be compared behind it', async () => {
  const damaging = createServer((request, response) => {
    if (request.url!.startsWith('/log/tile/')) response.end(Buffer.alloc(31))
    else
      void fetch(new URL(request.url!, address))
        .then((answer) => answer.arrayBuffer())
        .then((bytes) => response.end(Buffer.from(bytes)))
  })
  await new Promise<void>((done) => damaging.listen(0, 'localhost', done))
  const { port } = damaging.address() as AddressInfo
  const { status, faults } = await audit('kept', `http://localhost:${port}`)
  damaging.close()
  expect(status).toBe(1)
  expect(faults.map(({ fault }) => fault)).toEqual(['tile-damaged', 'tiles-other'])
})

test('a rewritten tree is found by its tiles, its witness and the earlier head', async () => {
  await database.write(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update log_nodes set hash = sha256('x'::bytea) where level = 0 and index = 0`.execute(tx)
  })
  const { status, faults } = await audit('kept')
  expect(status).toBe(1)
  expect(faults.map(({ fault, by }) => [fault, by])).toEqual([
    ['tiles-other', undefined],
    ['rewritten', join(folder, 'kept')],
    ['rewritten', 'w.example/one'],
  ])
})
