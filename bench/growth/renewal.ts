/**
 * A million archived documents renewed by another hash over everything, the most that a renewal can take: counts timestamps, what
 * each document keeps, and how much memory grows between the first and the last batch.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { hash, type HashName } from '@kelisim/signature/algorithms/hash.ts'
import {
  batchOver,
  largestBatch,
  leafOfDocument,
  packedHashes,
  type KeptChain,
} from '@kelisim/signature/evidence-records/compose.ts'
import { stamp } from '@kelisim/signature/signer/timestamp-authority.ts'
import { foundNation } from '@kelisim/signature/testing/nation.ts'
import { serviceOf, year } from '@kelisim/signature/testing/records.ts'
import { messageImprint } from '@kelisim/signature/timestamps/timestamp.ts'
import { rounded, type Measure } from '../parts/measure.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function memoryInUse(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const documents = 1_000_000
const mostTimestamps = 100
const largestProof = 1024
const largestGrowth = 64 * 1024 ** 2

export async function renewal(): Promise<Measure> {
  const clock = await serviceOf(await foundNation('gost-kz-512', 'Renewal'), 2025, 2034)
  let [timestamps, proof] = [0, 0]
  const timestamp = (name: HashName, root: Uint8Array, at: Date) =>
    stamp({
      authority: clock,
      request: { imprint: messageImprint(name, root), nonce: null, certReq: true },
      policy: '1.2.398.3.3.2.6.2',
      serial: root.subarray(0, 8),
      genTime: at,
    })
  const digestsOf = (name: HashName, number: number) =>
    ['document', 'signature'].map((part) => hash(name, new TextEncoder().encode(`${part} ${number}`)))
  const keep = (siblings: readonly Uint8Array[]) => {
    proof = Math.max(proof, packedHashes(siblings).length)
  }
  const memory: number[] = []
  const start = performance.now()
  for (let from = 0; from < documents; from += largestBatch) {
    const numbers = Array.from({ length: Math.min(largestBatch, documents - from) }, (_, i) => from + i)
    // what each document has kept of its first night, as a database would have it
    const night = batchOver(
      'sha-256',
      numbers.map((one) => leafOfDocument('sha-256', digestsOf('sha-256', one), [])),
    )
    const token = await timestamp('sha-256', night.root, year(2026))
    const leaves = numbers.map((one, i) => {
      const before: KeptChain = {
        hash: 'sha-256',
        digests: digestsOf('sha-256', one),
        timestamps: [{ token, siblings: night.siblingsOf(i) }],
      }
      return leafOfDocument('sha-512', digestsOf('sha-512', one), [before])
    })
    const batch = batchOver('sha-512', leaves)
    await timestamp('sha-512', batch.root, year(2027))
    timestamps++
    for (const i of numbers.keys()) keep(batch.siblingsOf(i))
    memory.push(memoryInUse())
  }
  const growth = memory.at(-1)! - memory[0]!
  const seconds = (performance.now() - start) / 1000
  const ok = timestamps <= mostTimestamps && proof <= largestProof && growth <= largestGrowth
  return {
    name: 'renewal',
    value: timestamps,
    anchor: mostTimestamps,
    ratio: rounded(timestamps / mostTimestamps),
    goal: `≤ ${mostTimestamps} timestamps, ≤ ${largestProof} bytes a proof, memory flat`,
    ok,
    note: `${proof} bytes a proof; ${Math.round(growth / 1024 ** 2)} MB more after the last batch than after the first; ${Math.round(seconds)} s`,
  }
}
