/**
 * A separate process, so that only the CRL counts: indexes the given file and reports the time, the growth of the
 * process beyond the bytes of the CRL, and the time of a look-up. Run with --expose-gc.
 */
import { readFileSync } from 'node:fs'
import { read, tags } from '@kelisim/signature/asn1/read.ts'
import { publicKeyInfoOf } from '@kelisim/signature/certificates/public-key.ts'
import { checkSigned } from '@kelisim/signature/certificates/signed-by.ts'
import { findEntry } from '@kelisim/signature/revocation/crl-entries.ts'
import { readCrl } from '@kelisim/signature/revocation/crl.ts'
import { entryCount, listIssuer, serialOf } from './national-list.ts'

export type ListIndexed = {
  indexMs: number
  /** In MB. */
  grownBy: number
  lookUpMicroseconds: number
  verifyMs: number
}

const bytes = readFileSync(process.argv[2]!)
globalThis.gc!()
const before = process.memoryUsage()
const start = performance.now()
const crl = readCrl(bytes)
const indexMs = performance.now() - start
const after = process.memoryUsage()
// the growth in pages, which includes garbage of the work, or in memory in use, which may fit into existing pages
const [pages, kept] = [after.rss - before.rss, inUse(after) - inUse(before)]
const grownBy = Math.max(pages, kept) / 1e6

/** `external` includes array buffers, shared ones too. */
function inUse({ heapUsed, external }: NodeJS.MemoryUsage): number {
  return heapUsed + external
}

if (crl.entries.count !== entryCount) throw new Error('The list was not read whole')
const wanted = 100_000
const serials = Array.from({ length: wanted }, (_, i) => serialOf(i * 8))
const lookUpStart = performance.now()
const found = serials.filter((serial) => findEntry(crl.entries, serial, (names) => names === null)).length
const lookUpMicroseconds = ((performance.now() - lookUpStart) / wanted) * 1000
if (found !== Math.ceil(entryCount / 8)) throw new Error(`${found} found`)

const issuerKey = publicKeyInfoOf(read(listIssuer().keys.publicKey, tags.sequence))
const verifyStart = performance.now()
if ((await checkSigned(crl, issuerKey)) !== 'valid') throw new Error('The list was refused')
const verifyMs = performance.now() - verifyStart

console.log(JSON.stringify({ indexMs, grownBy, lookUpMicroseconds, verifyMs } satisfies ListIndexed))
