/** The log's heads are co-signed by witnesses that run as programs of their own, and a rewritten log finds no witness. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { examineCheckpoint } from '@kelisim/signature/transparency/checkpoint.ts'
import { readVerifierKey, writeVerifierKey } from '@kelisim/signature/transparency/note.ts'
import { writeSubmission } from '@kelisim/signature/transparency/witness-protocol.ts'
import { startRequestsApp } from '../requests/core/testing-requests.ts'
import { publicUrl } from '../testing.ts'
import { findWitnessed, findWitnesses } from './checkpoint-queries.ts'
import { noteKeyOf, originAt, signCheckpoint, wholeNote } from './checkpoints.ts'
import { namesOf, submitTo, witnessHead, type Witness, type Witnessing } from './witnesses.ts'

// programs are started, on busy machines
vi.setConfig({ testTimeout: 60_000 })

const testApp = await startRequestsApp()
const { database, time } = testApp
const log = { key: testApp.logKey, origin: originAt(publicUrl) }
const folder = mkdtempSync(join(tmpdir(), 'kelisim-witness-test-'))
const programs: ChildProcess[] = []

afterAll(async () => {
  for (const program of programs) await ended(program)
  rmSync(folder, { recursive: true })
})

async function ended(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const exit = once(program, 'exit')
  program.kill()
  await exit
}

/** Starts the witness program as others run it. */
async function start(name: string): Promise<Witness & { program: ChildProcess }> {
  const args = ['--folder', join(folder, name), '--name', `w.example/${name}`, '--port', '0']
  const script = join(import.meta.dirname, '../../scripts/witness.ts')
  const program = spawn(process.execPath, [script, ...args, '--log', writeVerifierKey(noteKeyOf(log))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  programs.push(program)
  const [said] = (await once(program.stdout, 'data')) as [Buffer]
  const [vkey, address] = said.toString().trim().split(' ')
  return { key: readVerifierKey(vkey!)!, url: new URL(address!), program }
}

const [one, two] = [await start('one'), await start('two')]
const witnessing: Witnessing = { witnesses: [one, two], quorum: 2, submit: submitTo }
const witnessed = () => findWitnessed(database.db, namesOf(witnessing), 2)
const failures = async () => (await findWitnesses(database.db)).map(({ failure }) => failure)

async function happen(): Promise<void> {
  const house = await testApp.company()
  await house.send(await house.route(await house.point('InternalApprove')))
}

test('two witnesses co-sign each head, and anybody can check it', async () => {
  for (let i = 0; i < 3; i++) {
    await happen()
    const { size } = await witnessHead(database, log, witnessing, time.now)
    const newest = (await witnessed())!
    expect(newest.size).toBe(size)
    const { findings, witnessedBy } = await examineCheckpoint(Buffer.from(wholeNote(newest)), {
      keys: [noteKeyOf(log)],
      witnesses: [one.key, two.key],
      quorum: 2,
      at: new Date(),
    })
    expect(findings).toEqual([])
    expect(witnessedBy.map(({ name }) => name)).toEqual(['w.example/one', 'w.example/two'])
  }
  expect(await failures()).toEqual([null, null])
})

test('an unavailable witness delays nothing; afterwards it continues from the head that it remembers', async () => {
  const before = (await witnessed())!
  await ended(two.program)
  await happen()
  const alone = await witnessHead(database, log, witnessing, time.now)
  expect(alone.lines).toHaveLength(1)
  expect((await witnessed())!.size).toBe(before.size)
  expect(await failures()).toEqual([null, 'unreachable'])
  const again = await start('two')
  two.url = again.url
  two.program = again.program
  expect(writeVerifierKey(again.key)).toBe(writeVerifierKey(two.key))
  await happen()
  const { size } = await witnessHead(database, log, witnessing, time.now)
  expect((await witnessed())!.size).toBe(size)
})

test('a witness that remembers a later head than we know of is asked again from there', async () => {
  await happen()
  await database
    .write(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`delete from log_cosignatures`.execute(tx)
    })
    .then(() => witnessHead(database, log, witnessing, time.now))
  expect(await failures()).toEqual([null, null])
  expect((await witnessed())?.lines).toHaveLength(2)
})

test('who sends heads of the log with wrong proofs fills no room for proofs against it', async () => {
  const { size: seen, note: newest } = (await witnessed())!
  await happen()
  const { size, note } = await signCheckpoint(database, log, time.now)
  const wrong = Buffer.alloc(32, 1)
  const refused = (kind: string) => readdirSync(join(folder, 'one', kind))
  for (const key of ['AAAAAAE=', 'AAAAAAI=', 'AAAAAAM=']) {
    const varied = `${note}— anybody.example ${key}\n`
    expect(await submitTo(one, writeSubmission(seen, [wrong], varied))).toMatchObject({ status: 422 })
    expect(await submitTo(one, writeSubmission(seen, [wrong], newest))).toMatchObject({ status: 422 })
  }
  expect(refused('unproven')).toHaveLength(1)
  expect(refused('conflicts')).toEqual([])
  // The log itself still gets this head co-signed.
  expect(await witnessHead(database, log, witnessing, time.now)).toMatchObject({ size })
  expect(await failures()).toEqual([null, null])
})

test('a rewritten log is co-signed by no witness, and its head is kept', async () => {
  await happen()
  await database.write(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    // Changes the first leaf and everything above it, as somebody with the key and the database could.
    await sql`update log_nodes set hash = sha256('x'::bytea) where index = 0`.execute(tx)
  })
  const before = (await witnessed())!.size
  const head = await witnessHead(database, log, witnessing, time.now)
  expect(await failures()).toEqual(['contradicts', 'contradicts'])
  expect((await witnessed())!.size).toBe(before)
  const kept = join(folder, 'one', 'unproven')
  const submissions = readdirSync(kept).map((name) => readFileSync(join(kept, name), 'utf8'))
  expect(submissions.filter((one) => one.endsWith(head.note))).toHaveLength(1)
})

test('a log that was set back is recognised by its witnesses', async () => {
  await database.write(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`delete from log_cosignatures`.execute(tx)
    await sql`delete from log_checkpoints`.execute(tx)
    await sql`delete from log_heads`.execute(tx)
    await sql`delete from log_nodes where level > 0 or index > 1`.execute(tx)
    await sql`update log_size set size = 1, edge = array(select hash from log_nodes where level = 0 and index = 0)`.execute(
      tx,
    )
  })
  await witnessHead(database, log, witnessing, time.now)
  expect(await failures()).toEqual(['knows-more', 'knows-more'])
})
