/** Hostile or malformed archives are reported before anything is unpacked. */
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { checkBundle } from '@kelisim/signature/bundle/check-bundle.ts'
import { UsageError } from './arguments.ts'
import { bundleReport } from './bundle-report.ts'
import { openBundle } from './bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'kelisim-bundle-'))
afterAll(() => rmSync(folder, { recursive: true }))
let made = 0

/** Replaces every `find` in its bytes by `put`, which has the same length. */
async function zipOf(files: Record<string, string>, spoil: [find: string, put: string] | null = null) {
  const path = join(folder, `${++made}.zip`)
  const zip = new ZipFile()
  for (const [name, contents] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(contents), name, { compress: contents !== '' })
  }
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
  if (spoil) {
    const [find, put] = spoil
    writeFileSync(path, readFileSync(path, 'latin1').replaceAll(find, put), 'latin1')
  }
  return path
}

const trust = { roots: [], others: [] }

async function faultOf(path: string): Promise<string | undefined> {
  const opened = await openBundle(path)
  if ('fault' in opened) return opened.fault.fault
  const { faults } = await checkBundle(opened.files, { trust, at: new Date() })
  opened.close()
  return faults[0]?.fault
}

test.each([['../../x/evil'], ['/etc/xpasswd'], ['C:/x/xevil12'], ['xx\\x\\evil12']])(
  'a name that leads out of the folder is refused: %s',
  async (name) => {
    const plain = 'a'.repeat(name.length)
    expect(await faultOf(await zipOf({ [plain]: 'x' }, [plain, name]))).toBe('unsafe-name')
  },
)

test('two files of one name are refused, also in another letter case', async () => {
  const twice = await zipOf({ 'manifest.json': '{}', 'manifest.jsox': '{}' }, [
    'manifest.jsox',
    'manifest.json',
  ])
  expect(await faultOf(twice)).toBe('file-extra')
  expect(await faultOf(await zipOf({ 'a.txt': '', 'A.txt': '' }))).toBe('file-extra')
})

test('too many files, or impossible sizes, are refused', async () => {
  const many = Object.fromEntries(Array.from({ length: 5001 }, (_, i) => [`f${i}`, '']))
  expect(await faultOf(await zipOf(many))).toBe('too-much')
  const path = await zipOf({ bomb: 'x'.repeat(100_000) })
  const bytes = readFileSync(path)
  // the uncompressed size in the central directory
  bytes.writeUInt32LE(0xfffffff0, bytes.lastIndexOf('PK\u0001\u0002') + 24)
  writeFileSync(path, bytes)
  expect(await faultOf(path)).toBe('too-much')
})

test('overlapping files of an archive are refused', async () => {
  const path = await zipOf({ one: 'x'.repeat(1000), two: 'y'.repeat(1000) })
  const bytes = readFileSync(path)
  bytes.writeUInt32LE(bytes.length, bytes.indexOf('PK\u0001\u0002') + 20)
  writeFileSync(path, bytes)
  expect(await faultOf(path)).toBe('too-much')
})

test('a file that is no archive, another archive, or a missing file is no bundle', async () => {
  const text = join(folder, 'text.zip')
  writeFileSync(text, 'nothing')
  expect(await faultOf(text)).toBe('not-a-bundle')
  const other = await openBundle(await zipOf({ 'a.txt': 'x' }))
  if ('fault' in other) throw new Error(other.fault.fault)
  const answer = bundleReport(await checkBundle(other.files, { trust, at: new Date() }))
  other.close()
  expect(answer).toMatchObject({ verdict: 'TOTAL-FAILED', faults: [{ fault: 'not-a-bundle' }], signers: [] })
  await expect(openBundle(join(folder, 'nowhere.zip'))).rejects.toThrow(UsageError)
})

test('a bundle that cannot be unpacked is refused', async () => {
  const path = await zipOf({ 'manifest.json': '{"format":"kelisim-evidence"}'.repeat(20) })
  const bytes = readFileSync(path)
  bytes.fill(0xff, 45, 60)
  writeFileSync(path, bytes)
  expect(await faultOf(path)).toBe('not-a-bundle')
})

test('signatures over a corrected document are named, but do not count', () => {
  const signature = { findings: [], receivedAt: new Date(0), existedAt: null, isBound: {} }
  const report = (revisions: (number | null)[]) =>
    bundleReport({
      faults: [],
      documents: [],
      signatures: revisions.map((earlierRevision) => ({ ...signature, earlierRevision, examination: null })),
      log: { isKnown: true, witnessedBy: [], at: new Date(0) },
      request: null,
      history: null,
      madeAt: null,
    } as never)
  expect(report([1])).toMatchObject({ verdict: 'TOTAL-FAILED', signers: [{ earlierRevision: 1 }] })
  expect(report([1, null]).verdict).toBe('TOTAL-PASSED')
})
