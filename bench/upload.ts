/**
 * The rate of uploading a PDF of 20 MB, from the first byte to the response (received, hashed, checked, stored, saved),
 * against copying and hashing the same file in one process. They alternate. And the growth of the product's memory
 * while twenty such files are uploaded at once.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { startEmbedded } from '@kelisim/db/embedded.ts'
import { withTable } from '@kelisim/demo/sample-files.ts'
import { rounded, type Measure } from './parts/measure.ts'
import { startProduct, temporaryData } from './parts/product.ts'
import { someSession } from './parts/session.ts'

const goal = { ratio: 0.5, megabytes: 64 }
const size = 20 * 1024 * 1024
const rounds = 15
const warmUpRounds = 5
const atOnce = 20

export async function upload(): Promise<Measure> {
  const dataDir = temporaryData()
  const product = await startProduct(3266, dataDir)
  const database = await startEmbedded(join(dataDir, 'postgres')) // adopts the server that the product started
  try {
    const { cookie, organizationId } = await someSession(database.connection)
    const file = join(dataDir, 'scan.pdf')
    writeFileSync(file, scannedPdf())
    const url = `${product.url}/api/Documents/${organizationId}?name=scan.pdf&visibilityScope=1`
    const copy = join(dataDir, 'copy')
    const bytes = readFileSync(file)
    const send = () => post(url, cookie, bytes)
    const times = { ours: [] as number[], anchor: [] as number[] }
    for (let i = 0; i < warmUpRounds + rounds; i++) {
      const ours = await timed(send)
      const anchor = await timed(() => copyAndHash(file, copy))
      await flush(copy)
      if (i < warmUpRounds) continue
      times.ours.push(ours)
      times.anchor.push(anchor)
    }
    const grown = await growth(product.pid, () => Promise.all(Array.from({ length: atOnce }, send)))
    const [value, anchor] = [rate(times.ours), rate(times.anchor)]
    const ratio = rounded(value / anchor)
    return {
      name: 'upload',
      value: rounded(value),
      anchor: rounded(anchor),
      ratio,
      goal: `ratio >= ${goal.ratio}, memory < ${goal.megabytes} MB with ${atOnce} at once`,
      ok: ratio >= goal.ratio && grown < goal.megabytes,
      note: `MB/s; memory grew by ${rounded(grown)} MB with ${atOnce} uploads at once`,
    }
  } finally {
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** One page with a picture, as scanners make them. */
function scannedPdf(): Buffer {
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /I 4 0 R >> >> >>'
  const around = (picture: string) =>
    withTable('%PDF-1.4\n', [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      page,
      `<< /Type /XObject /Subtype /Image /Width 1000 /Height 1000 /BitsPerComponent 8 /ColorSpace /DeviceGray /Length ${picture.length} >>\nstream\n${picture}\nendstream`,
    ])
  const room = size - around('').length - 32
  return around(randomBytes(room).toString('latin1'))
}

function post(url: string, cookie: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, origin: new URL(url).origin, 'content-type': 'application/octet-stream' }
    const call = request(url, { method: 'POST', headers }, (answer) => {
      answer.resume()
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`uploading answered ${answer.statusCode}`)),
      )
    })
    call.once('error', reject)
    call.end(bytes)
  })
}

async function copyAndHash(from: string, to: string): Promise<void> {
  const hash = createHash('sha256')
  const source = createReadStream(from, { highWaterMark: 256 * 1024 })
  source.on('data', (piece) => hash.update(piece))
  await pipeline(source, createWriteStream(to))
  hash.digest()
}

/** Flushes what the anchor left in the cache, so that the next round does not wait for it. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.datasync()
  await file.close()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function rate(times: readonly number[]): number {
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
  return size / 1024 / 1024 / (median / 1000)
}

/** The growth of the process to its peak, in megabytes. */
async function growth(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = residentMegabytes(pid)
  let peak = before
  const looking = setInterval(() => (peak = Math.max(peak, residentMegabytes(pid))), 10)
  await work()
  clearInterval(looking)
  return peak - before
}

function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]
  return Number(kilobytes) / 1024
}
