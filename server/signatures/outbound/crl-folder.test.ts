import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openCrlFolder } from './crl-folder.ts'
import { OutboundFailure } from './failure.ts'
import { callerTo, ownFolder, reasonOf, time } from './testing-caller.ts'
import { httpService } from './testing-services.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** In these tests a list is the text "good until <time> <whatever>". */
async function examine(path: string): Promise<Date> {
  const [, until] = /^good until (\d+) .*\.$/.exec(await readFile(path, 'utf8')) ?? []
  if (until === undefined) throw new Error('no list')
  return new Date(Number(until))
}

const list = (until: number, number = 1) => `good until ${until} number ${number}.`

/** A publisher of one list; `open` simulates a process that has just started. */
async function publisher(published: string | null, folder = ownFolder()) {
  const state = { published, fetches: 0 }
  const service = await httpService((_, response) => {
    state.fetches += 1
    if (state.published === null) response.writeHead(503).end()
    else response.end(state.published)
  })
  const open = () => {
    const { crlFile } = openCrlFolder({
      folder,
      caller: callerTo([service]),
      examine,
      clock: () => new Date(time.now),
      maxBytes: 1000,
    })
    return () => crlFile(service.address)
  }
  return { state, folder, open, service }
}

const contentOf = async (path: Promise<string>) => readFileSync(await path, 'utf8')

test('a CRL is fetched once, and not again after a restart', async () => {
  const { state, folder, open } = await publisher(list(day))
  const crlFile = open()
  expect(await contentOf(crlFile())).toBe(list(day))
  await crlFile()
  await open()()
  expect(state.fetches).toBe(1)
  expect(readdirSync(folder)).toHaveLength(1)
})

test('simultaneous calls for a CRL share one fetch', async () => {
  const { state, open } = await publisher(list(day))
  const crlFile = open()
  const paths = await Promise.all([crlFile(), crlFile(), crlFile()])
  expect(new Set(paths).size).toBe(1)
  expect(state.fetches).toBe(1)
})

test('a CRL is fetched again when its time is over, under the same path', async () => {
  const { state, open } = await publisher(list(10 * minute))
  const crlFile = open()
  const path = await crlFile()
  state.published = list(day, 2)
  time.now = 10 * minute - 1
  await crlFile()
  expect(state.fetches).toBe(1)
  time.now = 10 * minute
  expect(await crlFile()).toBe(path)
  expect(readFileSync(path, 'utf8')).toBe(list(day, 2))
})

test('a CRL that is valid for half a year is fetched again after an hour, after a restart too', async () => {
  const { state, open } = await publisher(list(180 * day))
  const crlFile = open()
  await crlFile()
  time.now = hour - 1
  await crlFile()
  expect(state.fetches).toBe(1)
  time.now = hour
  await open()()
  expect(state.fetches).toBe(2)
})

test('a CRL fetched by another process is not fetched again', async () => {
  const { state, open } = await publisher(list(10 * minute))
  const [ours, theirs] = [open(), open()]
  await ours()
  time.now = 10 * minute
  state.published = list(day, 2)
  await theirs()
  expect(await contentOf(ours())).toBe(list(day, 2))
  expect(state.fetches).toBe(2)
})

describe('a damaged file of a CRL is fetched again', () => {
  const ways: Record<string, (path: string) => void> = {
    'cut short': (path) => truncateSync(path, 7),
    emptied: (path) => truncateSync(path, 0),
    overwritten: (path) => writeFileSync(path, 'rubbish'),
  }

  test.each(Object.entries(ways))('%s, while running and after a restart', async (_, spoil) => {
    const { state, open } = await publisher(list(day))
    const crlFile = open()
    spoil(await crlFile())
    expect(await contentOf(crlFile())).toBe(list(day))
    spoil(await crlFile())
    expect(await contentOf(open()())).toBe(list(day))
    expect(state.fetches).toBe(3)
  })

  test('if removed with its folder', async () => {
    const { folder, open } = await publisher(list(day))
    const crlFile = open()
    const path = await crlFile()
    rmSync(folder, { recursive: true })
    expect(await crlFile()).toBe(path)
    expect(existsSync(path)).toBe(true)
  })

  test('if replaced by a folder', async () => {
    const { open } = await publisher(list(day))
    const path = await open()()
    rmSync(path)
    mkdirSync(join(path, 'inside'), { recursive: true })
    expect(await contentOf(open()())).toBe(list(day))
  })
})

describe('when the publisher of a CRL fails', () => {
  test('the reason is reported if none was fetched before, and it is tried again half a minute later', async () => {
    const { state, folder, open } = await publisher(null)
    const crlFile = open()
    expect(await reasonOf(crlFile())).toBe('unreachable')
    expect(await reasonOf(crlFile())).toBe('unreachable')
    expect(state.fetches).toBe(3) // one call with its attempts
    expect(readdirSync(folder)).toEqual([])
    time.now = 30_000
    state.published = list(day)
    expect(await contentOf(crlFile())).toBe(list(day))
  })

  test('a CRL within its time is still used', async () => {
    const { state, open } = await publisher(list(day))
    const crlFile = open()
    await crlFile()
    state.published = null
    time.now = 2 * hour
    expect(await contentOf(crlFile())).toBe(list(day))
  })

  test('a CRL past its time is not used', async () => {
    const { state, open } = await publisher(list(day))
    const crlFile = open()
    await crlFile()
    state.published = null
    time.now = day
    expect(await reasonOf(crlFile())).toBe('unreachable')
    expect(await reasonOf(open()())).toBe('unreachable')
  })

  test.each([
    ['no list', 'rubbish', 'bad-answer'],
    ['nothing', '', 'bad-answer'],
    ['a list without a time', 'good until 99999999999999999999 x.', 'bad-answer'],
    ['too much', 'x'.repeat(1001), 'too-big'],
  ])('publishing %s replaces no good CRL, and is not fetched for each call', async (_, bad, reason) => {
    const { state, folder, open } = await publisher(bad)
    const crlFile = open()
    expect(await reasonOf(crlFile())).toBe(reason)
    expect(await reasonOf(crlFile())).toBe(reason)
    expect(state.fetches).toBe(1)

    state.published = list(day)
    time.now = 30_000
    await crlFile()
    state.published = bad
    time.now += hour
    expect(await contentOf(crlFile())).toBe(list(day))
    expect(readdirSync(folder)).toHaveLength(1)
  })

  test('a published stale CRL is passed on to be judged, and not fetched for each call', async () => {
    time.now = 2 * day
    const { state, open } = await publisher(list(day))
    const crlFile = open()
    expect(await contentOf(crlFile())).toBe(list(day))
    await crlFile()
    expect(state.fetches).toBe(1)
    time.now += 30_000
    await crlFile()
    expect(state.fetches).toBe(2)
  })
})

test('partial files of a killed process are removed, those being fetched by another process are not', async () => {
  const { folder, open } = await publisher(list(10 * day))
  time.now = day
  for (const [name, at] of Object.entries({ 'old.part': 0, 'new.part': day - minute })) {
    writeFileSync(join(folder, name), 'x')
    utimesSync(join(folder, name), at / 1000, at / 1000)
  }
  await open()()
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual(['new.part'])
})

test('a disk error is not reported as a failure of the publisher', async () => {
  const { open } = await publisher(list(day), '/dev/null/crl')
  const error = await open()().catch((e: unknown) => e)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(OutboundFailure)
})

test('a refresh fetches used CRLs before they are too old, and keeps them if that fails', async () => {
  const folder = ownFolder()
  const start = time.now
  const { state, service } = await publisher(list(start + day), folder)
  const { crlFile, refresh } = openCrlFolder({
    folder,
    caller: callerTo([service]),
    examine,
    maxBytes: 1000,
    clock: () => new Date(time.now),
  })
  await refresh()
  expect(state.fetches).toBe(0)
  await crlFile(service.address)
  time.now = start + 30 * minute
  await refresh()
  expect(state.fetches).toBe(1)
  time.now = start + 45 * minute
  state.published = list(start + day, 2)
  await refresh()
  expect(await contentOf(crlFile(service.address))).toBe(list(start + day, 2))
  time.now = start + 75 * minute
  await crlFile(service.address)
  expect(state.fetches).toBe(2)
  state.published = null
  time.now = start + 100 * minute
  await refresh()
  expect(await contentOf(crlFile(service.address))).toBe(list(start + day, 2))
  time.now = start
})
