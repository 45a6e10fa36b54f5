import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded, type EmbeddedServer } from './embedded.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const data = join(folder, 'postgres')
let server: EmbeddedServer

afterAll(() => {
  server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function ask<R extends pg.QueryResultRow>(sql: string): Promise<R[]> {
  const client = new pg.Client(server.connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<R>(sql)).rows
  } finally {
    await client.end()
  }
}

const postmaster = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])

test('the embedded database is created and started where there was none', async () => {
  server = await startEmbedded(data)
  expect(server.adopted).toBe(false)
  await ask('create table kept (text text)')
  await ask("insert into kept values ('before the crash')")
})

test('a second process adopts the running embedded database', async () => {
  const pid = postmaster()
  const adopted = await startEmbedded(data)
  expect(adopted.adopted).toBe(true)
  expect(adopted.connection).toEqual(server.connection)
  expect(postmaster()).toBe(pid)
})

test('the embedded database opens no port, and other users cannot reach its socket or files', async () => {
  const inodes = readdirSync(`/proc/${postmaster()}/fd`)
    .map((fd) => readlinkSync(`/proc/${postmaster()}/fd/${fd}`, 'utf8'))
    .flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [])
  const network = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/net/${name}`, 'utf8')).join('')
  const bound = network.split('\n').map((line) => line.trim().split(/\s+/)[9])
  expect(inodes.filter((inode) => bound.includes(inode))).toEqual([])
  expect(statSync(server.connection.host).mode & 0o077).toBe(0)
  expect(statSync(data).mode & 0o077).toBe(0)
})

test('the embedded database sorts Kazakh letters by their alphabet, and knows their upper and lower case', async () => {
  const letters = 'аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя'.split('')
  const shuffled = letters.toSorted(
    (a, b) => ((a.codePointAt(0)! * 7919) % 97) - ((b.codePointAt(0)! * 7919) % 97),
  )
  const rows = await ask<{ l: string }>(
    `select l from unnest(array[${shuffled.map((l) => `'${l}'`).join()}]) l order by l`,
  )
  expect(rows.map((row) => row.l).join('')).toBe(letters.join(''))
  expect(await ask("select lower('ӘҒҚҢӨҰҮҺІ') as l")).toEqual([{ l: 'әғқңөұүһі' }])
})

test('the embedded database restarts after a kill with everything that was written', async () => {
  process.kill(postmaster(), 'SIGKILL')
  server = await startEmbedded(data)
  expect(server.adopted).toBe(false)
  expect(await ask('select text from kept')).toEqual([{ text: 'before the crash' }])
})

test('the embedded database starts again after an orderly stop', async () => {
  server.stop()
  server = await startEmbedded(data)
  expect(server.adopted).toBe(false)
  expect(await ask('select text from kept')).toHaveLength(1)
})

test('a process that stops leaves the embedded database running for another process that uses it', async () => {
  const other = new pg.Client(server.connection)
  await other.connect()
  await server.stopIfUnused()
  expect((await other.query('select text from kept')).rowCount).toBe(1)
  await other.end()
  await server.stopIfUnused()
  await expect(ask('select 1')).rejects.toThrow()
  server = await startEmbedded(data)
})

test('an embedded database whose creation broke off is created again', async () => {
  const folder = join(temporaryFolder(), 'postgres')
  mkdirSync(`${folder}.new`, { recursive: true })
  writeFileSync(join(`${folder}.new`, 'PG_VERSION'), '18')
  const started = await startEmbedded(folder)
  expect(started.adopted).toBe(false)
  started.stop()
})

const volume = join(temporaryFolder(), 'postgres')
mkdirSync(volume)
const isMounted = process.getuid?.() === 0 && spawnSync('mount', ['-t', 'tmpfs', 'none', volume]).status === 0
afterAll(() => void (isMounted && spawnSync('umount', ['--lazy', volume])))

test.skipIf(!isMounted)(
  'a volume mounted as the data folder is used, also with lost+found in it (needs root)',
  async () => {
    mkdirSync(join(volume, 'lost+found'))
    const started = await startEmbedded(volume)
    expect(started.adopted).toBe(false)
    started.stop()
    const again = await startEmbedded(volume, [], { mayBeNew: false })
    expect(again.adopted).toBe(false)
    expect((await startEmbedded(volume)).adopted).toBe(true)
    again.stop()
    expect(readdirSync(volume).toSorted()).toEqual(['data', 'lost+found'])
  },
)

test.skipIf(process.getuid?.() !== 0)(
  'for root below a closed folder the data are in /var/lib, by a link',
  async () => {
    const closed = temporaryFolder()
    chmodSync(closed, 0o700)
    const wanted = join(closed, 'postgres')
    const started = await startEmbedded(wanted)
    expect((await startEmbedded(wanted)).adopted).toBe(true)
    started.stop()
    const real = readlinkSync(wanted)
    expect(real).toMatch(/^\/var\/lib\/kelisim-\w+$/)
    for (const path of [real, closed]) rmSync(path, { recursive: true })
  },
)
