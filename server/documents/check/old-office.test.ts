import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'old-office-'))
afterAll(() => rmSync(folder, { recursive: true }))

const sectorSize = 4096
const endOfChain = 0xfffffffe

/** Sector lists that all name the same sector, and a table that is a loop: a small file that could be read for ever. */
function listsOfOnePlace(lists: number): Buffer {
  const bytes = Buffer.alloc((lists + 4) * sectorSize)
  const sector = (number: number) => bytes.subarray((number + 1) * sectorSize, (number + 2) * sectorSize)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes)
  bytes.writeUInt16LE(0xfffe, 28)
  bytes.writeUInt16LE(12, 30)
  bytes.writeUInt32LE(1, 48)
  bytes.writeUInt32LE(4096, 56)
  bytes.writeUInt32LE(endOfChain, 60)
  bytes.writeUInt32LE(2, 68)
  bytes.fill(0xff, 76, 512)
  for (let at = 0; at < sectorSize; at += 4) sector(0).writeUInt32LE(1, at)
  for (let i = 0; i < lists; i++) {
    const isLast = i === lists - 1
    sector(2 + i).writeUInt32LE(isLast ? endOfChain : 3 + i, sectorSize - 4)
  }
  return bytes
}

/** Runs in a process of its own, because such a file once ended the process. */
const script = `
  const { openFileChecks } = await import(process.argv[2])
  const checks = openFileChecks()
  const size = Number(process.argv[4])
  const file = { path: process.argv[3], size, format: 'doc', sha256: Buffer.alloc(32) }
  const found = await checks.faultOf(file, null).catch((error) => error.message)
  await checks.close()
  process.stdout.write(String(found))
`

test('a file that claims a table larger than itself is refused as broken and does not end the process', async () => {
  const bytes = listsOfOnePlace(60)
  const path = join(folder, 'bomb.doc')
  writeFileSync(path, bytes)
  const checks = new URL('check.ts', import.meta.url).href
  const run = promisify(execFile)
  const main = join(folder, 'main.mjs')
  writeFileSync(main, script)
  const args = [main, checks, path, String(bytes.length)]
  expect((await run(process.execPath, args)).stdout).toBe('broken')
})
